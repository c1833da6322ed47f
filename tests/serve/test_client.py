"""`regrapht check` through a running server, as users have it: two processes and a store."""

import json
import os
import subprocess
import sys
import time

import pytest

from tests.serve.conftest import SAXPY

KERNEL = """#include <cuda_runtime.h>
__global__ void add(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { add<<<(n + 255) / 256, 256>>>(n, a, x, y); }
"""


@pytest.mark.slow
def test_check_uses_a_running_server_and_says_where_it_does_not(tmp_path):
    environment = {**os.environ, "REGRAPHT_HOME": str(tmp_path / "home"), "REGRAPHT_NVCC": "none"}
    (tmp_path / "saxpy.cpp").write_text(SAXPY)
    (tmp_path / "right.cu").write_text(KERNEL)
    (tmp_path / "wrong.cu").write_text(KERNEL.replace("a * x[i] +", "x[i] +"))

    def check(*options: str):
        command = [sys.executable, "-m", "regrapht", "check", "saxpy.cpp", *options, "--json", "--level", "screen"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    command = [sys.executable, "-m", "regrapht", "serve", "--port", "0", "--evaluator", "emulated"]
    server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        while not (tmp_path / "home" / "server.json").exists():
            assert server.poll() is None
            time.sleep(0.05)
        right, wrong = check("right.cu"), check("wrong.cu")
        assert right.returncode == 0 and json.loads(right.stdout)["status"] == "PASSED", right.stderr
        assert wrong.returncode == 1 and json.loads(wrong.stdout)["status"] == "WRONG_VALUE"
        own = check("right.cu", "--no-server")
        assert own.returncode == 0
    finally:
        server.send_signal(2)
        assert server.wait(30) is not None
    assert not (tmp_path / "home" / "server.json").exists()
    assert check("wrong.cu").returncode == 1
