"""The index of all snippets: by area and feature, each with where it ran and its files.

It is complete without a script; assets/snippets.js adds the filters.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from hooks.atlas import examples, feature_pages, text
from hooks.atlas.feature_pages import Pages
from hooks.atlas.model import Feature
from hooks.snippets import Snippet

PATH = "snippets.md"


def page(pages: Pages, edition: str) -> str:
    """Markdown of the index in a written edition."""
    say, known = pages.say, pages.evidence
    counts = {
        "count": len(known.snippets),
        "features": len({snippet.feature for snippet in known.snippets.values()}),
        "releases": len(known.eras),
        "newest": known.eras[-1].torch,
    }
    title = say("snippets.title", edition)
    parts = [
        text.front_matter(title, say("snippets.description", edition, **counts), assets="[filters, snippets]"),
        f"# {title} {{#snippets}}",
        say("snippets.intro", edition, **counts),
        "\n".join(filters(pages, edition)),
    ]
    for area, features in grouped(pages).items():
        parts.append(f"## {text.reading(pages.atlas.areas[area]['name'], edition)} {{#{area}}}")
        items = "\n".join(item(pages, feature, edition) for feature in features)
        parts.append(f'<ul class="sn-list" data-area="{area}" markdown="1">\n{items}\n</ul>')
    return "\n\n".join(parts) + "\n"


def grouped(pages: Pages) -> dict[str, list[Feature]]:
    """The features that have a snippet, by area, in the order of the areas."""
    found = {area: [feature for feature in feature_pages.ordered(pages.atlas, area) if pages.evidence.of(feature.id)] for area in pages.atlas.areas}
    return {area: features for area, features in found.items() if features}


def outcome(pages: Pages, snippet: Snippet) -> str:
    """What came of a snippet on the newest release."""
    return pages.evidence.ran[snippet.name][pages.evidence.eras[-1].release].outcome


def filters(pages: Pages, edition: str) -> Iterator[str]:
    """The form above the list; it is hidden until the script shows it."""
    say, count = pages.say, len(pages.evidence.snippets)
    newest = pages.evidence.eras[-1].torch
    seen = {outcome(pages, snippet) for snippet in pages.evidence.snippets.values()}
    yield f'<form class="sn-form atlas-filters atlas-filters--boxed" aria-label="{say("snippets.filters", edition)}" hidden>'
    yield f'<label>{say("snippets.area", edition)} <select name="area"><option value="">{say("snippets.any", edition)}</option>'
    for area in grouped(pages):
        yield f'<option value="{area}">{escape(text.reading(pages.atlas.areas[area]["name"], edition))}</option>'
    yield f'</select></label>\n<label>{say("snippets.feature", edition)} <select name="feature"><option value="">{say("snippets.any", edition)}</option>'
    for area, features in grouped(pages).items():
        yield f'<optgroup label="{escape(text.reading(pages.atlas.areas[area]["name"], edition))}">'
        yield "".join(f'<option value="{feature.id}">{escape(text.reading(feature.name, edition))}</option>' for feature in features)
        yield "</optgroup>"
    yield f'</select></label>\n<label>{say("snippets.outcome", edition, newest=newest)} <select name="outcome"><option value="">{say("snippets.any", edition)}</option>'
    for one in (one for one in examples.OUTCOMES if one in seen):
        yield f'<option value="{one}">{examples.word(one, edition, say)}</option>'
    yield f'</select></label>\n<button type="reset">{say("snippets.reset", edition)}</button>'
    yield f'<p role="status">{say("snippets.count", edition, shown=f"<b>{count}</b>", count=count)}</p>'
    yield "</form>"


def item(pages: Pages, feature: Feature, edition: str) -> str:
    """A feature with its snippets: of each the form, the files and where it ran."""
    name = text.escaped(text.reading(feature.name, edition))
    target = text.link(PATH, f"{feature_pages.path(feature.id)}#examples")
    entries = "\n".join(_entry(pages, snippet, edition) for snippet in pages.evidence.of(feature.id))
    return f'<li data-feature="{feature.id}" markdown="1">\n\n[{name}]({target})\n\n<ul markdown="1">\n{entries}\n</ul>\n</li>'


def _entry(pages: Pages, snippet: Snippet, edition: str) -> str:
    """The files are linked in Markdown: from another edition the way to them is longer."""
    say = pages.say
    about = [say(f"example.{snippet.form}", edition)]
    if snippet.title:
        about.append(text.reading(snippet.title, edition))
    files = examples.files(snippet.name, PATH)
    line = examples.line(pages.evidence.ran[snippet.name], list(pages.atlas.releases), snippet, edition, say)
    return f'<li data-outcome="{outcome(pages, snippet)}" markdown="span"><span>{" · ".join(about)}</span> <small>{files}</small><br><small>{line}</small></li>'
