from collections.abc import Iterable

from linmaxmatch.layout import Layout

def side_by_side(
    layout: Layout, stretches: Iterable[bytes], by: int, *, unk: int = 0, cap: int | None = None,
    cap_in_bytes: bool = False,
) -> tuple[list[list[int]], int]: ...
def use_way(by: int) -> None: ...
