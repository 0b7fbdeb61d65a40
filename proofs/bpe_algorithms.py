"""The second paper's algorithms in plain Python, each with the faults that its check must catch.

They are held against `definitions` just as the compiled modules are, so that a check which passes on the compiled code
and fails on a faulty form here is known to look where the fault is. `fault=None` is the right algorithm; the names of
the faults are in `FAULTS`.

Notation   N a normalized dictionary · t the length of the text so far · k its longest canonical suffix token
"""
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary, Ranks, T

FAULTS = {
    "T_r": ("right to left", "again until nothing changes"),
    "normalize": ("tie direction flipped", "no walk", "only the parts looked at", "the PQ canonical set"),
    "valid": ("≥ for >", "no priority test", "w must be pre"),
    "ranges": ("children earliest first", "hi = tout(pre)"),
    "θ": ("w at |pre|", "longest not inherited", "no validity test"),
    "centroid": ("any vertex",),
    "eager": ("one symbol short", "by the longest token", "all but the last token", "not the only child",
              "the root may still be an end", "an interval"),
    "proper": ("tokens with one rule untested",),
    "repair": ("tokens only", "the order of the ranks"),
    "splits": ("over V only",),
    "pair search": ("the pair test on T_D", "no pair test"),
}

ATOM = -1
"""prio of an atom in these algorithms: it is never undone."""


# ----------------------------------------------------------------------------------------------------- T_r and T_D

def apply_rule(rule: bpe.Rule, tokens: list[str], fault: str | None = None) -> list[str]:
    """T_r(φ), from left to right."""
    if fault == "right to left":
        return mirrored(bpe.apply_rule((rule[1][::-1], rule[0][::-1]), mirrored(tokens)))
    return bpe.apply_rule(rule, tokens)


def mirrored(tokens: list[str]) -> list[str]:
    """The tokens read backwards, and their order too."""
    return [z[::-1] for z in reversed(tokens)]


def tokenize(D: Dictionary, s: str, fault: str | None = None) -> list[str]:
    """T_D(s)."""
    tokens = list(s)
    while True:
        before = tokens
        for rule in D.rules:
            tokens = apply_rule(rule, tokens, fault)
        if tokens == before or fault != "again until nothing changes":
            return tokens


# --------------------------------------------------------------------------------------------- normalize, by L4

class Normal:
    """The canonical tokens of D with their canonical rules: what normalizing finds, by L4's walk along a boundary.

    prio, pre and suc are by token; `rule` is the index of the canonical rule that joins a pair, where one does.
    """

    def __init__(self, D: Dictionary, fault: str | None = None) -> None:
        self.D = D
        self.prio: dict[str, int] = dict.fromkeys(sorted(D.atoms), ATOM)
        self.pre: dict[str, str] = {}
        self.suc: dict[str, str] = {}
        self.rule: dict[tuple[str, str], int] = {}
        if fault == "the PQ canonical set":
            for z in sorted(bpe.canonical(D, PQ) - D.atoms):
                self.keep(D.rules.index((bpe.pre(D, z, PQ), bpe.suc(D, z, PQ))))
            return
        for i, (x, y) in enumerate(D.rules):
            known = x in self.prio and y in self.prio
            if x + y not in self.prio and known and (fault == "no walk" or not self.conflict(i, fault)):
                self.keep(i)

    def keep(self, i: int) -> None:
        """Rule i is the canonical rule of its product."""
        x, y = self.D.rules[i]
        self.prio[x + y], self.pre[x + y], self.suc[x + y], self.rule[x, y] = i, x, y, i

    def conflict(self, i: int, fault: str | None = None) -> bool:
        """Whether something else would have been merged across the boundary x|y before rule i merges there.

        (u, v) are the tokens that touch the boundary, walked back in time; each step undoes the later of the two.
        """
        u, v = self.D.rules[i]
        while self.prio[u] != ATOM or self.prio[v] != ATOM:
            right = self.prio[v] >= self.prio[u] if fault != "tie direction flipped" else self.prio[v] > self.prio[u]
            end = max(self.prio[u], self.prio[v])
            u, v = (u, self.pre[v]) if right else (self.suc[u], v)
            merged = self.rule.get((u, v))
            if merged is not None and (merged < end or (merged == end and right)):
                return True
            if fault == "only the parts looked at":
                break
        return False

    # ------------------------------------------------------------------------------------------------ the forest

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The children of each token in the successor forest, latest rule first."""
        found: dict[str, list[str]] = {z: [] for z in self.prio}
        for z in sorted(self.suc, key=lambda z: -self.prio[z]):
            found[self.suc[z]].append(z)
        return found

    def numbered(self, earliest_first: bool = False) -> tuple[dict[str, int], dict[str, int]]:
        """tin and tout."""
        tin: dict[str, int] = {}
        tout: dict[str, int] = {}

        def visit(z: str) -> None:
            tin[z] = len(tin)
            for child in reversed(self.children[z]) if earliest_first else self.children[z]:
                visit(child)
            tout[z] = len(tin)

        for root in sorted(z for z in self.prio if z not in self.suc):
            visit(root)
        return tin, tout


# ------------------------------------------------------------------------------------------ valid, and the ranges

def follows(N: Normal, z: str, last: str | None, fault: str | None = None) -> bool:
    """Definition 4.1, by walking from w_z up to x = pre(z)."""
    if z not in N.suc:
        return True
    x, c = N.pre[z], None
    if fault == "w must be pre":
        return last == x
    while last != x:
        if last not in N.suc:
            return False
        c, last = last, N.suc[last]
    if c is None or fault == "no priority test":
        return True
    return N.prio[c] >= N.prio[z] if fault == "≥ for >" else N.prio[c] > N.prio[z]


class Ranges:
    """The range form of validity: lo and hi by token, and the numbers tin that are looked for in it."""

    def __init__(self, N: Normal, fault: str | None = None) -> None:
        self.N = N
        self.tin, self.tout = N.numbered(fault == "children earliest first")
        self.OUTSIDE = len(self.tin)
        self.lo: dict[str, int] = {}
        self.hi: dict[str, int] = {}
        for z in N.prio:
            self.lo[z], self.hi[z] = 0, self.OUTSIDE + 1
            if z in N.suc:
                x = N.pre[z]
                too_early = [c for c in N.children[x] if N.prio[c] <= N.prio[z]]
                self.lo[z] = self.tin[x]
                self.hi[z] = self.tin[too_early[0]] if too_early and fault != "hi = tout(pre)" else self.tout[x]

    def number(self, last: str | None) -> int:
        """tin, OUTSIDE for nothing and for unknown symbols."""
        return self.OUTSIDE if last is None else self.tin.get(last, self.OUTSIDE)

    def holds(self, z: str, last: str | None) -> bool:
        return self.lo[z] <= self.number(last) < self.hi[z]


# ------------------------------------------------------------------------------------------------- the automaton

class Automaton:
    """Aho and Corasick's automaton over the canonical tokens; a state is its string."""

    def __init__(self, N: Normal, fault: str | None = None) -> None:
        self.N = N
        self.states = {"", *(x for z in N.prio for x in bpe.prefixes(z))}
        self.inner = {x[:-1] for x in self.states if x}
        self.fail: dict[str, str] = {}
        self.token: dict[str, str | None] = {"": None}
        for v in sorted(self.states - {""}, key=len):
            self.fail[v] = next(x for x in [*reversed(bpe.suffixes(v[1:])), ""] if x in self.states)
            inherited = self.token[self.fail[v]] if fault != "longest not inherited" else v[-1]
            self.token[v] = v if v in N.prio else inherited

    def step(self, v: str, c: str) -> str:
        """The state after c: the longest suffix of vc that is a state."""
        while v + c not in self.states and v:
            v = self.fail[v]
        return v + c if v + c in self.states else ""


# ---------------------------------------------------------------------------------- θ of every prefix: three searches

class Counts:
    """What a search did: tests of validity, and visits of centroids (the first test of k included)."""

    def __init__(self) -> None:
        self.tests = self.visits = 0


class Search:
    """θ of a text whose θ's of shorter prefixes are known, by one of three ways down or up chain(k)."""

    def __init__(self, N: Normal, way: str = "longest", fault: str | None = None) -> None:
        self.N, self.way, self.fault = N, way, fault
        self.ranges, self.automaton = Ranges(N), Automaton(N, fault)
        self.chains: dict[str, list[str]] = {}
        self.counts = Counts()

    def chain(self, k: str) -> list[str]:
        """The canonical suffixes of k, shortest first."""
        if k not in self.chains:
            self.chains[k] = [z for z in bpe.suffixes(k) if z in self.N.prio]
        return self.chains[k]

    def valid(self, z: str, history: list[str | None], t: int) -> bool:
        """Whether z is valid at t: w is θ of the first t - |suc(z)|."""
        self.counts.tests += 1
        if z not in self.N.suc:
            return True
        side = self.N.pre[z] if self.fault == "w at |pre|" else self.N.suc[z]
        return self.ranges.holds(z, history[t - len(side)])

    def search(self, k: str, history: list[str | None], t: int) -> str:
        """θ of the first t symbols, k being their longest canonical suffix token."""
        if self.fault == "no validity test" or self.valid(k, history, t):
            self.counts.visits += 1
            return k
        return {"longest": self.longest_first, "root": self.root_down, "centroid": self.by_centroids}[self.way](
            k, history, t)

    def longest_first(self, k: str, history: list[str | None], t: int) -> str:
        return next(z for z in reversed(self.chain(k)[:-1]) if self.valid(z, history, t))

    def root_down(self, k: str, history: list[str | None], t: int) -> str:
        """From the atom to the only valid child, as long as there is one."""
        z = self.chain(k)[0]
        while valid := [c for c in self.chain(k) if self.N.suc.get(c) == z and self.valid(c, history, t)]:
            z, = valid
        return z

    def by_centroids(self, k: str, history: list[str | None], t: int) -> str:
        """Down centroids of components: below a valid one, or to its parent's side."""
        component, found = set(self.chain(k)), self.chain(k)[0]
        self.counts.visits += 1
        while component:
            c = centroid(component, self.N.suc, self.fault)
            self.counts.visits += 1
            if not self.valid(c, history, t):
                component -= subtree(component, self.N.suc, c)
                continue
            found = c
            inside = [z for z in component if self.N.suc.get(z) == c]
            valid = [z for z in inside if self.ranges.holds(z, history[t - len(c)])]
            component = subtree(component, self.N.suc, valid[0]) if valid else set()
        return found

    def history(self, s: str) -> list[str | None]:
        """θ of every prefix of s, ε's first."""
        found: list[str | None] = [None]
        state = ""
        for t, c in enumerate(s, start=1):
            state = self.automaton.step(state, c)
            k = self.automaton.token[state]
            found.append(c if k is None else k if k == s[:t] else self.search(k, found, t))
        return found


def subtree(component: set[str], parent: dict[str, str], c: str) -> set[str]:
    """The nodes of a component at and below c; where an edge leaves the component, it ends."""

    def under(z: str) -> bool:
        while z != c and z in component and z in parent:
            z = parent[z]
        return z == c

    return {z for z in component if under(z)}


def centroid(component: set[str], parent: dict[str, str], fault: str | None = None) -> str:
    """A node without which no part of the component has more than half of its nodes; the shortest if two."""
    nodes = sorted(component, key=len)
    if fault == "any vertex":
        return nodes[-1]

    def largest(c: str) -> int:
        below = [len(subtree(component, parent, z)) for z in nodes if parent.get(z) == c]
        return max([len(component) - len(subtree(component, parent, c)), *below])

    return min(nodes, key=largest)


def read_back(history: list[str | None]) -> list[str]:
    """T(s) from θ of every prefix (equation 2)."""
    tokens: list[str] = []
    t = len(history) - 1
    while t:
        last = history[t]
        assert last is not None
        tokens.append(last)
        t -= len(last)
    return tokens[::-1]


# ---------------------------------------------------------------------------------------------------- eager output

def released(D: Dictionary, s: str, fault: str) -> list[str]:
    """What a wrong criterion would release after s."""
    if fault == "all but the last token":
        return T(D, s)[:-1]
    d = bpe.depth(D, s)
    held = {"one symbol short": d - 1, "by the longest token": len(bpe.chain(D, s)[-1]) - 1 if d else 0}[fault]
    return bpe.common_prefix([T(D, s[:b]) for b in range(len(s) - max(held, 0), len(s) + 1)])


class EagerStream:
    """The streaming forms of the criteria window and chain: the token prefix tree, and which of its nodes are alive.

    A node b is a prefix length, its parent b - |θ_b|. It is alive while it may be where the text's last token begins
    (`ends`), or a child of it is alive. The root is the end of what was released.
    """

    def __init__(self, N: Normal, criterion: str, fault: str | None = None) -> None:
        self.search, self.criterion, self.fault = Search(N), criterion, fault
        self.text, self.root = "", 0
        self.history: list[str | None] = [None]
        self.live: dict[int, set[int]] = {0: set()}
        self.state = ""
        self.ends: set[int] = {0}
        self.closed = self.retired = self.passed = 0    # positions: no end any more, without a living child, released

    def feed(self, c: str) -> list[str]:
        """The tokens that are final after one more symbol."""
        self.text += c
        self.history = self.search.history(self.text)
        self.state = self.search.automaton.step(self.state, c)
        t, last = len(self.text), self.history[-1]
        assert last is not None
        self.live[t] = set()
        self.live[t - len(last)].add(t)
        before, self.ends = self.ends, set(self.alive(t))
        self.closed += len(before - self.ends)
        for b in sorted(before - self.ends, reverse=True):
            self.retire(b)
        out: list[str] = []
        while self.may_advance():
            self.root = max(self.live[self.root])
            token = self.history[self.root]
            assert token is not None
            out.append(token)
            self.passed += 1
        return out

    def alive(self, t: int) -> Iterator[int]:
        """The positions where the last token may begin, by the criterion."""
        automaton = self.search.automaton
        if self.criterion == "window" or self.fault == "an interval":
            state = self.state
            while self.criterion == "chain" and state and state not in automaton.inner:
                state = automaton.fail[state]
            yield from range(t - len(state), t + 1)
            return
        yield t
        state = self.state
        while state:
            if state in automaton.inner:
                yield t - len(state)
            state = automaton.fail[state]

    def retire(self, b: int) -> None:
        """b is no end any more: it goes unless a child is alive, and then its parent may go."""
        while b in self.live and b not in self.ends and b != self.root and not self.live[b]:
            last = self.history[b]
            assert last is not None
            del self.live[b]
            self.retired += 1
            b -= len(last)
            self.live[b].discard(b + len(last))

    def may_advance(self) -> bool:
        only = len(self.live[self.root]) == 1 or (self.fault == "not the only child" and bool(self.live[self.root]))
        return only and (self.root not in self.ends or self.fault == "the root may still be an end")


# ------------------------------------------------------------------------------------------- proper; repaired (P4)

def proper(D: Dictionary, fault: str | None = None) -> bool:
    """Whether D is proper."""
    made = [x + y for x, y in D.rules]
    once = {z for z in made if made.count(z) == 1} if fault == "tokens with one rule untested" else set()
    return all(PQ(D, z) == T(D, z) for z in sorted(D.tokens - once))


def keys(D: Dictionary, z: str, first: bool) -> tuple[int, int, int]:
    """P4's key of a canonical token: the largest rank in its PQ trace, how many merges come after it, its own rank."""
    merged = bpe.rules_merged(D, z)
    largest = max(merged)
    place = merged.index(largest) if first else len(merged) - 1 - merged[::-1].index(largest)
    return largest, len(merged) - 1 - place, merged[-1]


def reordered(D: Dictionary, first: bool = True, fault: str | None = None) -> Dictionary:
    """D′: the canonical rules by P4's key, taking the first occurrence of the largest rank or the last."""
    tokens = [z for z in sorted(bpe.canonical(D, PQ)) if len(z) > 1]
    if fault == "the order of the ranks":
        tokens.sort(key=lambda z: bpe.rules_merged(D, z)[-1])
    else:
        tokens.sort(key=lambda z: keys(D, z, first))
    return Dictionary(D.atoms, tuple(D.rules[bpe.rules_merged(D, z)[-1]] for z in tokens))


def overlaps(tokens: frozenset[str]) -> Iterator[str]:
    """All s = w′ m z with m not empty where w′, z, w′m and mz are tokens: two tokens that can be cut at two places."""
    cut = {(t[:k], t[k:]) for t in tokens for k in range(1, len(t))}
    left = sorted((t, m) for t, m in cut if t in tokens)
    for begin, m in left:
        yield from (begin + m + z for x, z in sorted(cut) if x == m and z in tokens)


def accepted(D: Dictionary, other: Dictionary, fault: str | None = None) -> bool:
    """Whether D′ may stand for D's rank BPE, by P4's (a), (b) and (c)."""
    tried = [*sorted(D.tokens), *(overlaps(bpe.canonical(D, PQ)) if fault != "tokens only" else [])]
    return bpe.proper(other) and all(T(other, s) == PQ(D, s) for s in tried)


def repair(D: Dictionary, fault: str | None = None) -> Dictionary | None:
    """The first reordering by P4's keys that is accepted; None if there is none."""
    return next((other for first in (True, False) if accepted(D, other := reordered(D, first, fault), fault)), None)


# --------------------------------------------------------------------------------- rank tables (P2), pair search (P5)

def splits(ranks: Ranks, fault: str | None = None) -> Dictionary:
    """All splits of each token of a rank table, by rank."""
    D = bpe.splits(ranks)
    if fault == "over V only":
        return Dictionary(D.atoms, tuple((x, y) for x, y in D.rules if x in ranks and y in ranks))
    return D


def pair_search(D: Dictionary, s: str, fault: str | None = None) -> list[str]:
    """The canonical suffixes of s that pair with what is before them (P5)."""
    if fault == "no pair test":
        return bpe.chain(D, s, PQ)[-1:]
    test: Callable[..., bool] = bpe.pairs_with
    on = T if fault == "the pair test on T_D" else PQ
    return [z for z in bpe.chain(D, s, PQ) if test(D, bpe.θ(D, s[:-len(z)], PQ), z, on)]


def overlapping(ranges: dict[str, tuple[int, int]], children: list[str]) -> tuple[str, str] | None:
    """Two children of one node whose ranges meet; None if no two do."""
    ordered = sorted((ranges[c], c) for c in children)
    return next(((c, d) for ((_, hi), c), ((lo, _), d) in pairwise(ordered) if lo < hi), None)
