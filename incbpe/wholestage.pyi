from typing import final

from incbpe.laststage import LastStage

@final
class WholeStage(LastStage): ...
