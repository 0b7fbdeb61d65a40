"""Pictures of the structures: what is in them, and that nothing that is written overlaps."""
import itertools
import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

import incbpe.cli
import linmaxmatch.cli
from incbpe import (
    CentroidTree,
    Dictionary,
    Prefixes,
    SuccessorForest,
    SuffixAutomaton,
    SuffixSuccessorTree,
    normalize,
)
from incbpe.trace import dictionary_of
from linmaxmatch import Transducer, Trie, Vocabulary, precompute
from proofs.definitions import bpe as definition
from subwordio.drawing import LINE, width
from subwordio.graph import Graph, Node, forest, to_dot

ENTRIES = ["a", "abcd", "##b", "##bc", "##z", "<unk>"]
RULES = ["a b", "b b", "ab b"]
REPEATED = ["a a", "aa aa", "aa a", "b a", "ba a", "c d"]


def tables(roots=1):
    return precompute(Trie(Vocabulary(ENTRIES), roots=roots, keep=lambda token, body: token != "<unk>"))


def structures():
    yield "trie", tables().trie
    yield "tables", tables()
    yield "two roots", tables(2)
    yield "transducer", Transducer(tables())
    for name, rules, k, text in (("abb", RULES, "abb", "abbbab"), ("aaaa", REPEATED, "aaaa", "baaaaacd")):
        N = normalize(dictionary_of(rules), semantics="equation")
        forest_of, automaton = SuccessorForest(N), SuffixAutomaton(N)
        tree = SuffixSuccessorTree(forest_of, automaton, k)
        yield f"forest {name}", forest_of
        yield f"automaton {name}", automaton
        yield f"suffixes {name}", tree
        yield f"centroids {name}", CentroidTree(tree)
        yield f"prefixes {name}", Prefixes(N, text)


STRUCTURES = dict(structures())


def boxes(svg):
    """(frame, what is written outside frames), each as left, top, right, bottom and text."""
    root = ElementTree.fromstring(svg)
    frames, written = [], []
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        for rect in group.findall("{http://www.w3.org/2000/svg}rect"):
            x, y, w, h = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
            if "more" not in group.get("class", ""):
                frames.append((x, y, x + w, y + h, ""))
        for text in group.findall("{http://www.w3.org/2000/svg}text"):
            if text.get("class") in ("note", "edge"):
                x, y = float(text.get("x")), float(text.get("y"))
                written.append((x, y - LINE + 5, x + width(text.text), y + 2, text.text))
    return frames, written


def meets(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("name", STRUCTURES)
def test_nothing_that_is_written_overlaps(name):
    frames, written = boxes(STRUCTURES[name].draw().svg)
    assert frames
    assert [(a, b) for a, b in itertools.combinations(frames + written, 2) if meets(a, b)] == []


def test_an_overlap_is_seen():
    svg = STRUCTURES["tables"].draw().svg
    frames, written = boxes(svg.replace('<text x="', '<text x="1', 60))
    assert any(meets(a, b) for a, b in itertools.combinations(frames + written, 2))


@pytest.mark.parametrize("name", STRUCTURES)
def test_graphviz_reads_the_graph(name):
    dot = STRUCTURES[name].to_dot()
    graph = STRUCTURES[name].draw().graph
    assert dot.count(" -> ") == len(graph.edges) + len(graph.links)
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    done = subprocess.run(["dot", "-Tplain"], input=dot.encode(), capture_output=True, check=True)
    assert done.stdout.decode().count("\nnode ") == len(graph.nodes)


def test_a_picture_of_the_tables():
    graph = tables().draw().graph
    notes = {node.label: node.notes for node in graph.nodes}
    assert notes["4 ab"] == ("⇢ 7  [a]",)
    assert notes["2 r♯ = ##"] == ("⇢ ∅",)
    assert {(edge.tail, edge.head, edge.label) for edge in graph.edges} == {
        (0, 1, "#"), (1, 2, "#"), (0, 3, "a"), (3, 4, "b"), (4, 5, "c"), (5, 6, "d"), (2, 7, "b"), (7, 8, "c"),
        (2, 9, "z")}
    assert {(link.tail, link.head) for link in graph.links} == {(3, 2), (4, 7), (5, 8), (6, 2), (7, 2), (8, 2), (9, 2)}
    assert [node.key for node in graph.nodes if node.kind == "token"] == [3, 7, 9, 8, 6]


def test_a_picture_of_one_word():
    graph = tables().draw(word="abcz").graph
    assert {node.key for node in graph.nodes if "marked" in node.kind} == {0, 3, 4, 5, 8, 2, 9}
    assert [node.label for node in graph.nodes if node.kind == "more"] == ["+ 1"]           # abcd


def test_a_transducer_says_what_is_no_edge():
    notes = {node.label: node.notes for node in Transducer(tables()).draw().graph.nodes}
    assert notes["5 abc"] == ("b → 7  [a ##bc]", "z → 9  [a ##bc]", "␣ → end  [a ##bc]")


def test_a_forest_in_preorder_with_ranges():
    graph = STRUCTURES["forest abb"].draw().graph
    assert [(node.label, node.notes) for node in graph.nodes] == [
        ("a", ("[0, 1)",)), ("b", ("[1, 5)",)), ("abb", ("[2, 3)", "ab before b", "valid: [4, 5)")),
        ("bb", ("[3, 4)", "b before b", "valid: [1, 3)")), ("ab", ("[4, 5)", "a before b", "valid: [0, 1)"))]


def test_a_forest_of_the_way_to_one_token():
    graph = STRUCTURES["forest aaaa"].draw(token="aaaa").graph
    assert [node.label for node in graph.nodes] == ["a", "aaa", "aa", "aaaa", "+ 1"]


def test_an_automaton_has_its_states_and_links():
    automaton = STRUCTURES["automaton aaaa"]
    graph = automaton.draw().graph
    assert len(graph.nodes) == automaton.states
    assert {(node.label, *node.notes[:1]) for node in graph.nodes} >= {("aaaa", "⇢ aaa"), ("cd", "⇢ d"), ("ba", "⇢ a")}


def test_a_centroid_tree_says_when_a_part_is_searched():
    graph = STRUCTURES["centroids aaaa"].draw().graph
    assert [(edge.tail, edge.head, edge.label) for edge in graph.edges] == [
        ("a", "aa", "valid, and aa too"), ("a", "aaa", "valid, and aaa too"), ("aa", "aaaa", "valid, and aaaa too")]


@pytest.mark.parametrize("criterion", ["window", "chain", "maximal"])
@pytest.mark.parametrize("rules", [RULES, REPEATED])
def test_the_frontier_is_that_of_the_definition(criterion, rules):
    N = normalize(dictionary_of(rules), semantics="equation")
    letters = sorted(set("".join(rules)) - {" "})
    D = definition.Dictionary(frozenset(letters), tuple(tuple(rule.split()) for rule in rules))
    for n in range(5):
        for s in map("".join, itertools.product(letters, repeat=n)):
            graph = Prefixes(N, s).draw(criterion=criterion).graph
            final = max((node.title for node in graph.nodes if "token" in node.kind), key=len, default="")
            assert final.split() == definition.eager(D, s, criterion), s


def test_a_token_prefix_tree_without_a_frontier():
    N = normalize(dictionary_of(RULES))
    plain, marked = (Prefixes(N, "abbbb").draw(criterion=criterion).graph for criterion in (None, "chain"))
    assert {node.kind for node in plain.nodes} == {""} != {node.kind for node in marked.nodes}
    assert [(edge.tail, edge.head, edge.label) for edge in plain.edges] == [
        (edge.tail, edge.head, edge.label) for edge in marked.edges]
    assert len(plain.legend) < len(marked.legend)


def test_a_big_structure_is_summarised():
    words = ["".join(letters) for letters in itertools.product("abcdefgh", repeat=3)]
    T = Trie(Vocabulary([*words, "<unk>"]))
    graph = T.draw().graph
    assert len([node for node in graph.nodes if node.kind != "more"]) == 60
    hidden = sum(int(node.label[2:]) for node in graph.nodes if node.kind == "more")
    assert hidden > 0
    # all that is left out hangs at a node that says so, or below one of these
    assert len(T.draw(most=len(T)).graph.nodes) == len(T)


def test_more_roots_than_nodes():
    graph = forest("", [Node(k, str(k)) for k in range(5)], lambda u: ([], 0), 3)
    assert [node.label for node in graph.nodes] == ["0", "1", "2", "+ 2"]


def test_names_are_escaped():
    N = normalize(Dictionary(["<", "&", '"', "<&"], [("<", "&")]))
    picture = SuccessorForest(N).draw()
    ElementTree.fromstring(picture.svg)
    assert "&lt;&amp;" in picture.svg
    assert 'label="\\"' in picture.dot
    assert to_dot(Graph('"')).startswith('digraph "\\"" {')


def test_saving(tmp_path):
    picture = tables().draw()
    for name in ("t.svg", "t.dot"):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") in (picture.svg, picture.dot)
    with pytest.raises(ValueError, match=r"t\.bmp: expected a name that ends in"):
        picture.save(tmp_path / "t.bmp")
    assert picture._repr_svg_() == picture.svg == tables()._repr_svg_()
    assert repr(picture) == "<Drawing of failure links f and failure pops F of 10 nodes: 10 nodes>"


def test_light_and_dark():
    svg = tables().draw().svg
    light, dark = re.search(r"\{(--ink.*?)\}@media\(prefers-color-scheme:dark\)\{\.structure\{(.*?)\}", svg).groups()
    assert [part.split(":")[0] for part in light.split(";")] == [part.split(":")[0] for part in dark.split(";")]


@pytest.mark.parametrize(("main", "arguments", "title"), [
    (linmaxmatch.cli.main, ("trie", "--entries", *ENTRIES[:5]), "trie of 10 nodes"),
    (linmaxmatch.cli.main, ("--entries", *ENTRIES[:5]), "failure links f and failure pops F of 10 nodes"),
    (linmaxmatch.cli.main, ("transducer", "--roots", "2", "--entries", *ENTRIES[:5]), "transducer of 14 nodes"),
    (linmaxmatch.cli.main, ("tables", "--word", "hello"), "failure links f and failure pops F of 14136 nodes"),
    (incbpe.cli.main, ("forest", "--rules", *RULES), "successor forest of 5 tokens"),
    (incbpe.cli.main, ("automaton", "ab", "--rules", *RULES), "suffix automaton of 6 states"),
    (incbpe.cli.main, ("suffixes", "abb", "--rules", *RULES), "suffix-successor tree of abb"),
    (incbpe.cli.main, ("centroids", "abb", "--rules", *RULES), "centroid tree of abb"),
    (incbpe.cli.main, ("prefixes", "abb", "--criterion", "chain", "--rules", *RULES), "tokens of all prefixes of abb"),
    (incbpe.cli.main, ("forest", " the"), "successor forest of 7999 tokens"),
])
def test_the_command_draw(main, arguments, title, run_main, tmp_path):
    drawn = run_main(main, "draw", *arguments)
    assert (drawn.code, drawn.err) == (0, "")
    assert ElementTree.fromstring(drawn.out).get("aria-label") == title
    dot = run_main(main, "draw", *arguments, "--format", "dot", "-o", tmp_path / "t.dot")
    assert (dot.code, dot.out) == (0, "")
    assert (tmp_path / "t.dot").read_text(encoding="utf-8").startswith(f'digraph "{title}" {{')


@pytest.mark.parametrize(("main", "arguments", "code", "reason"), [
    (incbpe.cli.main, ("suffixes", "--rules", *RULES), 2, "draw suffixes: of which token?"),
    (incbpe.cli.main, ("prefixes", "--rules", *RULES), 2, "draw prefixes: of which text?"),
    (incbpe.cli.main, ("forest", "x", "--rules", *RULES), 1, "'x' is not among the tokens"),
    (linmaxmatch.cli.main, ("--most", "0"), 1, "--most: expected at least 1, got 0"),
])
def test_what_cannot_be_drawn(main, arguments, code, reason, run_main):
    result = run_main(main, "draw", *arguments)
    assert (result.code, result.out) == (code, "")
    assert reason in result.err
