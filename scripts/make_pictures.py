"""Draw the pictures of the essays from the live structures:  python scripts/make_pictures.py [--check]"""
import argparse
from pathlib import Path

from incbpe import CentroidTree, Prefixes, SuccessorForest, SuffixAutomaton, SuffixSuccessorTree, normalize
from incbpe.trace import dictionary_of
from linmaxmatch import Transducer, Trie, Vocabulary, precompute
from subwordio.drawing import Drawing

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
ENTRIES = ["a", "abcd", "##b", "##bc", "##z", "<unk>"]
SHARPS = ["#", "###b", "<unk>"]
RULES = ["a b", "b b", "ab b"]
POWERS = ["a a", "aa aa", "aaaa aaaa", "aaaa aa", "aa a"]


def pictures() -> dict[str, Drawing]:
    """By name of the file, without its ending."""
    vocabulary = Vocabulary(ENTRIES)
    one, two = precompute(Trie(vocabulary, keep=shown)), precompute(Trie(Vocabulary(SHARPS), roots=2, keep=shown))
    rules, powers, pairs = (normalize(dictionary_of(rules), "equation") for rules in (RULES, POWERS, ["b b"]))
    tree = SuffixSuccessorTree(SuccessorForest(powers), SuffixAutomaton(powers), "aaaaaaaa")
    return {
        "trie": one.trie.draw(), "tables": one.draw(), "two_roots": two.draw(), "transducer": Transducer(one).draw(),
        "forest": SuccessorForest(rules).draw(), "automaton": SuffixAutomaton(rules).draw(), "suffixes": tree.draw(),
        "centroids": CentroidTree(tree).draw(), "prefixes": Prefixes(rules, "abbbb").draw(criterion=None),
        **{f"frontier_{criterion}": Prefixes(pairs, "bbbb").draw(criterion=criterion)
           for criterion in ("window", "chain", "maximal")},
    }


def shown(token: str, body: bool) -> bool:
    """All but <unk>, which is no string of the paper's V."""
    return token != "<unk>"


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the pictures of the essays.")
    parser.add_argument("--check", action="store_true", help="only say which differ from the files")
    check = parser.parse_args().check
    differ = []
    for name, drawing in pictures().items():
        path = FOLDER / f"{name}.svg"
        if check and (not path.exists() or path.read_text(encoding="utf-8") != drawing.svg):
            differ.append(path.name)
        elif not check:
            drawing.save(path)
    if differ:
        raise SystemExit(f"not as drawn now: {', '.join(differ)}; run python scripts/make_pictures.py")


if __name__ == "__main__":
    main()
