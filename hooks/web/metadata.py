"""What a page says of itself to machines: schema.org as JSON-LD, in the page's own language."""

from __future__ import annotations

import json
from collections.abc import Mapping


def linked(path: str, front: Mapping[str, str], lang: str, address: str, home: str, site_name: str) -> str:
    """The JSON-LD of a page.

    Args:
        path: The page's path within its edition: features are defined terms, release pages technical articles.
        front: Its front matter: `title` and `description`.
        lang: Language of the edition (BCP 47).
        address: Full address of the page.
        home: Full address of the edition's home page.
        site_name: Name of the site in this language.

    Returns:
        JSON that can stand inside a `script` element.
    """
    folder, _, name = path.rpartition("/")
    site = {"@type": "WebSite", "name": site_name, "url": home, "inLanguage": lang}
    about = {"@context": "https://schema.org", "inLanguage": lang, "url": address, "description": front.get("description", "")}
    if folder == "features" and name != "index.md":
        terms = {"@type": "DefinedTermSet", "name": site_name, "url": f"{home}features/", "inLanguage": lang}
        about |= {"@type": "DefinedTerm", "name": front["title"], "termCode": name.removesuffix(".md"), "inDefinedTermSet": terms}
    elif folder == "releases" and name != "index.md":
        about |= {"@type": "TechArticle", "headline": front["title"], "isPartOf": site}
    elif path == "glossary.md":
        about |= {"@type": "DefinedTermSet", "name": front["title"], "isPartOf": site}
    elif path == "index.md":
        about |= site
    else:
        about |= {"@type": "WebPage", "name": front["title"], "isPartOf": site}
    # `<` would end the script element or open a comment in it.
    return json.dumps(about, ensure_ascii=False).replace("<", "\\u003c")
