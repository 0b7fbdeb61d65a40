"""All mutants of a module in one build: each changed place asks which mutant was chosen.

An expression e with variants e1, e2 becomes (e1 if chosen == 1 else e2 if chosen == 2 else e'), where in e' its parts
have variants in turn; a statement likewise by `if`. The tree is changed between Cython's parser and its analysis, so
that types, checks and errors are what they would be if the variant stood in the source. With no mutant chosen the
module does what its source says. What the compiler refuses is no mutant: `build` learns it from the errors, and
compiles again.

Not mutated: `check`, which is a check of the structure by itself, and what is only shown (`__repr__`, `nbytes`); the
declarations, which have no value at run time; assertions.
"""
from collections import Counter
from typing import Any

from Cython.Compiler import ExprNodes as E
from Cython.Compiler import Nodes as N
from Cython.Compiler.StringEncoding import EncodedString

from mutants import operators

CHOSEN = "chosen_mutant"
CHOOSER = f"""

cdef int {CHOSEN} = 0


def choose_mutant(int number):
    global {CHOSEN}
    {CHOSEN} = number
"""
"""What is put behind a module's source, so that no line moves."""

SKIPPED = {"check", "holds", "__repr__", "nbytes", "choose_mutant"}


class Schemata:
    """The rewriting of one module's tree; `sites` says what was made, by number."""

    def __init__(self, module: str, source: list[str], refused: set[str]) -> None:
        self.module, self.source, self.refused = module, source, refused
        self.sites: list[dict[str, Any]] = []
        self.seen: Counter[str] = Counter()
        self.path: list[str] = []
        self.returned, self.assigned, self.status = "object", set[str](), False

    # ---------------------------------------------------------------------------------------------------- functions

    def module_or_class(self, body: Any) -> None:
        """Rewrite every function in the body of a module or a class."""
        for part in body.stats:
            if isinstance(part, N.StatListNode):
                self.module_or_class(part)
            elif isinstance(part, (N.CClassDefNode, N.PyClassDefNode)):
                self.path.append(getattr(part, "class_name", None) or part.name)
                self.module_or_class(part.body)
                self.path.pop()
            elif isinstance(part, (N.DefNode, N.CFuncDefNode)):
                self.function(part)

    def function(self, node: Any) -> None:
        header = node if isinstance(node, N.DefNode) else node.declarator
        plain = isinstance(header, (N.DefNode, N.CFuncDeclaratorNode))
        while not hasattr(header, "args"):          # a pointer to what the function returns
            header = header.base
        name = node.name if isinstance(node, N.DefNode) else header.declared_name()
        if name in SKIPPED:
            return
        self.assigned = {argument.declarator.declared_name() or argument.base_type.name for argument in header.args}
        self.returned = "object"
        if isinstance(node, N.CFuncDefNode):
            self.returned = (getattr(node.base_type, "name", None) or "object") if plain else "pointer"
        values = operators.returned(node.body)
        self.status = self.returned == "int" and all(isinstance(value, E.IntNode) for value in values)
        self.path.append(name)
        node.body = self.block(node.body)
        self.path.pop()

    # ------------------------------------------------------------------------------------------ numbers and choices

    def chosen(self, node: Any, kind: str, before: str, after: str) -> Any | None:
        """The test for a new mutant, or None if the compiler has refused it before."""
        line = self.source[node.pos[1] - 1].strip()
        address = f"{self.module} | {'.'.join(self.path)} | {line} | {kind}"
        if before or after:
            address += f": {before} → {after}" if before else f": {after}"
        self.seen[address] += 1
        if self.seen[address] > 1:
            address += f" ({self.seen[address]})"
        if address in self.refused:
            return None
        self.sites.append({"address": address, "kind": kind, "line": node.pos[1], "column": node.pos[2]})
        number = E.IntNode(node.pos, value=str(len(self.sites)))
        name = E.NameNode(node.pos, name=EncodedString(CHOSEN))
        return E.PrimaryCmpNode(node.pos, operator="==", operand1=name, operand2=number)

    def choice(self, node: Any, variants: list[tuple[str, Any]], inner: Any) -> Any:
        for kind, variant in reversed(variants):
            test = self.chosen(node, kind, operators.text(node), operators.text(variant))
            if test is not None:
                inner = E.CondExprNode(node.pos, condition=test, true_val=variant, false_val=inner)
        return inner

    # -------------------------------------------------------------------------------------------------- expressions

    def expression(self, node: Any) -> Any:
        if not isinstance(node, E.ExprNode):
            return node
        if isinstance(node, (E.SizeofVarNode, E.SizeofTypeNode)):
            return node
        variants = list(operators.of_expression(node))
        raw = operators.copied(node) if variants else node
        self.parts(node)
        return self.choice(raw, variants, node)

    def parts(self, node: Any) -> None:
        for attribute in node.child_attrs or ():
            child = getattr(node, attribute, None)
            if isinstance(child, list):
                child[:] = [self.expression(part) for part in child]
            elif isinstance(child, E.CascadedCmpNode):
                self.parts(child)
            elif attribute in ("step", "slice"):    # a loop's direction must be known when it is compiled
                continue
            elif isinstance(child, E.ExprNode):
                setattr(node, attribute, self.expression(child))
        if operators.called(node, "range") and len(node.args) == 3:
            node.args[2] = self.unchanged(node.args[2])
        loop = getattr(node, "loop", None)
        if loop is not None:
            self.comprehension(loop)

    def unchanged(self, node: Any) -> Any:
        """What was there before the choices, whose mutants then never differ: they are taken back."""
        while isinstance(node, E.CondExprNode):
            self.sites.pop()
            node = node.false_val
        if isinstance(node, E.UnaryMinusNode):
            node.operand = self.unchanged(node.operand)
        return node

    def comprehension(self, node: Any) -> None:
        """The loops, conditions and the item of a comprehension."""
        if isinstance(node, N.StatListNode):
            for part in node.stats:
                self.comprehension(part)
        elif isinstance(node, N.ForInStatNode):
            node.iterator.sequence = self.expression(node.iterator.sequence)
            self.comprehension(node.body)
        elif isinstance(node, N.IfStatNode):
            for clause in node.if_clauses:
                clause.condition = self.condition(clause.condition)
                self.comprehension(clause.body)
        elif isinstance(node, N.ExprStatNode):
            self.comprehension(node.expr)
        elif isinstance(node, E.YieldExprNode):
            node.arg = self.expression(node.arg)
        elif isinstance(node, E.ExprNode):
            self.parts(node)

    def condition(self, node: Any) -> Any:
        variants = list(operators.of_condition(node))
        raw = operators.copied(node) if variants else node
        return self.choice(raw, variants, self.expression(node))

    # --------------------------------------------------------------------------------------------------- statements

    def block(self, node: Any) -> Any:
        if isinstance(node, N.StatListNode):
            node.stats = [self.statement(part) for part in node.stats]
            return node
        return None if node is None else self.statement(node)

    def statement(self, node: Any) -> Any:
        variants = list(operators.of_statement(node, self.droppable(node)))
        if isinstance(node, N.StatListNode):
            return self.block(node)
        if isinstance(node, N.IfStatNode):
            for clause in node.if_clauses:
                clause.condition, clause.body = self.condition(clause.condition), self.block(clause.body)
            node.else_clause = self.block(node.else_clause)
        elif isinstance(node, N.WhileStatNode):
            node.condition, node.body = self.condition(node.condition), self.block(node.body)
            node.else_clause = self.block(node.else_clause)
        elif isinstance(node, N.ForInStatNode):
            self.learn(node.target)
            node.iterator.sequence = self.expression(node.iterator.sequence)
            node.body, node.else_clause = self.block(node.body), self.block(node.else_clause)
        elif isinstance(node, N.TryExceptStatNode):
            node.body, node.else_clause = self.block(node.body), self.block(node.else_clause)
            for clause in node.except_clauses:
                clause.body = self.block(clause.body)
        elif isinstance(node, (N.GILStatNode, N.WithStatNode)):
            node.body = self.block(node.body)
        elif isinstance(node, (N.SingleAssignmentNode, N.CascadedAssignmentNode, N.InPlaceAssignmentNode)):
            self.assignment(node)
        elif isinstance(node, N.ParallelAssignmentNode):
            for part in node.stats:
                self.assignment(part)
        elif isinstance(node, N.ReturnStatNode) and node.value is not None:
            self.result(node)
        elif isinstance(node, N.ExprStatNode):
            node.expr = self.expression(node.expr)
        elif isinstance(node, N.RaiseStatNode):
            node.exc_type = self.expression(node.exc_type)
        for kind, after, variant in reversed(variants):
            before = "" if kind == "dropped" or isinstance(node, N.ForInStatNode) else self.shown(node)
            test = self.chosen(node, kind, before, after)
            if test is not None:
                clause = N.IfClauseNode(node.pos, condition=test, body=N.StatListNode(node.pos, stats=[variant]))
                node = N.IfStatNode(node.pos, if_clauses=[clause],
                                    else_clause=N.StatListNode(node.pos, stats=[node]))
        return node

    def shown(self, node: Any) -> str:
        if isinstance(node, N.InPlaceAssignmentNode):
            return f"{operators.text(node.lhs)} {node.operator}= …"
        return "break" if isinstance(node, N.BreakStatNode) else "continue"

    def targets(self, node: Any) -> list[Any]:
        if isinstance(node, N.ParallelAssignmentNode):
            return [target for part in node.stats for target in self.targets(part)]
        if isinstance(node, N.CascadedAssignmentNode):
            return list(node.lhs_list)
        return [node.lhs]

    def droppable(self, node: Any) -> bool:
        """A call, a raise, a deletion; an assignment unless it is the first to a name, which then has no value."""
        if isinstance(node, (N.ExprStatNode, N.RaiseStatNode, N.DelStatNode)):
            return not (isinstance(node, N.ExprStatNode) and isinstance(node.expr, E.UnicodeNode))
        if isinstance(node, (N.SingleAssignmentNode, N.CascadedAssignmentNode, N.InPlaceAssignmentNode,
                             N.ParallelAssignmentNode)):
            return all(target.name in self.assigned for target in self.targets(node)
                       if isinstance(target, E.NameNode))
        return False

    def learn(self, target: Any) -> None:
        if isinstance(target, E.NameNode):
            self.assigned.add(target.name)
        for part in getattr(target, "args", None) or ():
            self.learn(part)

    def assignment(self, node: Any) -> None:
        node.rhs = self.expression(node.rhs)
        if isinstance(node, N.SingleAssignmentNode) and isinstance(node.lhs, E.IndexNode):
            node.lhs.index = self.expression(node.lhs.index)
        for target in self.targets(node):
            self.learn(target)

    def result(self, node: Any) -> None:
        if self.status and isinstance(node.value, E.IntNode):
            return                                  # 0: no error
        variants = list(operators.of_result(node.value, self.returned))
        raw = operators.copied(node.value) if variants else node.value
        node.value = self.choice(raw, variants, self.expression(node.value))
