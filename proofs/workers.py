"""Checks in several processes: each takes the next task when it has done one; what comes back is plain data.

A process that ends while it runs a check, since a fault made compiled code crash or loop, is that check's failure, and
another takes its place.
"""
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from proofs import running
from proofs.running import Task
from proofs.verdicts import Outcome

Started = Callable[[Task], None]


def work(tasks: Iterable[Task], jobs: int, paths: Iterable[Path], started: Started = lambda task: None
         ) -> Iterator[Outcome]:
    """Run tasks, each taken only when a process is free for it, and give the outcomes as they come."""
    if jobs > 1:
        yield from in_processes(iter(tasks), jobs, list(paths), started)
        return
    running.prepare(paths)
    for task in tasks:
        started(task)
        yield running.run(task)


class Worker:
    """A process, and the task that it runs now."""

    def __init__(self, context: Any, paths: list[Path]) -> None:
        self.ours, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, paths), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        self.ours.send(task)

    def take(self) -> Outcome:
        """The outcome of its task; if the process has ended, that is the outcome."""
        assert self.task is not None
        try:
            outcome: Outcome = self.ours.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            outcome = Outcome(self.task.path.stem, self.task.check)
            outcome.failure = f"the process that ran it ended with code {self.process.exitcode}"
            outcome.repeat = running.repeat(self.task, self.task.check.startswith("test_random"))
        self.task = None
        return outcome

    def stop(self) -> None:
        self.ours.close()
        self.process.terminate()
        self.process.join()


def serve(connection: Connection, paths: list[Path]) -> None:
    """What a process does: run the tasks that come, until none comes."""
    running.prepare(paths)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        connection.send(running.run(task))


def in_processes(tasks: Iterator[Task], jobs: int, paths: list[Path], started: Started) -> Iterator[Outcome]:
    context = multiprocessing.get_context("spawn")
    workers = [Worker(context, paths) for _ in range(jobs)]
    try:
        busy = [worker for worker in workers if feed(worker, tasks, started)]
        while busy:
            ready = wait([worker.ours for worker in busy])
            for worker in [worker for worker in busy if worker.ours in ready]:
                busy.remove(worker)
                yield worker.take()
                if worker.process.exitcode is not None:
                    worker.stop()
                    workers.remove(worker)
                    worker = Worker(context, paths)
                    workers.append(worker)
                if feed(worker, tasks, started):
                    busy.append(worker)
    finally:
        for worker in workers:
            worker.stop()


def feed(worker: Worker, tasks: Iterator[Task], started: Started) -> bool:
    """Give a process the next task; False if there is none."""
    task = next(tasks, None)
    if task is None:
        return False
    started(task)
    worker.give(task)
    return True
