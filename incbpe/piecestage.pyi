from typing import final

from typing_extensions import disjoint_base

from incbpe.stages import Stage

@disjoint_base
class LastStage(Stage): ...

@final
class WholeStage(LastStage): ...

@final
class SplitStage(LastStage): ...

@final
class CutStage(LastStage): ...
