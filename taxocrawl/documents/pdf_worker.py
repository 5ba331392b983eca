"""Reads PDFs in a process of its own, within limits: ``python -m taxocrawl.documents.pdf_worker``.

Started by `pdf_pool`; speaks `pdf_protocol` on stdin and stdout and ends with its stdin, or with
the process that started it. A hostile PDF can cost this process, but no more: it cannot take more
memory or CPU time than allowed, write files, or start other processes.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import signal
import sys
from typing import BinaryIO

from taxocrawl.documents.pdf_deadline import Deadline
from taxocrawl.documents.pdf_engines import Engine, PdfText, extract
from taxocrawl.documents.pdf_protocol import LENGTH, frame

_PR_SET_PDEATHSIG = 1
_OPEN_FILES = 32
"""Enough for pdfminer's character maps, which it opens one at a time."""
_SOFT_SHARE = 0.8
"""Share of the time limit after which reading ends by itself, with the pages read so far."""
_MAX_METADATA = 2_000
"""Characters of a title, or of all authors, that are passed on."""


def main(arguments: list[str] | None = None) -> None:
    """Serve requests on stdin until it ends."""
    parser = argparse.ArgumentParser(prog="pdf_worker", description="Reads PDFs within limits.")
    parser.add_argument("--memory-mb", type=int, required=True, help="MiB of address space")
    parser.add_argument("--max-pages", type=int, required=True, help="pages read of one PDF")
    parser.add_argument("--nice", type=int, default=0, help="added to the process's niceness")
    parser.add_argument("--parent", type=int, default=0, help="process id of who started it")
    options = parser.parse_args(arguments)
    # A service manager signals all processes of a crawl; the crawl itself closes its workers.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _die_with_parent(options.parent)
    os.nice(options.nice)
    requests, answers = _private_streams()
    _limit(options.memory_mb << 20)
    answers.write(frame(b'{"ready": true}'))
    answers.flush()
    serve(requests, answers, options.max_pages)


def serve(requests: BinaryIO, answers: BinaryIO, max_pages: int) -> None:
    """Answer requests until their stream ends."""
    while True:
        head = _read_frame(requests)
        body = _read_frame(requests)
        if head is None or body is None:
            return
        request = json.loads(head)
        seconds = float(request["seconds"])
        _limit_cpu(seconds)
        result = _extract(body, Engine(request["engine"]), max_pages, seconds)
        text = result.text.encode("utf-8", "replace")
        fields = result.as_dict()
        del fields["text"]
        answers.write(frame(json.dumps(fields).encode()) + LENGTH.pack(len(text)))
        answers.write(text)
        answers.flush()
        del body, result, text


def _extract(body: bytes, engine: Engine, max_pages: int, seconds: float) -> PdfText:
    deadline = Deadline(_SOFT_SHARE * seconds)
    try:
        result = extract(body, engine=engine, max_pages=max_pages, deadline=deadline)
    except MemoryError:
        return PdfText(reason="memory limit")
    except RecursionError as error:
        return PdfText(reason="malformed", detail=str(error))
    # A parser's bug on damaged input must cost this document only; it is reported as such.
    except Exception as error:
        return PdfText(reason="malformed", detail=f"{type(error).__name__}: {error}"[:500])
    result.title = result.title[:_MAX_METADATA]
    result.detail = result.detail[:_MAX_METADATA]
    while sum(map(len, result.authors)) > _MAX_METADATA:
        result.authors.pop()
    return result


def _read_frame(stream: BinaryIO) -> bytes | None:
    prefix = stream.read(LENGTH.size)
    if len(prefix) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(prefix)
    payload = stream.read(length)
    return payload if len(payload) == length else None


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout under other numbers, so that a library's print cannot break the protocol."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return requests, answers


def _limit(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
    if hasattr(resource, "RLIMIT_NPROC"):
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def _limit_cpu(seconds: float) -> None:
    """End the process by SIGXCPU, should its parent be unable to end it in time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; elsewhere, stdin's end must do."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent and os.getppid() != parent:
        sys.exit("pdf_worker: the process that started it is gone")


if __name__ == "__main__":
    main()
