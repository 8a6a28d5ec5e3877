"""How a text was damaged byte by byte, and how its damaged lines are read back; `hooks.repair` is the way in.

    codepage   the damage itself, and the spelling of bytes that undoing it needs
    glosses    which parentheses are glosses of the damage, and which a writer's own
    language   how likely a stretch of Chinese is
    stretch    a damaged stretch as a lattice of the characters that its bytes allow
    readings   the likeliest ways through that lattice
    knots      one line read back, and held against the damage done to it again
"""
