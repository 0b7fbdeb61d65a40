from incbpe.dictionary import Dictionary

MOST_LOOKS: int

def repair(D: Dictionary) -> tuple[Dictionary | None, str]: ...
