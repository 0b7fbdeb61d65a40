from typing import final

@final
class Backlog: ...
