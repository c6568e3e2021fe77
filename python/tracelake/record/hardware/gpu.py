"""Reads GPU metrics from NVML."""

from __future__ import annotations

import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class Gpus:
    """The GPUs of the machine; the list is empty without `nvidia-ml-py` or without a driver.

    Example:
        >>> isinstance(tl.record.hardware.gpu.Gpus().devices(), list)
        True
    """

    def __init__(self) -> None:
        self._handles: list[Any] = []
        try:
            self._nvml: Any = import_module("pynvml")
            self._nvml.nvmlInit()
            self._handles = [self._nvml.nvmlDeviceGetHandleByIndex(n) for n in range(self._nvml.nvmlDeviceGetCount())]
        except Exception:  # noqa: BLE001 - library, driver or GPU is missing: nothing to measure
            self._handles = []

    def devices(self) -> list[dict[str, Any]]:
        """Returns name and memory of each GPU.

        Example:
            >>> all(device["device"].startswith("gpu") for device in tl.record.hardware.gpu.Gpus().devices())
            True
        """
        rows: list[dict[str, Any]] = []
        for number, handle in enumerate(self._handles):
            raw = self._nvml.nvmlDeviceGetName(handle)
            name = raw.decode() if isinstance(raw, bytes) else raw
            memory = self._nvml.nvmlDeviceGetMemoryInfo(handle).total
            rows.append({"device": f"gpu{number}", "name": name, "memory_bytes": memory})
        return rows

    def rows(self) -> Iterator[tuple[str, str | None, str, float, str]]:
        """Yields the current utilization and memory of each GPU; skips a GPU that does not respond.

        Example:
            >>> len(list(tl.record.hardware.gpu.Gpus().rows())) % 3
            0
        """
        for number, handle in enumerate(self._handles):
            try:
                busy = self._nvml.nvmlDeviceGetUtilizationRates(handle)
                memory = self._nvml.nvmlDeviceGetMemoryInfo(handle)
            except self._nvml.NVMLError:
                continue
            device = f"gpu{number}"
            yield "gpu", device, "utilization", busy.gpu, "percent"
            yield "gpu", device, "memory_utilization", 100 * memory.used / memory.total, "percent"
            yield "gpu", device, "memory_used", memory.used, "bytes"


class Utilization:
    """Measures the mean utilization of the GPUs until `stop`, with a thread if there is a GPU.

    Example:
        >>> watch = tl.record.hardware.gpu.Utilization()
        >>> watch.stop() is None or not watch.gpus  # no GPU, or no time to sample it
        True
    """

    def __init__(self, every: float = 0.1) -> None:
        gpus = Gpus()
        self.gpus = len(gpus.devices())
        self._values: list[float] = []
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        if self.gpus:
            self._thread = threading.Thread(target=self._sample, args=(gpus, every), daemon=True)
            self._thread.start()

    def _sample(self, gpus: Gpus, every: float) -> None:
        while not self._stopped.wait(every):
            self._values += [value for _, _, metric, value, _ in gpus.rows() if metric == "utilization"]

    def stop(self) -> float | None:
        """Stops measuring and returns the mean in percent; `None` without a sample.

        Example:
            >>> value = tl.record.hardware.gpu.Utilization().stop()
        """
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=1)
        return sum(self._values) / len(self._values) if self._values else None
