"""What happened to the features between two releases, and what to do: by urgency, each feature once.

The chooser's page holds every line since the first release, each with the index of its release; it opens with the
`usual` pair, and assets/upgrade.js shows the lines of any other. The pages `since-….md` are the same list, cut here.
Both go by the same few rules: a line has an urgency of its own (`urgency`), a feature that is newer than the release
one comes from asks for nothing, and one that came and went in between least of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hooks import versions
from hooks.atlas import feature_pages, release_pages, text, tierline, timeline
from hooks.atlas.feature_pages import Pages
from hooks.atlas.model import Atlas, Change, Feature, Pitfall
from hooks.editions import Words
from hooks.errors import Refusal

INDEX = "upgrade/index.md"

GROUPS = ("must", "soon", "may", "past")
"""From what breaks to what need not concern anybody."""

REST = "rest"
"""On the chooser's page: the features to which nothing happened between the releases chosen."""

URGENT = {
    "removed": "must",
    "archived": "soon",
    "deprecated": "soon",
    "maintenance": "soon",
    "moved": "soon",
    "renamed": "soon",
    "default-changed": "soon",
    "default-removed": "soon",
    "introduced": "may",
    "extended": "may",
}
"""Event → group. The other events ask for nothing and are not listed, unless a tier comes with them."""

TORCHDATA = {"0.3": "1.11", "0.4": "1.12", "0.5": "1.13", "0.6": "2.0", "0.7": "2.1", "0.8": "2.4", "0.9": "2.5", "0.10": "2.6", "0.11": "2.6"}


@dataclass(frozen=True)
class Line:
    """What a release did to a feature, or a problem that users meet from it on.

    Attributes:
        release: The release.
        group: Its urgency for those who have the feature.
        told: The line of history or the problem.
        until: The last release with the problem, None where it is still there.
    """

    release: str
    group: str
    told: Change | Pitfall
    until: str | None = None


@dataclass(frozen=True)
class Entry:
    """A feature with its lines of a range, and the group it belongs to there."""

    feature: Feature
    lines: Sequence[Line]
    group: str


def torch(version: str) -> str:
    """The release of PyTorch that a version belongs to: `"torchvision 0.15"` → `"2.0"`, `"2.9.0"` → `"2.9"`.

    Raises:
        Refusal: A version of torchdata that is not in the table.
    """
    package, _, number = version.rpartition(" ")
    number = versions.minor(number)
    major, minor = versions.key(number)[:2]
    if package == "torchdata":
        if number not in TORCHDATA:
            raise Refusal("hooks/atlas/upgrade.py", None, f"no torch release is known for torchdata {number}", "Add it to TORCHDATA")
        return TORCHDATA[number]
    if package == "torchvision":
        return f"1.{minor - 1}" if minor < 15 else f"2.{minor - 15}"
    return f"1.{minor}" if package == "torchaudio" and major == 0 else number


def urgency(feature: Feature, change: Change) -> str | None:
    """The group of a line of history; None where it asks for nothing and offers nothing."""
    if change.event in URGENT and URGENT[change.event] != "may":
        return URGENT[change.event]
    if change.tier and change in (whole := tierline.whole(feature)):
        earlier = whole[: whole.index(change)]
        order = release_pages.TIER_ORDER
        return "soon" if earlier and order.index(change.tier) > order.index(earlier[-1].tier) else "may"
    return "may" if change.tier else URGENT.get(change.event)


def lines(atlas: Atlas, feature: Feature) -> list[Line]:
    """Everything about a feature that a change of releases may bring, the oldest first."""
    out = [Line(change.minor, group, change) for change in feature.history if change.minor in atlas.releases and (group := urgency(feature, change))]
    for pitfall in feature.pitfalls:
        if pitfall.upgrade and pitfall.since and (since := torch(pitfall.since)) in atlas.releases:
            out.append(Line(since, "soon", pitfall, torch(pitfall.until) if pitfall.until else None))
    return sorted(out, key=lambda line: versions.key(line.release))


def arrived(feature: Feature) -> str:
    """The release from which on there was something to use, or to wait for."""
    return timeline.introduced(feature) or feature.announced


def gone(atlas: Atlas, feature: Feature) -> str | None:
    """The release that ended a feature for good, if any did."""
    last = None
    for cell in reversed(timeline.cells(atlas, feature)):
        if not cell.ended:
            break
        last = cell.release
    return last


def entries(atlas: Atlas, start: str, end: str) -> list[Entry]:
    """The features that something happened to after `start`, up to and including `end`: by group, area and id."""
    found = []
    for feature in atlas.features.values():
        inside = [line for line in lines(atlas, feature) if shown(feature, line, start, end)]
        if inside:
            found.append(Entry(feature, inside, _group(atlas, feature, inside, start, end)))
    return _sorted(atlas, found)


def shown(feature: Feature, line: Line, start: str, end: str) -> bool:
    """Whether a line concerns those who go from `start` to `end`: a problem only where they have the feature already."""
    low, here, high = (versions.key(release) for release in (start, line.release, end))
    if isinstance(line.told, Pitfall) and (_new(feature, start) or (line.until and high > versions.key(line.until))):
        return False
    return low < here <= high


def _new(feature: Feature, start: str) -> bool:
    return versions.key(arrived(feature)) > versions.key(start)


def _group(atlas: Atlas, feature: Feature, inside: Sequence[Line], start: str, end: str) -> str:
    if not _new(feature, start):
        return min((line.group for line in inside), key=GROUPS.index)
    last = gone(atlas, feature)
    return "past" if last and versions.key(last) <= versions.key(end) else "may"


def _sorted(atlas: Atlas, found: list[Entry]) -> list[Entry]:
    return sorted(found, key=lambda entry: ((*GROUPS, REST).index(entry.group), _place(atlas, entry.feature)))


def _place(atlas: Atlas, feature: Feature) -> tuple[int, str]:
    return list(atlas.areas).index(feature.area), feature.id


def usual(atlas: Atlas) -> tuple[str, str]:
    """The pair to begin with: from the last release of the major version before, to the newest."""
    end = next(reversed(atlas.releases))
    return next(release for release in reversed(atlas.releases) if release.split(".")[0] != end.split(".")[0]), end


def paths(atlas: Atlas) -> dict[str, str]:
    """Path → first release of each static page; the index itself begins with the oldest release."""
    return {f"upgrade/since-{release}.md": release for release in list(atlas.releases)[1:-1]}


def page(pages: Pages, edition: str) -> str:
    """The page with the chooser."""
    atlas, say = pages.atlas, pages.say
    count, title = len(atlas.features), say("upgrade.title", edition)
    start, end = usual(atlas)
    static = [f"[{release}]({text.link(INDEX, path)})" for path, release in reversed(paths(atlas).items())]
    found = {entry.feature.id: entry for entry in entries(atlas, start, end)}
    everything = [Entry(feature, lines(atlas, feature), found[feature.id].group if feature.id in found else REST) for feature in atlas.features.values()]
    parts = [
        text.front_matter(title, say("upgrade.description", edition, count=count), hide="[toc]", assets="[filters, upgrade]"),
        f"# {title} {{#upgrade}}",
        say("upgrade.intro", edition, count=count, releases=text.link(INDEX, "releases/index.md")),
        "\n".join(_chooser(atlas, len(found), edition, say)),
        say("upgrade.static", edition, last=end, links=say("list.comma", edition).join(static)) + "\n{.up-static}",
        *_groups(pages, INDEX, _sorted(atlas, [entry for entry in everything if entry.lines]), (start, end), edition),
    ]
    return "\n\n".join(parts) + "\n"


def since(pages: Pages, path: str, edition: str) -> str:
    """The page of everything after one release, up to the newest."""
    atlas, say = pages.atlas, pages.say
    start, end = paths(atlas)[path], next(reversed(atlas.releases))
    found = entries(atlas, start, end)
    counts = {group: sum(entry.group == group for entry in found) for group in GROUPS}
    title = say("upgrade.since.title", edition, first=start, last=end)
    description = say("upgrade.since.description", edition, first=start, last=end, **counts)
    parts = [
        text.front_matter(title, description, hide="[toc]", assets="[upgrade]", search="{exclude: true}"),
        f"# {title} {{#since-{start.replace('.', '-')}}}",
        say("upgrade.since.intro", edition, link="index.md"),
        *_groups(pages, path, found, (start, end), edition),
    ]
    return "\n\n".join(parts) + "\n"


def _chooser(atlas: Atlas, count: int, edition: str, say: Words) -> Iterator[str]:
    """The form, hidden until the script shows it; the value of an option is what the address keeps."""
    releases = list(atlas.releases)
    yield f'<form class="up-form atlas-filters atlas-filters--boxed" aria-label="{say("upgrade.chooser", edition)}" hidden>'
    for name, choices, usually in zip(("from", "to"), (releases[:-1], releases[1:]), usual(atlas)):
        yield f'<label>{say(f"upgrade.{name}", edition)} <select name="{name}">'
        for release in reversed(choices):
            selected = " selected" if release == usually else ""
            yield f'<option value="{release}" data-r="{releases.index(release)}"{selected}>{release}</option>'
        yield "</select></label>"
    yield f'<p role="status" aria-live="polite" aria-atomic="true">{say("upgrade.count", edition, count=f"<b>{count}</b>")}</p>'
    yield "</form>"


def _groups(pages: Pages, here: str, found: Sequence[Entry], pair: tuple[str, str], edition: str) -> Iterator[str]:
    """The entries under a heading for each group; the chooser's page has every group, for its script to fill."""
    for group in (*GROUPS, REST):
        inside = [entry for entry in found if entry.group == group]
        if not inside and (here != INDEX or group == REST):
            continue
        hidden = " hidden" if not inside or group == REST else ""
        yield f'<section class="up-group" data-g="{group}"{hidden} markdown>'
        if group != REST:
            yield f"## {pages.say(f'upgrade.{group}', edition)} {{#{group} data-search-exclude}}"
            yield pages.say(f"upgrade.{group}.text", edition)
        for entry in inside:
            yield from _entry(pages, here, entry, pair, edition)
        yield "</section>"


def _entry(pages: Pages, here: str, entry: Entry, pair: tuple[str, str], edition: str) -> Iterator[str]:
    atlas, feature, say = pages.atlas, entry.feature, pages.say
    releases = list(atlas.releases)
    order = sorted(atlas.features, key=lambda id: _place(atlas, atlas.features[id])).index(feature.id)
    name = f"[{text.escaped(text.reading(feature.name, edition))}]({text.link(here, feature_pages.path(feature.id))})"
    data = f' data-order="{order}"' if here == INDEX else ""
    data += f' data-first="{releases.index(arrived(feature)) if arrived(feature) in releases else -1}"'
    if last := gone(atlas, feature):
        data += f' data-gone="{releases.index(last)}"'
    yield f'<div class="up-entry"{data} markdown>'
    yield f"### {name} {{#{feature.id} data-search-exclude}}"
    yield "\n".join(_line(pages, here, feature, line, pair, edition) for line in entry.lines)
    if here == INDEX or entry.group in ("must", "soon"):
        yield f"[[status:{feature.today.status}]] {text.reading(feature.today.note, edition)}\n{{.up-note}}"
    if feature.today.use:
        yield say("upgrade.use", edition, use=text.reading(feature.today.use, edition)) + "\n{.up-use}"
    yield "</div>"


def _line(pages: Pages, here: str, feature: Feature, line: Line, pair: tuple[str, str], edition: str) -> str:
    say, releases = pages.say, list(pages.atlas.releases)
    data = f'data-r="{releases.index(line.release)}" data-g="{line.group}"'
    if not shown(feature, line, *pair):
        data += ' hidden="hidden"'
    if isinstance(line.told, Pitfall):
        data += f' data-until="{releases.index(line.until) if line.until else len(releases)}"'
        name = next(name for pitfall, name in feature_pages.anchored(feature) if pitfall is line.told)
        words = say(
            "upgrade.pitfall",
            edition,
            release=line.release,
            symptom=_symptom(line.told, edition),
            remedy=text.reading(line.told.remedy, edition),
            link=f"{text.link(here, feature_pages.path(feature.id))}#{name}",
        )
    else:
        standing = release_pages.standing(line.told, edition, say)
        words = say("upgrade.line", edition, release=line.release, standing=standing, what=text.reading(line.told.what, edition))
    return f"- {' '.join(words.split())}\n{{: {data} }}"


def _symptom(pitfall: Pitfall, edition: str) -> str:
    """The message as code, or the words of the effect without their full stop."""
    if isinstance(pitfall.symptom, str):
        message = " ".join(pitfall.symptom.split())
        return f"`` {message} ``" if "`" in message else f"`{message}`"
    return text.reading(pitfall.symptom, edition).rstrip("。.")
