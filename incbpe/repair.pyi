from incbpe.dictionary import Dictionary

MOST_OVERLAPS: int

def repair(D: Dictionary) -> tuple[Dictionary | None, str]: ...
