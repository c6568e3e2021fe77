"""Identifies the recording process: its machine, process id, rank and world size."""

from __future__ import annotations

import os
import platform
import socket
import sys
from typing import Any

# Environment variables of launchers: torchrun, Slurm, Open MPI, MPICH and derivatives.
_RANK = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
_LOCAL_RANK = ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")
_WORLD_SIZE = ("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
_NODE = ("SLURMD_NODENAME",)
_LIBRARIES = ("torch", "lightning", "numpy", "tensorflow", "jax")


def read_number(names: tuple[str, ...]) -> int | None:
    """Returns the number in the first of these environment variables that contains a whole number.

    Example:
        >>> import os
        >>> os.environ["TRACELAKE_DOC_RANK"] = "3"
        >>> tl.record.output.origin.read_number(("TRACELAKE_DOC_NONE", "TRACELAKE_DOC_RANK"))
        3
    """
    for name in names:
        value = os.environ.get(name, "")
        if value.isdecimal():
            return int(value)
    return None


def get_origin() -> dict[str, Any]:
    """Returns machine, process, rank and world size; torch.distributed has priority over the environment.

    Example:
        >>> tl.record.output.origin.get_origin()["pid"] == os.getpid()
        True
    """
    rank, world_size = read_number(_RANK), read_number(_WORLD_SIZE)
    # used only if the program has imported it: a recorder imports no library
    distributed = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        rank, world_size = distributed.get_rank(), distributed.get_world_size()
    node = next((os.environ[name] for name in _NODE if os.environ.get(name)), None)
    return {
        "host": node or socket.gethostname(),
        "pid": os.getpid(),
        "rank": rank,
        "local_rank": read_number(_LOCAL_RANK),
        "world_size": world_size,
    }


def get_versions() -> dict[str, str]:
    """Returns the versions of Python and of the training libraries that the program has imported.

    Example:
        >>> "python" in tl.record.output.origin.get_versions()
        True
    """
    versions = {"python": platform.python_version()}
    for name in _LIBRARIES:
        version = getattr(sys.modules.get(name), "__version__", None)
        if version is not None:
            versions[name] = str(version)
    return versions
