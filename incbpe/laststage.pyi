from typing_extensions import disjoint_base

from incbpe.stages import Stage

@disjoint_base
class LastStage(Stage): ...
