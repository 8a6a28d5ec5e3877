"""The page of an area: its features with their way through the releases; and the list of areas."""

from __future__ import annotations

from hooks.atlas import feature_pages, text, tierline
from hooks.atlas.feature_pages import Pages
from hooks.atlas.model import Feature

INDEX = "areas/index.md"


def path(area: str) -> str:
    """Path of an area's page within an edition."""
    return f"areas/{area}.md"


def page(pages: Pages, area: str, edition: str) -> str:
    """Markdown of an area's page in a written edition."""
    words = pages.atlas.areas[area]
    name, summary = text.reading(words["name"], edition), text.reading(words["summary"], edition)
    features = feature_pages.ordered(pages.atlas, area)
    count = pages.say("areas.count" if len(features) > 1 else "areas.one", edition, count=len(features))
    parts = [
        text.front_matter(name, summary),
        f"# {name} {{#{area}}}",
        summary,
        count,
        *(_feature(pages, feature, area, edition) for feature in features),
    ]
    return "\n\n".join(parts) + "\n"


def _feature(pages: Pages, feature: Feature, area: str, edition: str) -> str:
    """A feature with its own heading: what it is, its tiers, and what has become of it."""
    say, here = pages.say, path(area)
    target = text.link(here, feature_pages.path(feature.id))
    facts = [pages.evidence.badges(feature), feature_pages.since(pages, feature, here, edition)]
    if feature.today.use:
        facts.append(text.reading(feature.today.use, edition))
    line = tierline.line(pages.atlas, feature, here, edition, say)
    name = text.escaped(text.reading(feature.name, edition))
    parts = [f"## [{name}]({target}) {{#{feature.id}}}", text.reading(feature.summary, edition), line, " · ".join(facts)]
    return "\n\n".join(part for part in parts if part)


def index(pages: Pages, edition: str) -> str:
    """All areas with what they are about and the features in them."""
    atlas, say = pages.atlas, pages.say
    parts = [
        text.front_matter(say("areas.title", edition), say("areas.description", edition)),
        f"# {say('areas.title', edition)} {{#areas}}",
        say("areas.intro", edition, link="../features/index.md"),
    ]
    for area, words in atlas.areas.items():
        features = feature_pages.ordered(atlas, area)
        names = (f"[{text.escaped(text.reading(f.name, edition))}]({text.link(INDEX, feature_pages.path(f.id))})" for f in features)
        parts += [
            f"## [{text.reading(words['name'], edition)}]({text.link(INDEX, path(area))}) {{#{area}}}",
            text.reading(words["summary"], edition),
            say("list.comma", edition).join(names),
        ]
    return "\n\n".join(parts) + "\n"
