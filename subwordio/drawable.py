"""What every structure that can be drawn has: `draw`, `to_dot`, and `_repr_svg_` for notebooks.

They are functions to be made methods. A structure is below what shows it, so it knows nothing of that: its package's
module `draw` registers with `picture`, and is imported when the first picture is asked for.
"""
from __future__ import annotations

from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subwordio.drawing import Drawing
    from subwordio.graph import Graph


@singledispatch
def picture(structure: Any, **options: Any) -> Graph:
    """The graph of a structure."""
    raise TypeError(f"a {type(structure).__name__} cannot be drawn")


def graph(structure: Any, **options: Any) -> Graph:
    import_module(f"{type(structure).__module__.partition('.')[0]}.draw")
    return picture(structure, **options)


def draw(self: Any, **options: Any) -> Drawing:
    """A picture of it, SVG: `.svg`, `.save(path)`, or as a notebook shows it. Above 60 nodes those nearest to the root.

    Options: `most`, how many nodes; further ones are those of the package's module `draw`.
    """
    from subwordio.drawing import Drawing

    return Drawing(graph(self, **options))


def to_dot(self: Any, **options: Any) -> str:
    """The same picture in Graphviz's language."""
    from subwordio.graph import to_dot as written

    return written(graph(self, **options))


def repr_svg(self: Any) -> str:
    """What a notebook shows."""
    return draw(self).svg
