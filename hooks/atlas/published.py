"""The facts as JSON, for programs: data/features.json, data/releases.json, data/terms.json and their schemas.

What is published is what the YAML files hold, held against the same schemas; only the Traditional readings, which
derive from the Simplified ones, are written out. `VERSION` is that of the shape: a number before the point changes
when something is taken away or renamed, one after it when something joins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hooks import editions, yamlfile
from hooks.atlas.model import DATA, Atlas

VERSION = "1.0"
LICENCE = "MIT"
SCHEMAS = ("common", "feature", "releases", "terms", "published-features", "published-releases", "published-terms")


def files(atlas: Atlas) -> Iterator[tuple[str, str]]:
    """Every published file: path below the site's root and text."""
    table = yamlfile.load(atlas.root / DATA / "terms.yml", "terms").data
    contents: Mapping[str, Mapping[str, Any]] = {
        "features": {"features": {feature.id: _readable(feature.file.data) for feature in atlas.features.values()}},
        "releases": {"releases": _readable(atlas.files["releases"].data)},
        # The everyday words of the table serve the conversion only.
        "terms": {"sources": table["sources"], "terms": table["terms"]},
    }
    for name, content in contents.items():
        head = {"$schema": f"schema/published-{name}.schema.json", "version": VERSION, "licence": LICENCE}
        yield f"data/{name}.json", _dump(head | dict(content))
    for name in SCHEMAS:
        yield f"data/schema/{name}.schema.json", (atlas.root / yamlfile.SCHEMAS / f"{name}.schema.json").read_text("utf-8")


def _readable(value: Any) -> Any:
    """The value with every text in three editions."""
    if isinstance(value, Mapping):
        if editions.CANONICAL in value and editions.ENGLISH in value:
            return {edition: editions.reading(value, edition) for edition in editions.EDITIONS}
        return {key: _readable(item) for key, item in value.items()}
    return [_readable(item) for item in value] if isinstance(value, list) else value


def _dump(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
