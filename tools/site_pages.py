# SPDX-License-Identifier: Apache-2.0
"""Pages of the site that are generated when it is built: a hook of MkDocs.

The documents of the root, charts and Verilog on the page of each cipher, and the references of
options, commands, vectors and Python. Links that lead out of the site become text.
"""

from __future__ import annotations

import argparse
import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cipher_page import FIGURES, measured, sentence

import headwater as hw
from headwater.cli.examples import EXAMPLE
from headwater.cli.parser import build_parser
from headwater.report.charts.colours import palette
from headwater.report.charts.overview import area_throughput, energy_radix
from headwater.report.charts.parts import Chart
from headwater.report.figures import svg
from headwater.report.points import CELLS, FPGA, points_of

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).parents[1]
FROM_ROOT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "SECURITY.md": "SECURITY.md",
    "ARTIFACT.md": "ARTIFACT.md",
}
"""Documents of the root, and their names in the site."""

_SHORT = 400
"""Lines of Verilog that a page shows whole."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, each in place of the document of its name, if there is one."""
    from mkdocs.structure.files import File

    for name, content in pages().items():
        old = files.get_file_from_path(name)
        if old is not None:
            files.remove(old)
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: object, **_: object) -> str:
    """Make links to documents of the root, and out of the site, work in the site."""
    place = page.file.src_uri
    if place in FROM_ROOT.values():
        return markdown  # It was made with its links.
    return with_links(markdown, f"docs/{place}", place)


def pages() -> dict[str, str]:
    """The generated pages and pictures by name."""
    made = {
        site: with_links((ROOT / name).read_text(), name, site) for name, site in FROM_ROOT.items()
    }
    made |= {
        "reference/options.md": options(),
        "reference/commands.md": commands(),
        "reference/python.md": python(),
        "reference/vectors.md": vectors(),
    }
    for cipher in hw.ciphers():
        charts = cipher_charts(cipher.name)
        made[f"ciphers/{cipher.name}.md"] = cipher_page(cipher, charts)
        for chart in charts:
            made[f"ciphers/{cipher.name}-{chart.name}.svg"] = svg(chart).decode()
    return made


def with_links(text: str, document: str, site: str) -> str:
    """A document of the repository as a page of the site."""

    def link(found: re.Match[str]) -> str:
        image, words, target, anchor = found.groups(default="")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
        if path.startswith("docs/"):
            path = path.removeprefix("docs/")
        elif path in FROM_ROOT:
            path = FROM_ROOT[path]
        else:
            return words
        relative = posixpath.relpath(path, posixpath.dirname(site) or ".")
        return f"{image}[{words}]({relative}{anchor})"

    return _LINK.sub(link, text)


def cipher_page(cipher: hw.Cipher, charts: Iterable[Chart]) -> str:
    """The document with charts above its figures, and with Verilog."""
    written = (ROOT / "docs" / "ciphers" / f"{cipher.name}.md").read_text()
    shown = "".join(f"\n![{chart.title}]({cipher.name}-{chart.name}.svg)\n" for chart in charts)
    core = cipher.core()
    lines = core.verilog().splitlines()
    heading = f"## Verilog at radix {core.architecture.radix}"
    if len(lines) > _SHORT:
        heading += f"\n\nIts ports; it has {len(lines)} lines."
        lines = lines[: lines.index(");") + 1]
    verilog = "\n".join(lines)
    with_charts = written.replace(FIGURES, f"{FIGURES}\n{shown}")
    return f"{with_charts}\n{heading}\n\n```verilog\n{verilog}\n```\n"


def cipher_charts(name: str) -> list[Chart]:
    """The charts of a cipher's figures; none of a single point."""
    points, look = points_of(measured(name)), palette([name])
    made = [
        area_throughput(points, FPGA, look),
        area_throughput(points, CELLS, look),
        energy_radix(points, look),
    ]
    return [chart for chart in made if len(chart.rows) > 1]


def options() -> str:
    """Every option of any cipher."""
    lines = ["# Options\n\nWhat can be chosen of a core, with `--option NAME=VALUE`."]
    found: dict[tuple[str, str, str], list[str]] = {}
    known = {}
    for cipher in hw.ciphers():
        for option in cipher.description.choices:
            key = (option.name, option.meaning, option.advice)
            known[key] = option
            found.setdefault(key, []).append(cipher.name)
    for key in sorted(found):
        option = known[key]
        values = ", ".join(f"`{value}`" for value in option.values)
        ciphers = ", ".join(f"[{name}](../ciphers/{name}.md)" for name in found[key])
        lines.append(
            f"## `{option.name}`\n\nValues: {values}. {sentence(option.meaning)}\n\n"
            f"{option.advice}\n\nOf: {ciphers}."
        )
    return "\n\n".join(lines) + "\n"


def commands() -> str:
    """Every verb with its arguments, as the parser knows them."""
    return "# Commands\n\n" + "\n".join(_verbs(build_parser(), 2))


def _verbs(parser: argparse.ArgumentParser, level: int) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield f"{'#' * level} {verb.prog}\n"
                yield f"{sentence(verb.description or '')}\n\n```text\n{verb.format_usage()}```\n"
                yield from _arguments(verb)
                example = (verb.epilog or "").removeprefix(f"{EXAMPLE} ")
                yield f"\n```console\n$ {example}\n```\n"
                yield from _verbs(verb, level + 1)


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    plain = [
        action
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and action.dest != "help"
    ]
    if plain:
        yield "| argument | meaning |\n|---|---|"
    for action in plain:
        name = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        meaning = (action.help or "").replace("|", "\\|").replace("%%", "%")
        yield f"| `{name}` | {meaning} |".replace("`|`", "`\\|`")


def python() -> str:
    """The Python interface, which mkdocstrings reads from the code."""
    names = [
        f"::: headwater.{place}.{name}\n    options:\n      heading: hw.{name}"
        for name, place in hw.PLACES.items()
    ]
    return "# Python\n\n`import headwater as hw` offers:\n\n" + "\n\n".join(names) + "\n"


def vectors() -> str:
    """The format of vector files: that part of the page about descriptions."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (part,) = re.findall(r"^## Vectors\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
    return with_links(f"# Vector files\n{part}", "CONTRIBUTING.md", "reference/vectors.md")
