"""regrapht: slow code to fast, verified CUDA."""

__version__ = "0.1.0"
