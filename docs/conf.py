"""The site: the essays, the notation, and what the installed packages say of themselves.

Sphinx, since it imports what it documents: the docstrings stand in compiled modules, which a reader of sources cannot
see. MyST reads the same Markdown that a repository's front page shows. Nothing is fetched.
"""
import re

from subwordio.commands import installed_version

project = "linmaxmatch and incbpe"
release = installed_version()
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = project
exclude_patterns = ["play"]
autodoc_default_options = {"members": True, "undoc-members": False}
autodoc_member_order = "groupwise"
autodoc_typehints = "none"
myst_heading_anchors = 3
myst_url_schemes = ("http", "https")
SPECIAL = re.compile(r"([\\|*_`])")
CODE = re.compile(r"(``.*?``|`[^`]*`)")
COLUMNS = re.compile(r"\S {3,}\S|^ ")


def plain(app: object, what: str, name: str, held: object, options: object, lines: list[str]) -> None:
    """Docstrings are plain text: paragraphs, tables by columns, and examples. None of it is markup."""
    paragraphs = re.split(r"\n{2,}", "\n".join(lines).strip("\n"))
    lines[:] = "\n\n".join(map(marked_up, paragraphs)).split("\n")


def marked_up(paragraph: str) -> str:
    lines = paragraph.split("\n")
    if lines[0].startswith(">>>"):
        return paragraph
    if any(map(COLUMNS.search, lines)):
        return "\n".join(["::", "", *(f"    {line}" for line in lines)])
    parts = CODE.split(paragraph)
    return "".join(f"``{part.strip('`')}``" if part.startswith("`") else SPECIAL.sub(r"\\\1", part) for part in parts)


def setup(app: object) -> None:
    app.connect("autodoc-process-docstring", plain)  # type: ignore[attr-defined]
