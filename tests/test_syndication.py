"""What programs read: twins, llms.txt, feeds and published data."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree as etree

import jsonschema
import pytest
import referencing

from hooks import editions, tree
from hooks.atlas import published
from hooks.web import syndication

ROOT = Path(__file__).parent.parent
SITE = "https://example.org/repo/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def expanded():
    return tree.expand(ROOT)


@pytest.fixture(scope="module")
def files(expanded):
    return dict(syndication.files(ROOT, expanded, editions.words(ROOT), SITE))


def test_every_page_has_a_twin_without_anything_left_to_resolve(expanded, files):
    pages = [path for path in expanded.pages if path.endswith(".md")]
    assert len(pages) > 300
    for path in pages:
        text = files[path.removeprefix("zh-Hans/")].decode()
        assert "--8<--" not in re.sub(r"`[^`]*`", "", text) and "-{" not in re.sub(r"`[^`]*`", "", text), path


def test_links_of_a_twin_lead_to_twins(files):
    for path in ("features/amp.md", "zh-Hant/releases/1.10.md", "en/tiers.md"):
        text = re.sub(r"```.*?```", "", files[path].decode(), flags=re.S)
        links = [link for link in re.findall(r"\]\(<?([^)\s>#:]+\.md)", text)]
        assert links
        for link in links:
            parts: list[str] = []
            for part in (PurePosixPath(path).parent / link).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            assert "/".join(parts) in files, (path, link)


@pytest.mark.parametrize(("prefix", "word"), [("", "自动混合精度"), ("zh-Hant/", "自動混合精度"), ("en/", "mixed precision")])
def test_llms_txt_lists_the_pages_of_its_edition_only(files, prefix, word):
    text = files[f"{prefix}llms.txt"].decode()
    assert word in text and text.startswith("# PyTorch")
    links = re.findall(r"\]\(https://example\.org/repo/([^)]+)\)", text)
    assert len(links) == len(set(links)) > 100
    assert all(link in files for link in links)
    assert all(link.startswith(prefix) for link in links)
    if not prefix:
        assert not any(link.startswith(("en/", "zh-Hant/")) for link in links)
    assert text.index("1.6.md") < text.index("1.10.md")


@pytest.mark.parametrize(("prefix", "lang"), [("", "zh-Hans"), ("zh-Hant/", "zh-Hant"), ("en/", "en")])
def test_the_feed_is_sound_and_newest_first(files, prefix, lang):
    feed = etree.fromstring(files[f"{prefix}feed.xml"])
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == lang
    assert feed.find(f"{ATOM}id").text == f"{SITE}{prefix}feed.xml"
    days = [entry.find(f"{ATOM}updated").text for entry in feed.findall(f"{ATOM}entry")]
    assert days == sorted(days, reverse=True) and feed.find(f"{ATOM}updated").text == days[0]
    addresses = [entry.find(f"{ATOM}link").get("href") for entry in feed.findall(f"{ATOM}entry")]
    assert f"{SITE}{prefix}releases/1.10/" in addresses and len(set(addresses)) == len(addresses)


def test_the_published_data_keeps_its_published_schema(expanded):
    names = ("features", "releases", "terms")
    read = {path: json.loads(file.content) for path, file in expanded.pages.items() if path.startswith("data/") and path.endswith(".json")}
    schemas = {path: data for path, data in read.items() if path.startswith("data/schema/")}
    assert all(data["$id"].startswith("urn:pytorch-feature-atlas:schema:") for data in schemas.values())
    registry = referencing.Registry().with_resources((d["$id"], referencing.Resource.from_contents(d)) for d in schemas.values())
    for name in names:
        data = read[f"data/{name}.json"]
        schema = schemas[f"data/{data['$schema']}"]
        jsonschema.Draft202012Validator(schema, registry=registry).validate(data)
        broken = {**data, "unknown": 1}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema, registry=registry).validate(broken)
    assert len(read["data/features.json"]["features"]) == 71
    assert read["data/features.json"]["features"]["amp"]["name"]["zh-Hant"].startswith("自動混合精度")
    assert all(read[f"data/{name}.json"]["version"] == published.VERSIONS[name] for name in names)


def test_the_published_status_is_that_of_the_page_and_names_what_decided_it(expanded):
    features = json.loads(expanded.pages["data/features.json"].content)["features"]
    say = editions.words(ROOT)
    for name, feature in features.items():
        card = expanded.pages[f"en/features/{name}.md"].content.split('<div class="feature-card"')[1].split("</div>")[0]
        assert f"[{say('today.' + feature['status']['value'], 'en')}](" in card, name
    assert features["amp"]["status"]["runs"] == [{"snippet": "amp-historical", "torch": "2.13.0", "outcome": "ok with warning"}]
