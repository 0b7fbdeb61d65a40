"""Rows of text under titles: aligned for a terminal, an HTML table for a notebook."""
from __future__ import annotations

from dataclasses import dataclass
from html import escape

__all__ = ["Shown", "StepTable"]

STYLE = "text-align:left;font-family:monospace;white-space:pre"


@dataclass(frozen=True, slots=True)
class StepTable:
    """What a trace shows: `title` above, `head` over `rows`, `result` below. The first column is one of numbers.

    An empty cell stands for the one above it.

    >>> print(StepTable("word ab", ("i", "move"), (("9", "edge"), ("10", "failure")), "result a ##b"))
    word ab
      i  move
      9  edge
     10  failure
    result a ##b
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    result: str

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        widths[-1] = 0                  # nothing stands behind it
        lines = (" " + "  ".join([row[0].rjust(widths[0]), *map(str.ljust, row[1:], widths[1:])])
                 for row in (self.head, *self.rows))
        return "\n".join([self.title, *lines, self.result])

    def _repr_html_(self) -> str:
        def line(cells: tuple[str, ...], tag: str) -> str:
            return "<tr>" + "".join(f'<{tag} style="{STYLE}">{escape(cell)}</{tag}>' for cell in cells) + "</tr>"

        return (f'<table><caption style="{STYLE}">{escape(self.title)}</caption>'
                f"<thead>{line(self.head, 'th')}</thead>"
                f"<tbody>{''.join(line(row, 'td') for row in self.rows)}</tbody>"
                f'<tfoot><tr><td colspan="{len(self.head)}" style="{STYLE}">{escape(self.result)}</td></tr></tfoot>'
                "</table>")


class Shown:
    """What is shown as its table, printed or in a notebook."""

    def table(self) -> StepTable:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()
