from linmaxmatch.trie import Trie

def h(T: Trie, u: int, c: str | int) -> int | None: ...
def H(T: Trie, u: int, c: str | int) -> list[str]: ...

one_step_node = h
one_step_tokens = H
