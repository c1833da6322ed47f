"""CUDA C++ on a CPU: outputs, memory faults and modelled evidence without a GPU. `emulator.py` is the way in; `runtime/` is its C++."""
