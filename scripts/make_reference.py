"""Write the reference in docs/reference.md from what is installed: signatures of the stubs, and the docstrings.

    python scripts/make_reference.py [--check]

Every name that a package offers is there once. With --check nothing is written, and the exit code is 1 if the page is
not what would be.
"""
import argparse
import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
BEGIN, END = "<!-- reference:begin -->", "<!-- reference:end -->"
WIDTH = 118

# What stands first, by module. What else the packages offer follows, a section for each.
SECTIONS = {
    "The tokenizers": ["linmaxmatch.wordpiece.WordPiece", "incbpe.bytepair.BPE"],
    "What they give": ["subwordio.ids.TokenIds", "subwordio.lists.TokenLists", "subwordio.encoding.Encoding",
                       "subwordio.padding.Padded", "subwordio.matrix.Matrix"],
    "What they take": ["subwordio.texts.Texts", "subwordio.padding.Truncation", "subwordio.padding.Padding",
                       "subwordio.template.Template", "subwordio.added.AddedToken", "incbpe.model.Config",
                       "incbpe.model.Model"],
    "Streams and prefixes of texts": ["incbpe.stream.Stream", "incbpe.streamdecoder.StreamDecoder",
                                      "incbpe.textprefixes.TextPrefixes"],
}
PACKAGES = {"linmaxmatch": "linmaxmatch: the paper's notation", "incbpe": "incbpe: the paper's notation",
            "subwordio": "Errors"}

CODE = re.compile(r"(``.*?``|`[^`]*`)", re.DOTALL)
COLUMNS = re.compile(r"\S {3,}\S|^ ")
SPECIAL = re.compile(r"(\\|\*|<|(?<!\w)_|_(?!\w)|^#)", re.MULTILINE)


class Source:
    """The stub of a module, or its source where it has none: what its names are declared as."""

    def __init__(self, module: str) -> None:
        self.module = importlib.import_module(module)
        folder, name = Path(str(self.module.__file__)).parent, module.rpartition(".")[2]
        path = folder / f"{name}.pyi"
        self.tree = ast.parse((path if path.exists() else folder / f"{name}.py").read_text(encoding="utf-8"))
        self.aliases = {target.id: node.value for node in self.tree.body if isinstance(node, ast.Assign)
                        for target in node.targets if isinstance(target, ast.Name) and target.id.startswith("_")}

    def named(self, name: str, body: list[ast.stmt] | None = None) -> list[ast.stmt]:
        """The declarations of a name; several are overloads."""
        return [node for node in (self.tree.body if body is None else body)
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name]

    def spelt(self, node: ast.AST | None) -> str:
        """An annotation or a default, with the module's own abbreviations spelt out."""
        aliases = self.aliases

        class Spell(ast.NodeTransformer):
            def visit_Name(self, name: ast.Name) -> ast.expr:
                return self.visit(aliases[name.id]) if name.id in aliases else name

        return "" if node is None else ast.unparse(Spell().visit(ast.parse(ast.unparse(node), mode="eval")))

    def signature(self, node: ast.FunctionDef, name: str) -> str:
        """A call as it may be written, on lines of at most WIDTH characters."""
        decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
        result = self.spelt(node.returns)
        if "property" in decorators:
            return f"{name}: {result}"
        arguments = node.args
        bound = "." in name and "staticmethod" not in decorators        # the first is self or cls
        kept = [*arguments.posonlyargs, *arguments.args][bound:]
        defaults = [None] * (len(kept) - len(arguments.defaults)) + [*arguments.defaults]
        parts = [self.argument(argument, default) for argument, default in zip(kept, defaults, strict=True)]
        if arguments.vararg:
            parts.append("*" + self.argument(arguments.vararg, None))
        elif arguments.kwonlyargs:
            parts.append("*")
        parts += map(self.argument, arguments.kwonlyargs, arguments.kw_defaults)
        if arguments.kwarg:
            parts.append("**" + self.argument(arguments.kwarg, None))
        if node.name in ("__new__", "__init__"):
            name, result = name.rpartition(".")[0], ""
        lines = [f"{name}("]
        for i, part in enumerate(parts):        # a line ends behind a comma
            more = part + (", " if i + 1 < len(parts) else f") -> {result}" if result else ")")
            if len(lines[-1]) + len(more.rstrip()) > WIDTH:
                lines[-1] = lines[-1].rstrip()
                lines.append("    ")
            lines[-1] += more
        return "\n".join(lines) if parts else f"{name}()" + (f" -> {result}" if result else "")

    def argument(self, argument: ast.arg, default: ast.expr | None) -> str:
        kind = self.spelt(argument.annotation)
        shown = argument.arg + (f": {kind}" if kind else "")
        return shown + (f"{' = ' if kind else '='}{self.spelt(default)}" if default is not None else "")


def described(name: str, held: object) -> str:
    """A docstring as Markdown: it is plain text, with tables by columns, and examples."""
    text = inspect.getdoc(held) or ""
    if re.match(rf"{name}[(:]", text):          # Cython puts the signature first
        text = text.partition("\n")[2].lstrip("\n")
    return "\n\n".join(map(marked_up, re.split(r"\n{2,}", text.strip("\n")))) if text else ""


def marked_up(paragraph: str) -> str:
    lines = paragraph.split("\n")
    if lines[0].startswith(">>>"):
        return f"```pycon\n{paragraph}\n```"
    if len(lines) == 1:                         # the paper's item stands at its end
        paragraph = re.sub(" {2,}", " ", paragraph)
    elif any(map(COLUMNS.search, lines)):
        return f"```text\n{paragraph}\n```"
    return "".join(part if part.startswith("`") else SPECIAL.sub(r"\\\1", part) for part in CODE.split(paragraph))


def fenced(lines: list[str]) -> str:
    return "\n".join(["```python", *lines, "```"])


def entry(module: str, name: str, names: list[str]) -> Iterator[str]:
    """What is said of one name, which `names` are all for: heading, signatures, docstring, and a class's members."""
    source = Source(module)
    held = getattr(source.module, name)
    nodes = source.named(name)
    yield f"### {', '.join(names)}"
    if not nodes:                               # a constant, or another name of a function
        yield f"`{module}.{name}` is `{held!r}`."
        return
    yield f"`from {importable(module, name)} import {', '.join(names)}`"
    node = nodes[0]
    if isinstance(node, ast.FunctionDef):
        yield fenced([source.signature(each, name) for each in nodes if isinstance(each, ast.FunctionDef)])
        yield described(name, held)
        return
    assert isinstance(node, ast.ClassDef)
    makers = [each for maker in ("__new__", "__init__") for each in source.named(maker, node.body)]
    if "(" not in (inspect.getdoc(held) or "").partition("``")[2].partition("``")[0]:       # it does not say it itself
        for each in makers:
            assert isinstance(each, ast.FunctionDef)
            yield fenced([source.signature(each, f"{name}.{each.name}")])
    yield described(name, held)
    fields = list(attributes(source, node, held))
    if fields:
        yield fenced(fields)
    functions = [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
    for member in dict.fromkeys(each for each in functions if not each.startswith("_")):
        overloads = [each for each in source.named(member, node.body) if isinstance(each, ast.FunctionDef)]
        text = described(member, member_of(held, member))
        if not text:
            continue
        yield f"#### {name}.{member}"
        yield fenced([source.signature(each, f"{name}.{member}") for each in overloads])
        yield text


def attributes(source: Source, node: ast.ClassDef, held: object) -> Iterator[str]:
    """The fields of a class and those of its members that say it all by their names, a line each."""
    for i, each in enumerate(node.body):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not each.target.id.startswith("_"):
            default = f" = {source.spelt(each.value)}" if each.value is not None else ""
            yield f"{each.target.id}: {source.spelt(each.annotation)}{default}"
            after = node.body[i + 1] if i + 1 < len(node.body) else None
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                yield from textwrap.wrap(" ".join(str(after.value.value).split()), WIDTH, initial_indent="    # ",
                                         subsequent_indent="    # ")
        elif (isinstance(each, ast.FunctionDef) and not each.name.startswith("_")
              and not described(each.name, member_of(held, each.name))):
            yield source.signature(each, f"_.{each.name}").removeprefix("_.")


def member_of(held: object, name: str) -> object:
    """A member as it is found on the class; of a class method or static one, the function."""
    found = inspect.getattr_static(held, name)
    return getattr(held, name) if isinstance(found, classmethod | staticmethod) else found


def importable(module: str, name: str) -> str:
    """The shortest module that offers a name."""
    package = module.partition(".")[0]
    return package if name in importlib.import_module(package).__all__ else module


def origin(package: str, name: str) -> tuple[str, str]:
    """The module that declares what a package offers, and its name there."""
    held = getattr(importlib.import_module(package), name)
    module = getattr(held, "__module__", None)
    own = getattr(held, "__name__", "")
    if isinstance(module, str) and own and hasattr(importlib.import_module(module), own):
        return module, own
    text = Path(str(importlib.import_module(package).__file__)).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            return str(node.module), name
    raise ValueError(f"{package}.{name}: from where is it imported?")


def reference() -> str:
    """The whole reference as Markdown."""
    lines: list[str] = []
    seen: set[int] = set()              # by identity: one object may be offered by two packages
    for title, names in SECTIONS.items():
        lines.append(f"## {title}")
        for path in names:
            module, _, name = path.rpartition(".")
            seen.add(id(getattr(importlib.import_module(module), name)))
            lines += entry(module, name, [name])
    for package, title in PACKAGES.items():
        lines.append(f"## {title}")
        offered: dict[tuple[str, str], list[str]] = {}
        for name in importlib.import_module(package).__all__:
            offered.setdefault(origin(package, name), []).append(name)
        for place, names in sorted(offered.items(), key=lambda item: item[1][0].lower()):
            held = getattr(importlib.import_module(place[0]), place[1])
            if id(held) not in seen:
                seen.add(id(held))
                lines += entry(*place, sorted(names, key=lambda each: (len(each), each)))
    return "\n\n".join(line for line in lines if line)


def replaced(page: str) -> str:
    """A page with the reference between its two marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{after}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the reference.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    check = parser.parse_args(arguments).check
    page = PAGE.read_text(encoding="utf-8")
    new = replaced(page)
    if check:
        print(f"{PAGE.name}: {'up to date' if new == page else 'not up to date: run python scripts/make_reference.py'}")
        return int(new != page)
    PAGE.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
