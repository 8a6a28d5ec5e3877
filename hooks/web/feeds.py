"""An Atom feed of the releases for each edition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree as etree

ATOM = "http://www.w3.org/2005/Atom"
XML = "http://www.w3.org/XML/1998/namespace"


@dataclass(frozen=True)
class Entry:
    """An entry of a feed: title, one sentence, address below the site's root, and day of publication (ISO 8601)."""

    title: str
    summary: str
    address: str
    date: str


def atom(entries: Iterable[Entry], site: str, prefix: str, lang: str, title: str, subtitle: str) -> bytes:
    """The feed of one edition, newest entry first.

    Args:
        entries: Entries in any order.
        site: Address of the site, with a final slash.
        prefix: The edition's folder with a final slash; empty at the root.
        lang: Language of the edition (BCP 47).
        title: Name of the site.
        subtitle: What it is, in one sentence.
    """
    etree.register_namespace("", ATOM)
    newest = sorted(entries, key=lambda entry: entry.date, reverse=True)
    feed = etree.Element(f"{{{ATOM}}}feed", {f"{{{XML}}}lang": lang})
    home = f"{site}{prefix}"
    _text(feed, "id", f"{home}feed.xml")
    _text(feed, "title", title)
    _text(feed, "subtitle", subtitle)
    _text(feed, "updated", _instant(newest[0].date) if newest else _instant("1970-01-01"))
    author = etree.SubElement(feed, f"{{{ATOM}}}author")
    _text(author, "name", title)
    etree.SubElement(feed, f"{{{ATOM}}}link", {"rel": "self", "type": "application/atom+xml", "href": f"{home}feed.xml"})
    etree.SubElement(feed, f"{{{ATOM}}}link", {"rel": "alternate", "type": "text/html", "href": home})
    for entry in newest:
        element = etree.SubElement(feed, f"{{{ATOM}}}entry")
        _text(element, "id", f"{site}{entry.address}")
        _text(element, "title", entry.title)
        _text(element, "updated", _instant(entry.date))
        _text(element, "summary", entry.summary)
        etree.SubElement(element, f"{{{ATOM}}}link", {"rel": "alternate", "type": "text/html", "href": f"{site}{entry.address}"})
    etree.indent(feed)
    return etree.tostring(feed, encoding="utf-8", xml_declaration=True) + b"\n"


def _text(parent: etree.Element, name: str, value: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{name}").text = value


def _instant(day: str) -> str:
    return f"{day}T00:00:00Z"
