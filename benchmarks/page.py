"""The page of the results with its pictures, beside them, and the figures of docs/scale.md.

Of whatever JSON files are there; docs/scale.md only where the results lie in a clone.

    python -m benchmarks.page            makes them
    python -m benchmarks.page --check    fails where one is not what those files give
"""
import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import pictures, report, scale, tables

Json = dict[str, Any]


class Section(NamedTuple):
    """One file of results and what is shown of it."""

    title: str
    files: Sequence[str]                                # the first that is there
    tables: Sequence[Callable[[Json], str]] = ()
    pictures: Callable[[Json], dict[str, str]] | None = None


SECTIONS = (
    Section("WordPiece against its peers", ("wordpiece.json", "wordpiece-slice.json"), [tables.cells], pictures.texts),
    Section("Single words and texts", ("words.json",), [tables.table_three], pictures.words),
    Section("What the failure links buy", ("linear.json",), [tables.linear], pictures.rewind),
    Section("A second thread", ("threads.json",), [tables.threads]),
    Section("BPE against its peers", ("bpe.json", "bpe-slice.json"), [tables.cells], pictures.bpe_texts),
    Section("BPE: worst cases", ("bpe_linear.json",), [tables.bpe_linear, tables.first_calls], pictures.bpe_linear),
    Section("BPE in Rust", ("bpe_rust.json",), [tables.bpe_rust], pictures.bpe_rust),
    Section("Streams", ("stream.json",), [tables.streams, tables.feeds, tables.arrivals]),
    Section("Loading", ("load.json",), [tables.loading]),
)


def made(folder: Path) -> dict[str, str]:
    """Every file that the results give, by its name."""
    files: dict[str, str] = {}
    page = ["# Results", "", "Made by `python -m benchmarks.page` from the JSON files here: `../README.md` defines"
            " them.", ""]
    for section in SECTIONS:
        name = next((name for name in section.files if (folder / name).exists()), None)
        if name is None:
            continue
        content: Json = json.loads((folder / name).read_text(encoding="utf-8"))
        page += [f"## {section.title}", "", f"`{name}`: {tables.where(content)}", ""]
        for table in section.tables:
            if shown := table(content):
                page += [shown, ""]
        for picture, svg in (section.pictures(content) if section.pictures else {}).items():
            files[f"{picture}.svg"] = svg
            page += [f"![{section.title}]({picture}.svg)", ""]
    files["README.md"] = "\n".join(page)
    corpus, beside = folder / "corpus.json", Path("..", "..", "docs", "scale.md")
    if corpus.exists() and (folder / beside).exists():
        files[str(beside)] = scale.page(folder / beside, json.loads(corpus.read_text(encoding="utf-8")))
    return files


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is another")
    options = parser.parse_args(argv)
    stale = []
    for name, content in made(report.folder()).items():
        path = report.folder() / name
        if options.check and (not path.exists() or path.read_text(encoding="utf-8") != content):
            stale.append(name)
        elif not options.check:
            path.write_text(content, encoding="utf-8")
    if stale:
        raise SystemExit(f"not what the results give (python -m benchmarks.page): {', '.join(stale)}")


if __name__ == "__main__":
    main()
