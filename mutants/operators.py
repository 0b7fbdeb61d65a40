"""What a mutant is: the variants of one expression or one statement of a Cython parse tree.

comparison  < and <=, > and >=, == and !=, `in` and `not in`, `is` and `is not` for one another
logic       `and` and `or` for one another; `not x` for x and x for `not x`; True and False for one another
arithmetic  + and - for one another, + for *, * for //, | and & for one another; the operands of - swapped
constant    a number one larger, one smaller
extreme     min and max for one another
dropped     a statement left out: an assignment (not the first to a name), a call, a raise, a deletion
jump        break and continue for one another
order       a loop over its items from the last to the first
result      what a function returns: None instead of an object, one more instead of a number, its negation for a bint

All variants are copies: the tree that is mutated is left as it is.
"""
import copy
from collections.abc import Iterator
from typing import Any

from Cython.CodeWriter import ExpressionWriter
from Cython.Compiler import ExprNodes, Nodes
from Cython.Compiler.StringEncoding import EncodedString

COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not_in", "not_in": "in",
            "is": "is_not", "is_not": "is"}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "//": "*", "|": "&", "&": "|"}
INTEGERS = {"int", "char", "short", "long", "size_t", "Py_ssize_t", "node_t", "symbol_t"} | {
    f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
"""The C types of which one more can be returned."""
OBJECTS = {"object", "list", "tuple", "dict", "str", "bytes"}


def copied(tree: Any, seen: dict[int, Any] | None = None) -> Any:
    """A copy of a parse tree: its nodes, also where one refers to another beside its children, and nothing else."""
    seen = {} if seen is None else seen
    if isinstance(tree, (list, tuple)):
        parts = [copied(part, seen) for part in tree]
        return parts if isinstance(tree, list) else tuple(parts)
    if not isinstance(tree, Nodes.Node):
        return tree
    if id(tree) not in seen:
        seen[id(tree)] = node = copy.copy(tree)
        for name, value in vars(node).items():
            setattr(node, name, copied(value, seen))
    return seen[id(tree)]


class Writer(ExpressionWriter):  # type: ignore[misc]
    """An expression as source text, so that a mutant can be shown."""

    def __init__(self) -> None:
        super().__init__(allow_unknown_nodes=True)

    def visit_PrimaryCmpNode(self, node: Any) -> None:
        self.operator_enter(4)
        self.visit(node.operand1)
        while node is not None:
            self.put(f" {node.operator.replace('_', ' ')} ")
            self.visit(node.operand2)
            node = node.cascade
        self.operator_exit()

    def visit_TypecastNode(self, node: Any) -> None:
        self.put("<…>")
        self.visit(node.operand)

    def visit_AmpersandNode(self, node: Any) -> None:
        self.put("&")
        self.visit(node.operand)


def text(node: Any) -> str:
    """The source text of an expression, in one line.

    >>> text(ExprNodes.IntNode(None, value="3"))
    '3'
    """
    return " ".join(str(Writer().write(node)).split())


def number(node: Any) -> int:
    return int(node.value.rstrip("uUlL"), 0)


def called(node: Any, *names: str) -> bool:
    """Whether an expression is a call of a function by one of these names."""
    return (isinstance(node, (ExprNodes.SimpleCallNode, ExprNodes.GeneralCallNode))
            and isinstance(node.function, ExprNodes.NameNode) and node.function.name in names)


def comparisons(node: Any) -> Iterator[tuple[str, Any]]:
    """A chain a < b <= c has a mutant for each of its comparisons."""
    place, part = 0, node
    while part is not None:
        variant = changed = copied(node)
        for _ in range(place):
            changed = changed.cascade
        changed.operator = COMPARED[part.operator]
        yield "comparison", variant
        place, part = place + 1, part.cascade


def of_expression(node: Any) -> Iterator[tuple[str, Any]]:
    """(kind, variant) of one expression, its parts left as they are."""
    if isinstance(node, ExprNodes.PrimaryCmpNode):
        yield from comparisons(node)
    elif isinstance(node, ExprNodes.BoolBinopNode):
        variant = copied(node)
        variant.operator = "or" if node.operator == "and" else "and"
        yield "logic", variant
    elif isinstance(node, ExprNodes.NotNode):
        yield "logic", negated(node)
    elif isinstance(node, ExprNodes.BoolNode):
        yield "logic", ExprNodes.BoolNode(node.pos, value=not node.value)
    elif isinstance(node, ExprNodes.IntNode):
        for value in (number(node) + 1, number(node) - 1):
            yield "constant", ExprNodes.IntNode(node.pos, value=str(value))
    elif isinstance(node, ExprNodes.BinopNode) and node.operator in ARITHMETIC:
        left, right = copied(node.operand1), copied(node.operand2)
        yield "arithmetic", ExprNodes.binop_node(node.pos, ARITHMETIC[node.operator], left, right)
        if node.operator == "-":
            yield "arithmetic", ExprNodes.binop_node(node.pos, "-", copied(node.operand2), copied(node.operand1))
    elif called(node, "min", "max"):
        variant = copied(node)
        variant.function.name = type(node.function.name)("max" if node.function.name == "min" else "min")
        yield "extreme", variant


def negated(node: Any) -> Any:
    return ExprNodes.NotNode(node.pos, operand=copied(node))


def of_condition(node: Any) -> Iterator[tuple[str, Any]]:
    """What else a condition can be, where no mutant of its own turns it round."""
    kinds = (ExprNodes.PrimaryCmpNode, ExprNodes.BoolBinopNode, ExprNodes.NotNode, ExprNodes.BoolNode)
    if not isinstance(node, kinds):
        yield "logic", negated(node)


def reversed_loop(loop: Any) -> Any | None:
    """The loop with its items from the last to the first; None where it has an order of its own already."""
    variant = copied(loop)
    sequence = variant.iterator.sequence
    if not called(sequence, "range"):
        if called(sequence, "reversed", "enumerate", "zip") or isinstance(sequence, ExprNodes.DictNode):
            return None
        listed = call(sequence.pos, "list", [sequence])
        variant.iterator.sequence = call(sequence.pos, "reversed", [listed])
        return variant
    args, pos = sequence.args, sequence.pos
    if len(args) == 3 and text(args[2]) != "-1":
        return None
    one = ExprNodes.IntNode(pos, value="1")
    if len(args) == 3:                              # a, b, -1: from b + 1 up to a
        sequence.args = [plus(pos, args[1], "+", one), plus(pos, args[0], "+", copied(one))]
        return variant
    begin = args[0] if len(args) == 2 else ExprNodes.IntNode(pos, value="0")
    down = ExprNodes.UnaryMinusNode(pos, operand=copied(one))
    sequence.args = [plus(pos, args[-1], "-", one), plus(pos, begin, "-", copied(one)), down]
    return variant


def plus(pos: Any, left: Any, operator: str, right: Any) -> Any:
    return ExprNodes.binop_node(pos, operator, left, right)


def call(pos: Any, function: str, args: list[Any]) -> Any:
    return ExprNodes.SimpleCallNode(pos, function=ExprNodes.NameNode(pos, name=EncodedString(function)), args=args)


def of_statement(node: Any, droppable: bool) -> Iterator[tuple[str, str, Any]]:
    """(kind, what becomes of it, variant) of one statement as a whole."""
    if droppable:
        yield "dropped", "", Nodes.StatListNode(node.pos, stats=[])
    if isinstance(node, Nodes.InPlaceAssignmentNode) and node.operator in ARITHMETIC:
        variant = copied(node)
        variant.operator = ARITHMETIC[node.operator]
        yield "arithmetic", f"{text(node.lhs)} {variant.operator}= {text(node.rhs)}", variant
    elif isinstance(node, Nodes.BreakStatNode):
        yield "jump", "continue", Nodes.ContinueStatNode(node.pos)
    elif isinstance(node, Nodes.ContinueStatNode):
        yield "jump", "break", Nodes.BreakStatNode(node.pos)
    elif isinstance(node, Nodes.ForInStatNode):
        variant = reversed_loop(node)
        if variant is not None:
            yield "order", f"for {text(node.target)} in {text(variant.iterator.sequence)}", variant


def of_result(node: Any, returned: str) -> Iterator[tuple[str, Any]]:
    """What a function of this C type, or of objects, can return instead of an expression."""
    if isinstance(node, (ExprNodes.IntNode, ExprNodes.BoolNode, ExprNodes.NoneNode)):
        return
    if returned == "bint":
        yield from (("result", variant) for _, variant in of_condition(node))
    elif returned in INTEGERS:
        one = ExprNodes.IntNode(node.pos, value="1")
        yield "result", ExprNodes.binop_node(node.pos, "+", copied(node), one)
    elif returned in OBJECTS or returned[:1].isupper():
        yield "result", ExprNodes.NoneNode(node.pos)


def returned(tree: Any) -> list[Any]:
    """What the return statements below a node return."""
    found, below = [], [tree]
    while below:
        node = below.pop()
        if isinstance(node, list):
            below += node
        elif isinstance(node, Nodes.ReturnStatNode):
            found.append(node.value)
        elif isinstance(node, Nodes.Node):
            below += [getattr(node, name, None) for name in node.child_attrs or ()]
    return found
