"""The facts as JSON, for programs: data/features.json, data/releases.json, data/terms.json and their schemas.

What is published is what the YAML files hold, held against the same schemas. Written out besides is what derives: the
Traditional readings, and whether a feature works today. `VERSIONS` are those of the shapes: a number before the point
changes when something is taken away or renamed, one after it when something joins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hooks import editions, yamlfile
from hooks.atlas import evidence
from hooks.atlas.evidence import Evidence
from hooks.atlas.model import DATA, Atlas, Feature

VERSIONS = {"features": "1.1", "releases": "1.0", "terms": "1.0"}
LICENCE = "MIT"
SCHEMAS = ("common", "feature", "releases", "terms", "published-features", "published-releases", "published-terms")


def files(atlas: Atlas) -> Iterator[tuple[str, str]]:
    """Every published file: path below the site's root and text."""
    known = evidence.read(atlas.root)
    table = yamlfile.load(atlas.root / DATA / "terms.yml", "terms").data
    contents: Mapping[str, Mapping[str, Any]] = {
        "features": {"features": {feature.id: _readable(feature.file.data) | {"status": status(atlas, known, feature)} for feature in atlas.features.values()}},
        "releases": {"releases": _readable(atlas.files["releases"].data)},
        # The everyday words of the table serve the conversion only.
        "terms": {"sources": table["sources"], "terms": table["terms"]},
    }
    for name, content in contents.items():
        head = {"$schema": f"schema/published-{name}.schema.json", "version": VERSIONS[name], "licence": LICENCE}
        yield f"data/{name}.json", _dump(head | dict(content))
    for name in SCHEMAS:
        yield f"data/schema/{name}.schema.json", (atlas.root / yamlfile.SCHEMAS / f"{name}.schema.json").read_text("utf-8")
    schema = json.loads((atlas.root / yamlfile.SCHEMAS / "feature.schema.json").read_text("utf-8"))
    yield "data/schema/published-feature.schema.json", _dump(_with_status(schema))


def status(atlas: Atlas, known: Evidence, feature: Feature) -> dict[str, Any]:
    """Whether a feature works today, on which release, and the runs that decided it."""
    verdict = known.verdict(feature)
    release = known.eras[-1].release if verdict.runs else next(reversed(atlas.releases))
    runs = [{"snippet": run.snippet, "torch": run.torch, "outcome": run.outcome} for run in verdict.runs]
    return {"value": verdict.status, "release": release, "runs": runs}


def _with_status(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a feature as it is published: no YAML file may hold `status`, which is derived."""
    status = {"$ref": "urn:pytorch-feature-atlas:schema:published-features#/$defs/status"}
    properties, required = schema["properties"] | {"status": status}, [*schema["required"], "status"]
    return {**schema, "$id": "urn:pytorch-feature-atlas:schema:published-feature", "required": required, "properties": properties}


def _readable(value: Any) -> Any:
    """The value with every text in three editions."""
    if isinstance(value, Mapping):
        if editions.CANONICAL in value and editions.ENGLISH in value:
            return {edition: editions.reading(value, edition) for edition in editions.EDITIONS}
        return {key: _readable(item) for key, item in value.items()}
    return [_readable(item) for item in value] if isinstance(value, list) else value


def _dump(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
