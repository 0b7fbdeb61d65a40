from typing import final

from incbpe.laststage import LastStage

@final
class CutStage(LastStage): ...
