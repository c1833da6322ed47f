"""Every environment variable that regrapht reads, one function each. Nothing else in the package looks at the environment."""

import math
import os
import shutil
from pathlib import Path

from regrapht.errors import ConfigError


def home() -> Path:
    """Where runs, blobs and verdicts are stored: `REGRAPHT_HOME`, else `regrapht` in the XDG data folder."""
    if value := os.environ.get("REGRAPHT_HOME"):
        return Path(value).expanduser().absolute()
    return data_folder() / "regrapht"


def data_folder() -> Path:
    """Where programs keep their users' data: `XDG_DATA_HOME`, else `.local/share` in the home."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def configuration_files() -> tuple[Path, ...]:
    """Where a user's configuration is looked for, what counts more first: `regrapht.toml` in the working folder, then in `XDG_CONFIG_HOME`,
    else `.config` in the home."""
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return (Path("regrapht.toml").absolute(), folder / "regrapht.toml")


def cache() -> Path:
    """Where built harnesses and other things that can be made again are kept.

    `REGRAPHT_CACHE`, else `regrapht` in the XDG cache folder. For root it is `/var/cache/regrapht`: sandboxed processes run as another
    user, who can read that folder but not root's home.
    """
    if value := os.environ.get("REGRAPHT_CACHE"):
        return Path(value).expanduser().absolute()
    if folder := os.environ.get("XDG_CACHE_HOME"):
        return Path(folder) / "regrapht"
    return Path("/var/cache/regrapht") if os.geteuid() == 0 else Path.home() / ".cache" / "regrapht"


def serve_token() -> str | None:
    """What callers of a server must send, `REGRAPHT_TOKEN`; None where it is not set, and a new one is made."""
    return os.environ.get("REGRAPHT_TOKEN") or None


def pools() -> Path:
    """Where the judge keeps the secret inputs and outputs of bench shapes; no sandbox may show it."""
    return cache() / "pools"


def pool_bytes() -> int:
    """The most bytes of `pools()`: `REGRAPHT_POOL_GIB`, else 20 GiB. 0 keeps nothing there.

    Raises:
        ConfigError: It is no number of at least 0.
    """
    return int(_number("REGRAPHT_POOL_GIB", 20, least=0, wanted="a number of gibibytes, such as 20") * 2**30)


def bench_sets() -> int:
    """How many secret data sets each bench shape gets in time: `REGRAPHT_BENCH_SETS`, else 4. Each costs a run of the reference.

    Raises:
        ConfigError: It is no whole number of at least 1.
    """
    text = os.environ.get("REGRAPHT_BENCH_SETS") or "4"
    if not (text.isdecimal() and int(text) > 0):
        raise ConfigError(f"REGRAPHT_BENCH_SETS is {text!r}: give a whole number of at least 1")
    return int(text)


def proof_seconds() -> float:
    """How long a slow reference may run at a bench shape to prove its `fast` one: `REGRAPHT_PROOF_S`, else 600. Unproven is a label.

    Raises:
        ConfigError: It is no number of at least 1.
    """
    return _number("REGRAPHT_PROOF_S", 600, least=1, wanted="seconds, at least 1")


def _number(name: str, default: float, *, least: float, wanted: str) -> float:
    text = os.environ.get(name) or str(default)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number < 2**20:
        raise ConfigError(f"{name} is {text!r}: give {wanted}")
    return number


def nvcc() -> str | None:
    """The CUDA compiler to use, `REGRAPHT_NVCC`; `none` for no compiler, though one be there; None to look for one."""
    return os.environ.get("REGRAPHT_NVCC") or None


def cuda_home() -> Path | None:
    """The CUDA toolkit's folder, `CUDA_HOME`; None when unset."""
    value = os.environ.get("CUDA_HOME")
    return Path(value) if value else None


def visible_gpus() -> str | None:
    """Which GPUs may be used, `CUDA_VISIBLE_DEVICES` as CUDA reads it: the first of them judges. None when unset: all."""
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def cxx() -> str:
    """The C++ compiler, `CXX`, else `g++`: its full path, as this process finds it, or the bare name when it is not there.

    A sandbox has a search path of its own, on which the same name may be another compiler.

    Raises:
        ConfigError: `CXX` is a program with arguments.
    """
    name = os.environ.get("CXX") or "g++"
    found = shutil.which(name)
    if found is None and len(name.split()) > 1:
        raise ConfigError(f"CXX is {name!r}: name a program alone, without arguments")
    return os.path.abspath(found) if found else name


def bubblewrap() -> str:
    """The bubblewrap program, `REGRAPHT_BWRAP`, else `bwrap` on the path."""
    return os.environ.get("REGRAPHT_BWRAP") or "bwrap"


def model_key() -> str | None:
    """The key for a model's endpoint, `REGRAPHT_API_KEY`, else `OPENAI_API_KEY`. Never written anywhere."""
    return os.environ.get("REGRAPHT_API_KEY") or os.environ.get("OPENAI_API_KEY") or None


def allow_remote() -> bool:
    """Whether model endpoints off this machine may be used without `--allow-remote`: `REGRAPHT_ALLOW_REMOTE=1`."""
    return os.environ.get("REGRAPHT_ALLOW_REMOTE") == "1"


def no_colour() -> bool:
    """Whether a user wants none on a terminal: `NO_COLOR` is set to anything."""
    return bool(os.environ.get("NO_COLOR"))


def keep_ray_quiet() -> None:
    """Ray sends no statistics of its use, and does not change which GPUs a process without any sees: it reads both from the environment."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
