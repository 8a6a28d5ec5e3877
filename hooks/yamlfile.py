"""YAML files that remember their lines, refuse duplicate keys and are held against a JSON Schema."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import referencing
import yaml

from hooks.errors import Refusal

SCHEMAS = Path("docs/data/schema")
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Loaded:
    """The data of one YAML file and the line on which each value begins."""

    path: Path
    data: Any
    lines: Mapping[tuple[str | int, ...], int]

    def line(self, *keys: str | int) -> int:
        """Line (from 1) of the value under `keys`, or of its nearest ancestor that stands in the file."""
        while keys and keys not in self.lines:
            keys = keys[:-1]
        return self.lines.get(keys, 1)

    def refusal(self, what: str, mend: str, *keys: str | int) -> Refusal:
        """A refusal that points at the value under `keys`."""
        return Refusal(self.path, self.line(*keys), what, mend)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A safe loader whose dates stay strings: a release date is text here, not an object.

    In C where PyYAML has it: the facts take ten times as long without.
    """


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def visible(base: Path, pattern: str) -> list[Path]:
    """What matches a pattern below a folder, sorted, but for hidden entries: editors and systems leave `.#x.md`, `._x.yml` and `.DS_Store`."""
    return [path for path in sorted(base.glob(pattern)) if not any(part.startswith(".") for part in path.relative_to(base).parts)]


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with LF line ends and without the byte-order mark that some editors put first.

    Raises:
        Refusal: The file does not exist or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise Refusal(path, None, "the file does not exist", "Create it, or mend the name that points at it") from None
    except UnicodeDecodeError as error:
        raise Refusal(path, None, f"not UTF-8 (byte {error.start})", "Save the file as UTF-8") from None


def load(path: str | Path, schema: str | None = None) -> Loaded:
    """Read a YAML file and, if a schema is named, check it.

    Args:
        path: The file.
        schema: Stem of a schema file, e.g. `terms` for `docs/data/schema/terms.schema.json`.

    Raises:
        Refusal: Not UTF-8, not YAML, a key given twice, or a breach of the schema; with the line.
    """
    path = Path(path)
    text = read_text(path)
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        lines: dict[tuple[str | int, ...], int] = {(): 1}
        if node is not None:
            _walk(path, node, (), lines)
        data = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error)
        raise Refusal(path, mark.line + 1 if mark else None, f"not YAML: {what}", "Mend the syntax") from None
    loaded = Loaded(path, data, lines)
    if schema is not None:
        _validate(loaded, schema)
    return loaded


def _walk(path: Path, node: yaml.Node, keys: tuple[str | int, ...], lines: dict) -> None:
    """Note the line of every value and refuse a key that stands twice in one mapping."""
    lines[keys] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise Refusal(path, key.start_mark.line + 1, "a key is no plain word", "Let a word stand before the colon")
            if key.value in seen:
                raise Refusal(path, key.start_mark.line + 1, f"the key `{key.value}` stands twice", "Keep one of them")
            seen.add(key.value)
            _walk(path, value, (*keys, key.value), lines)
            lines[(*keys, key.value)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(path, value, (*keys, index), lines)


@functools.lru_cache(maxsize=None)
def _validator(schema: str) -> jsonschema.Draft202012Validator:
    """The validator of a schema; schemas refer to each other by their `$id`."""
    files = {path.name: json.loads(read_text(path)) for path in (ROOT / SCHEMAS).glob("*.schema.json")}
    registry = referencing.Registry().with_resources(
        (data["$id"], referencing.Resource.from_contents(data)) for data in files.values() if "$id" in data
    )
    return jsonschema.Draft202012Validator(files[f"{schema}.schema.json"], registry=registry)


def _validate(loaded: Loaded, schema: str) -> None:
    error = jsonschema.exceptions.best_match(_validator(schema).iter_errors(loaded.data))
    if error is None:
        return
    keys = tuple(error.absolute_path)
    where = ".".join(map(str, keys)) or "the file"
    mend = f"See docs/data/schema/{schema}.schema.json"
    if error.validator == "additionalProperties":
        patterns = error.schema.get("patternProperties", {})
        unknown = sorted(
            key
            for key in set(error.instance) - set(error.schema.get("properties", {}))
            if not any(re.search(pattern, key) for pattern in patterns)
        )
        keys = (*keys, unknown[0])
        what = f"unknown key {', '.join(f'`{key}`' for key in unknown)}"
        mend = f"Known keys: {', '.join(error.schema.get('properties', {})) or 'see the schema'}"
    elif isinstance(error.instance, (int, float)) and any(
        each.validator == "type" and each.validator_value == "string" for each in (error, *(error.context or ()))
    ):
        # `release: 1.10` is the number 1.1 to YAML, and 1.1 is another release.
        what = f"`{where}` is read as the number {error.instance}"
        mend = f'Put it in quotes, e.g. "{error.instance}"; 1.10 without quotes is 1.1'
    elif error.validator == "required":
        what = f"`{where}` lacks a key: {error.message}"
    else:
        what = f"`{where}`: {error.message}"
    raise loaded.refusal(what, mend, *keys)
