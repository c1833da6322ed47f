"""The process in which llama.cpp runs a model: `python -m regrapht.llm.gguf_process FILE CONTEXT THREADS`.

What llama.cpp aborts on ends this process alone. The first line of standard input is the key that requests carry; the answer, one line of
JSON on standard output, is where requests go on loopback, or an error. The process ends when its standard input does, and so with whoever
started it, however that ended.
"""

import json
import os
import sys
import threading
import time

_READ_AT_ONCE = 256
"""Tokens of a prompt between two words of how far it is read, and the longest that a call which is given up goes on."""


def main(arguments: list[str]) -> int:
    """Load, serve, and end with standard input."""
    file, context, threads = arguments[0], *map(int, arguments[1:3])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what C code prints is no answer
    key = os.read(0, 4096).decode().strip()
    threading.Thread(target=_end_with_input, daemon=True).start()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = file
    params.model_alias = {os.path.basename(file).removesuffix(".gguf")}
    params.n_ctx = context
    params.n_parallel = 1
    params.n_batch = _READ_AT_ONCE
    params.cpuparams.n_threads, params.cpuparams_batch.n_threads = threads, threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.warmup = False
    params.ui = False
    params.verbosity = 2
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        _let_the_log_be_written()
        print(json.dumps({"error": str(error)}), file=answers, flush=True)
        return 1
    print(json.dumps({"url": f"{server.listening_address}/v1"}), file=answers, flush=True)
    threading.Event().wait()
    return 0


def _let_the_log_be_written(longest_s: float = 5.0) -> None:
    """llama.cpp writes down what it found wrong in a thread of its own, late on a busy machine: until no more comes."""
    until, before = time.monotonic() + longest_s, 0
    while time.monotonic() < until:
        written = os.fstat(2).st_size
        if written and written == before:
            return
        before = written
        time.sleep(0.1)


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
