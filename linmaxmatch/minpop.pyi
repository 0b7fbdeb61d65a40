from linmaxmatch.trie import Trie

def g(T: Trie, w: str) -> int | None: ...
def G(T: Trie, w: str) -> list[str]: ...

min_pop_node = g
min_pop_tokens = G
