"""What the driver says of one GPU now: clocks, why they are held back, heat, power, error correction, who else computes on it.

The few functions of NVIDIA's management library that the judge needs, through ctypes. It makes no CUDA context and changes no setting of
the device. What the library, the driver or our rights do not allow is None with the library's word for it, never a guess.
"""

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

LIBRARY = "libnvidia-ml.so.1"
_SUCCESS, _INSUFFICIENT_SIZE = 0, 7
_WORDS = {
    1: "not initialised",
    2: "invalid argument",
    3: "not supported",
    4: "no permission",
    6: "not found",
    7: "insufficient size",
    9: "driver not loaded",
    10: "timed out",
    12: "library not found",
    13: "function not found",
    15: "the GPU is lost",
    17: "the operating system blocks the device",
    18: "driver and library versions differ",
    999: "unknown error",
}
_SM, _MEMORY = 1, 2
REASONS = {
    0x1: "idle",
    0x2: "set_clocks",
    0x4: "sw_power_cap",
    0x8: "hw_slowdown",
    0x10: "sync_boost",
    0x20: "sw_thermal",
    0x40: "hw_thermal",
    0x80: "hw_power_brake",
    0x100: "display_clocks",
}
"""Bit of the driver's mask -> why the clock is not higher."""
_MOST_PROCESSES = 4096


class _ProcessInfo(ctypes.Structure):
    _fields_ = (
        ("pid", ctypes.c_uint),
        ("memory_bytes", ctypes.c_ulonglong),
        ("gpu_instance", ctypes.c_uint),
        ("compute_instance", ctypes.c_uint),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceState:
    """One look at a GPU. A field that could not be read is None, and `missing` says why, by the field's name."""

    sm_mhz: int | None = None
    memory_mhz: int | None = None
    default_sm_mhz: int | None = None
    """The clock that applications get unless someone set another."""
    default_memory_mhz: int | None = None
    max_sm_mhz: int | None = None
    max_memory_mhz: int | None = None
    reasons: frozenset[str] | None = None
    """Why the clocks are not higher, in the words of `REASONS`; empty when nothing holds them back."""
    temperature_c: int | None = None
    power_w: float | None = None
    power_cap_w: float | None = None
    ecc: bool | None = None
    compute_pids: tuple[int, ...] | None = None
    """Processes with a compute context, as this process's own pid namespace numbers them. In a container the driver may leave some out."""
    missing: Mapping[str, str] = field(default_factory=dict)


class Nvml:
    """One GPU, open for reading. Get one from `open_nvml`; use as a context manager, or `close` it. Threads may share it."""

    def __init__(self, library: ctypes.CDLL, device: ctypes.c_void_p, uuid: str) -> None:
        self._library, self.uuid = library, uuid
        self._device: ctypes.c_void_p | None = device

    def __enter__(self) -> "Nvml":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the library. Reading afterwards raises ValueError."""
        if self._device is not None:
            self._device = None
            self._library.nvmlShutdown()

    def state(self, *, only: frozenset[str] | None = None) -> DeviceState:
        """Look at the device now: at everything (about 4 ms on an H200), or only at the fields named, the others None."""
        if self._device is None:
            raise ValueError("the management library was closed")
        missing: dict[str, str] = {}

        def read(name: str, look: Callable[[], Any]) -> Any:
            if only is not None and name not in only:
                missing[name] = "not asked for"
                return None
            try:
                return look()
            except _Unreadable as error:
                missing[name] = str(error)
                return None

        number = ctypes.c_uint
        values = {
            "sm_mhz": lambda: self._value("nvmlDeviceGetClockInfo", number, _SM),
            "memory_mhz": lambda: self._value("nvmlDeviceGetClockInfo", number, _MEMORY),
            "default_sm_mhz": lambda: self._value("nvmlDeviceGetDefaultApplicationsClock", number, _SM),
            "default_memory_mhz": lambda: self._value("nvmlDeviceGetDefaultApplicationsClock", number, _MEMORY),
            "max_sm_mhz": lambda: self._value("nvmlDeviceGetMaxClockInfo", number, _SM),
            "max_memory_mhz": lambda: self._value("nvmlDeviceGetMaxClockInfo", number, _MEMORY),
            "reasons": self._reasons,
            "temperature_c": lambda: self._value("nvmlDeviceGetTemperature", number, 0),
            "power_w": lambda: self._value("nvmlDeviceGetPowerUsage", number) / 1000,
            "power_cap_w": lambda: self._value("nvmlDeviceGetEnforcedPowerLimit", number) / 1000,
            "ecc": self._ecc,
            "compute_pids": self._compute_pids,
        }
        return DeviceState(**{name: read(name, look) for name, look in values.items()}, missing=missing)

    def _call(self, name: str, *arguments: object) -> int:
        """The status of one call; 13, as the library itself would say, where it has no such function."""
        try:
            function = getattr(self._library, name)
        except AttributeError:
            return 13
        return int(function(self._device, *arguments))

    def _value(self, name: str, kind: type[Any], *arguments: int) -> int:
        value = kind()
        status = self._call(name, *(ctypes.c_uint(argument) for argument in arguments), ctypes.byref(value))
        if status != _SUCCESS:
            raise _Unreadable(name, status)
        return int(value.value)

    def _reasons(self) -> frozenset[str]:
        try:
            mask = self._value("nvmlDeviceGetCurrentClocksEventReasons", ctypes.c_ulonglong)
        except _Unreadable as error:
            if error.status != 13:
                raise
            # What drivers before 535 call the same.
            mask = self._value("nvmlDeviceGetCurrentClocksThrottleReasons", ctypes.c_ulonglong)
        known = {word for bit, word in REASONS.items() if mask & bit}
        rest = mask & ~sum(REASONS)
        return frozenset(known | ({f"unknown_{rest:#x}"} if rest else set()))

    def _ecc(self) -> bool:
        now, pending = ctypes.c_uint(), ctypes.c_uint()
        status = self._call("nvmlDeviceGetEccMode", ctypes.byref(now), ctypes.byref(pending))
        if status != _SUCCESS:
            raise _Unreadable("nvmlDeviceGetEccMode", status)
        return bool(now.value)

    def _compute_pids(self) -> tuple[int, ...]:
        name, room = "nvmlDeviceGetComputeRunningProcesses_v3", 16
        while room <= _MOST_PROCESSES:
            count = ctypes.c_uint(room)
            found = (_ProcessInfo * room)()
            status = self._call(name, ctypes.byref(count), found)
            if status == _SUCCESS:
                return tuple(sorted(found[i].pid for i in range(min(count.value, room))))
            if status != _INSUFFICIENT_SIZE:
                raise _Unreadable(name, status)
            room = max(2 * room, count.value)
        raise _Unreadable(name, _INSUFFICIENT_SIZE)


class _Unreadable(Exception):
    def __init__(self, function: str, status: int) -> None:
        super().__init__(f"{function}: {_WORDS.get(status, f'status {status}')}")
        self.status = status


def open_nvml(uuid: str, *, library: str = LIBRARY) -> Nvml | None:
    """The GPU with this uuid (32 hex digits, as CUDA's device properties hold them), or None.

    None when the management library is not there, does not start, or does not know the device: then nothing can be said of its state.
    """
    name = nvml_uuid(uuid)
    try:
        loaded = ctypes.CDLL(library)
        for function in ("nvmlInit_v2", "nvmlShutdown", "nvmlDeviceGetHandleByUUID"):
            getattr(loaded, function)
    except (OSError, AttributeError):
        return None
    if loaded.nvmlInit_v2() != _SUCCESS:
        return None
    device = ctypes.c_void_p()
    for prefix in ("GPU-", "MIG-"):
        if loaded.nvmlDeviceGetHandleByUUID((prefix + name).encode(), ctypes.byref(device)) == _SUCCESS:
            return Nvml(loaded, device, prefix + name)
    loaded.nvmlShutdown()
    return None


def nvml_uuid(uuid: str) -> str:
    """`00112233-4455-6677-8899-aabbccddeeff` for the 32 hex digits of it; what comes before (`GPU-`) is left to the caller.

    Raises:
        ValueError: It is not 32 hex digits.
    """
    digits = uuid.lower().replace("-", "")
    if len(digits) != 32 or any(digit not in "0123456789abcdef" for digit in digits):
        raise ValueError(f"{uuid!r} is not a GPU's uuid of 32 hex digits")
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
