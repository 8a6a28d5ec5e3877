"""The one module that knows MkDocs: its events call the library, which knows nothing of MkDocs.

static-i18n builds the editions one after another: the outer build is zh-Hans, and inside its `post_build` event the
plugin builds zh-Hant and en with the same configuration. Everything here that happens once per site happens in the
outer build. The order of `post_build` is therefore: search and mkdocstrings (0), collect (-50), static-i18n with the
inner builds (-100), publish (-300).
"""

from __future__ import annotations

import atexit
import importlib
import json
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import CountHandler

ROOT = Path(__file__).resolve().parent.parent
LOG = get_plugin_logger("atlas")
NEEDED = {"opencc": "OpenCC", "jieba": "jieba"}


class Refused(Abort):
    """A refusal on its way to the command line: one line on standard error, status 1, no traceback."""

    def show(self, *args: Any, **kwargs: Any) -> None:
        click.echo(self.format_message(), err=True)


@dataclass
class Build:
    """The site being built; one at a time, kept between the rebuilds of `mkdocs serve`."""

    docs: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="feature-atlas-")))
    library: dict[str, int] = field(default_factory=dict)
    target: Path | None = None
    work: Path | None = None
    tree: Any = None
    words: Any = None
    nav: list[Any] = field(default_factory=list)
    entries: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    inventories: dict[str, bytes] = field(default_factory=dict)

    def discard(self) -> None:
        """Remove what an unfinished build wrote."""
        if self.work is not None:
            shutil.rmtree(self.work, ignore_errors=True)
            self.work = None


BUILD = Build()
atexit.register(lambda: (BUILD.discard(), shutil.rmtree(BUILD.docs, ignore_errors=True)))


@dataclass(frozen=True)
class Edition:
    """What templates may ask about an edition."""

    lang: str
    name: str
    path: str

    def word(self, key: str) -> str:
        """An interface string in this edition's language."""
        return BUILD.words(key, self.lang)


@contextmanager
def _refusals() -> Iterator[None]:
    from hooks.errors import Refusal

    try:
        yield
    except Refusal as refusal:
        raise Refused(str(refusal)) from None


def _renew_library() -> None:
    """Import the library afresh when its code or data has changed, for it keeps what it has read and converted.

    Otherwise `mkdocs serve` would go on with the old term table. Of this module MkDocs itself keeps the first version.
    """
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))  # MkDocs runs from its console script, with that script's folder on the path
    read = [*(ROOT / "hooks").rglob("*.py"), *(path for path in (ROOT / "docs/data").rglob("*") if path.is_file())]
    library = {str(path): path.stat().st_mtime_ns for path in read}
    if library != BUILD.library:
        for name in [name for name in sys.modules if name == "hooks" or name.startswith("hooks.")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        BUILD.library = library


def _need_packages() -> None:
    """Refuse to build without the packages that MkDocs and Material would silently do without."""
    from hooks.errors import Refusal

    for module, package in NEEDED.items():
        try:
            importlib.import_module(module)
        except ImportError:
            lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").lower().split("\n")
            line = next((number for number, text in enumerate(lines, 1) if text.startswith(package.lower())), None)
            raise Refusal("requirements.txt", line, f"{package} is not installed", "Run pip install -r requirements.txt") from None
    from hooks import hant

    hant.convert("")  # refuses another version, before a seed is read with it


def on_startup(*, command: str, dirty: bool) -> None:
    if dirty:
        raise Refused("--dirty builds pages without their neighbours and leaves half a site. Build without it.")
    if command == "serve":
        sys.dont_write_bytecode = True  # else importing hooks/ changes the watched folder: an endless loop of reloads


@event_priority(50)  # before static-i18n (-100), which lays the language's own settings over these
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    plugin = config.plugins["i18n"]
    if not plugin.building:
        _renew_library()
        with _refusals():
            _begin(config)
    with _refusals():
        _speak(config, plugin.current_language or plugin.default_language)
    return config


def _begin(config: MkDocsConfig) -> None:
    """Expand the sources and turn MkDocs towards the result and a folder beside the site."""
    _need_packages()
    from hooks import editions, tree
    from hooks.atlas import site
    from hooks.errors import Refusal
    from hooks.web import address, publish, search

    if any(feature.startswith("navigation.instant") for feature in config.theme["features"]):
        raise Refusal("mkdocs.yml", None, "navigation.instant breaks the language switch", "Remove the feature")
    BUILD.discard()
    BUILD.entries, BUILD.inventories = {}, {}
    BUILD.tree, BUILD.words, BUILD.nav = tree.expand(ROOT), editions.words(ROOT), config.nav
    for refusal in site.unrun(ROOT):
        LOG.warning(refusal)  # a writer sees the page at once; a strict build publishes nothing
    publish.stage(BUILD.docs, {path: file.content for path, file in BUILD.tree.pages.items()})
    url, repository = address.addresses(os.environ, address.remote(ROOT, config.remote_name))
    config.site_url = config.site_url or url
    config.repo_url = config.repo_url or repository
    config.repo_name = config.repo_name or (repository and repository.split("/", 3)[-1])
    config.docs_dir = str(BUILD.docs)
    BUILD.target = Path(config.site_dir).resolve()
    BUILD.work = publish.sibling(BUILD.target)
    config.site_dir = str(BUILD.work)
    search.teach_traditional()


def _speak(config: MkDocsConfig, lang: str) -> None:
    """Set everything that has words in it to the language of the edition that is built next."""
    from hooks import editions
    from hooks.atlas import site
    from hooks.web import navigation

    def word(key: str) -> str:
        return BUILD.words(key, lang)

    language = config.plugins["i18n"].get_language_config(lang)
    language.site_name, language.site_description = word("site.name"), word("site.description")
    config.theme["language"] = lang
    areas = [(editions.reading(name, lang), pages) for name, pages in site.sections(ROOT)]
    config.nav = navigation.navigation(BUILD.nav, _paths(lang), lambda key: word(f"nav.{key}"), {"features/*.md": areas})
    for option, key in zip(config.theme["palette"], ("auto", "light", "dark"), strict=True):
        option["toggle"]["name"] = word(f"palette.{key}")
    config.mdx_configs.setdefault("toc", {})["permalink_title"] = word("site.permalink")
    config.mdx_configs.setdefault("footnotes", {})["BACKLINK_TITLE"] = word("site.backlink")


def _paths(lang: str) -> list[str]:
    """Paths of the pages within an edition."""
    return [path.removeprefix(f"{lang}/") for path in BUILD.tree.pages if path.startswith(f"{lang}/") and path.endswith(".md")]


def _around(config: MkDocsConfig, path: str | None = None) -> dict[str, Any]:
    """What templates know of the editions; `path` is a page's path within its edition, None for a template without page."""
    from hooks import editions

    plugin = config.plugins["i18n"]

    def places(path: str) -> list[Edition]:
        return [Edition(lang.locale, lang.name, editions.address(f"{lang.locale}/{path}")) for lang in plugin.config.languages]

    lang = plugin.current_language
    return {
        "lang": lang,
        "prefix": _prefix(config),
        "name": plugin.current_language_config.name,
        "home": path in ("index.md", None),
        "editions": places(path or "index.md"),
        "sources": editions.address(f"{lang}/sources.md"),
        "sitemap": lambda: [places(page) for page in _paths(editions.CANONICAL)],
        "word": lambda key: BUILD.words(key, lang),
    }


def on_page_context(context: dict[str, Any], *, page: Page, config: MkDocsConfig, nav: Navigation) -> dict[str, Any]:
    from hooks.web import metadata

    path, lang = page.file.norm_src_uri, config.plugins["i18n"].current_language
    context["atlas"] = _around(config, path)
    home = f"{config.site_url}{_prefix(config)}"
    context["atlas"]["linked"] = metadata.linked(path, page.meta, lang, page.canonical_url, home, config.site_name)
    if context["atlas"]["home"]:
        page.meta.setdefault("hide", ["navigation"])  # the home page is alone in its tab
    origin = BUILD.tree.pages[page.file.src_uri].origin
    page.edit_url = f"{config.repo_url}/edit/{config.extra['branch']}/{origin}" if config.repo_url else None
    return context


def on_template_context(context: dict[str, Any], *, template_name: str, config: MkDocsConfig) -> dict[str, Any]:
    context["atlas"] = _around(config)
    return context


def _prefix(config: MkDocsConfig) -> str:
    from hooks import editions

    return editions.address(f"{config.plugins['i18n'].current_language}/index.md")


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    from hooks.web import search

    return search.point(output, _prefix(config))


def on_post_template(output: str, *, template_name: str, config: MkDocsConfig) -> str:
    from hooks.web import search

    if template_name == "404.html":
        return "" if config.plugins["i18n"].building else search.point(output, "")  # the canonical edition's stays
    return output


@event_priority(-50)
def _collect(*, config: MkDocsConfig) -> None:
    """Keep what the next language's build would overwrite: MkDocs knows one index and one inventory per site."""
    from mkdocstrings import Inventory

    prefix = _prefix(config)
    BUILD.entries[prefix] = list(config.plugins["material/search"].search_index.entries)  # static-i18n refills the last list
    written = Path(config.site_dir) / "objects.inv"
    if written.exists():
        inventory = Inventory.parse_sphinx(written.open("rb"))
        for item in inventory.values():
            item.uri = item.uri.removeprefix(prefix)
        inventory.project = BUILD.words("site.name", config.plugins["i18n"].current_language)
        BUILD.inventories[prefix] = inventory.format_sphinx()
        written.unlink()


@event_priority(-300)
def _publish(*, config: MkDocsConfig) -> None:
    """Complete the site and put it in its place, unless strict mode is about to abort."""
    from hooks import editions, hant
    from hooks.web import publish, search, syndication

    if config.plugins["i18n"].building:
        return
    site = Path(config.site_dir)
    settings = json.loads(json.dumps({key: config.plugins["material/search"].config[key] for key in ("lang", "separator", "pipeline", "fields")}))
    simplified, traditional, english = (editions.address(f"{lang}/index.md") for lang in editions.EDITIONS)
    to_simplified, to_traditional = search.variants(search.words(BUILD.entries[simplified]), search.words(BUILD.entries[traditional]), hant.convert)
    files = dict(syndication.files(ROOT, BUILD.tree, BUILD.words, config.site_url))
    files |= {f"{prefix}objects.inv": data for prefix, data in BUILD.inventories.items()}
    for prefix, variants in ((simplified, to_simplified), (traditional, to_traditional), (english, {})):
        files[f"{prefix}search/search_index.json"] = search.index(settings, BUILD.entries[prefix], prefix, variants)
    for name, data in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(data)
    counters = [handler for handler in logging.getLogger("mkdocs").handlers if isinstance(handler, CountHandler)]
    if any(counter.get_counts() for counter in counters):
        return
    publish.replace(BUILD.target, site)
    config.site_dir, BUILD.work = str(BUILD.target), None


on_post_build = CombinedEvent(_collect, _publish)


def on_build_error(*, error: Exception) -> None:
    BUILD.discard()


def on_serve(server: LiveReloadServer, *, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
    """Watch the sources (`watch` in mkdocs.yml), not the folder that every build writes into."""
    server.unwatch(str(BUILD.docs))
    return server
