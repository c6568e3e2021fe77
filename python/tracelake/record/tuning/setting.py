"""The settings of a loader, and a class that creates similar loaders with other settings."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from tracelake.record import argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Arguments that a new loader takes from the old one; a loader without workers refuses those of `_OF_WORKERS`.
_COPIED = ("collate_fn", "drop_last", "worker_init_fn", "generator")
_WORKER_ARGUMENTS = ("timeout", "multiprocessing_context")


@dataclass(frozen=True)
class Setting:
    """The settings of a loader that change its speed, not its data; `batch_size` is `None` if the loader has none."""

    num_workers: int = 0
    batch_size: int | None = 32
    prefetch_factor: int | None = None
    pin_memory: bool = False
    persistent_workers: bool = False

    @classmethod
    def from_loader(cls, loader: object) -> Setting:
        """Returns the settings of a loader.

        Example:
            >>> tl.record.Setting.from_loader([1, 2]).num_workers
            0
        """
        workers = int(getattr(loader, "num_workers", 0) or 0)
        return cls(
            num_workers=workers,
            batch_size=getattr(loader, "batch_size", None),
            prefetch_factor=getattr(loader, "prefetch_factor", None) if workers else None,
            pin_memory=bool(getattr(loader, "pin_memory", False)),
            persistent_workers=bool(getattr(loader, "persistent_workers", False)) and workers > 0,
        )

    def arguments(self) -> dict[str, Any]:
        """Returns the arguments of a `DataLoader`: the batch size, and the values that differ from its defaults.

        Example:
            >>> tl.record.Setting(num_workers=2, persistent_workers=True).arguments()
            {'batch_size': 32, 'num_workers': 2, 'persistent_workers': True}
            >>> tl.record.Setting(persistent_workers=True).arguments()  # refused without workers
            {'batch_size': 32}
        """
        values = asdict(self)
        order = ("batch_size", "num_workers", "pin_memory")
        if self.num_workers > 0:
            order += ("prefetch_factor", "persistent_workers")
        return {name: values[name] for name in order if name == "batch_size" or values[name]}

    def __str__(self) -> str:
        """Returns the arguments in one line."""
        return ", ".join(f"{name}={value}" for name, value in self.arguments().items())


class LimitedSampler:
    """The first indices of a sampler, in its order, so that a pass ends early."""

    def __init__(self, sampler: Iterable[Any], count: int) -> None:
        self._sampler, self._count = sampler, count

    def __iter__(self) -> Iterator[Any]:
        return islice(iter(self._sampler), self._count)

    def __len__(self) -> int:
        return min(self._count, len(self._sampler))  # type: ignore[arg-type] - samplers have a length


class Remake:
    """Makes loaders with other settings from an existing loader: same data, same order, same functions.

    Args:
        loader: A `DataLoader` of PyTorch, or an object with the same attributes.
        dataloader: Function or class that makes a loader from a dataset and the arguments of a `DataLoader`. The
            default is the class of `loader`.

    Example:
        >>> tl.record.Remake([1, 2])
        Traceback (most recent call last):
        TypeError: cannot make another loader like a list: it has no dataset
    """

    def __init__(self, loader: Any, dataloader: Callable[..., Any] | None = None) -> None:  # noqa: ANN401 - any loader
        loader = _unwrap(loader)
        if getattr(loader, "dataset", None) is None:
            message = f"cannot make another loader like a {type(loader).__name__}: it has no dataset"
            raise TypeError(argument.add_hint(message, "pass the DataLoader itself"))
        self.loader = loader
        self.setting = Setting.from_loader(loader)
        data: Any = sys.modules.get("torch.utils.data")
        if dataloader is not None:
            argument.check_function(
                dataloader, "dataloader", "a class of loaders, or a function of the arguments of one"
            )
        self._make = dataloader or type(loader)
        if dataloader is None and data is not None and isinstance(loader, data.DataLoader):
            # a subclass can have other arguments
            self._make = data.DataLoader
        self.is_iterable = data is not None and isinstance(loader.dataset, data.IterableDataset)
        batches: Any = getattr(loader, "batch_sampler", None)
        # a batch sampler of the user determines the size of batches
        self._batches = batches if self.setting.batch_size is None else None

    def __call__(self, setting: Setting, batches: int | None = None) -> Any:  # noqa: ANN401 - a loader
        """Makes a loader with these settings, and with at most `batches` batches if the data has a sampler.

        Example:
            >>> from tracelake.record.tuning.setting import Remake
            >>> class Loader(list):
            ...     def __init__(self, dataset, batch_size=1):
            ...         super().__init__(dataset)
            ...         self.dataset, self.batch_size = dataset, batch_size
            >>> Remake(Loader([1, 2, 3]))(tl.record.Setting(batch_size=2)).batch_size
            2
        """
        loader: Any = self.loader
        arguments = setting.arguments()
        names = _COPIED + (_WORKER_ARGUMENTS if setting.num_workers > 0 else ())
        arguments.update({name: value for name in names if (value := getattr(loader, name, None))})
        if self._batches is not None:
            arguments = {name: value for name, value in arguments.items() if name not in {"batch_size", "drop_last"}}
            arguments["batch_sampler"] = self._batches if batches is None else LimitedSampler(self._batches, batches)
        elif not self.is_iterable and getattr(loader, "sampler", None) is not None:
            count = None if batches is None else batches * (setting.batch_size or 1)
            arguments["sampler"] = loader.sampler if count is None else LimitedSampler(loader.sampler, count)
        try:
            return self._make(loader.dataset, **arguments)
        except TypeError as error:
            message = f"cannot make another loader of dataset, {', '.join(arguments)}: {error}"
            hint = "dataloader=..., a function of these that makes the loader"
            raise TypeError(argument.add_hint(message, hint)) from error

    def snippet(self, setting: Setting) -> str:
        """Returns the code that makes the loader, for the user's program.

        Example:
            >>> class Loader(list):
            ...     dataset = (1, 2, 3)
            >>> print(tl.record.Remake(Loader()).snippet(tl.record.Setting(num_workers=2)))
            DataLoader(
                dataset,
                batch_size=32,
                num_workers=2,
            )
        """
        loader: Any = self.loader
        lines = ["dataset"]
        arguments = setting.arguments()
        if self._batches is not None:
            arguments.pop("batch_size", None)
            lines.append("batch_sampler=loader.batch_sampler")
        elif type(getattr(loader, "sampler", None)).__name__ == "RandomSampler":
            lines.append("shuffle=True")
        elif type(getattr(loader, "sampler", None)).__module__.partition(".")[0] not in {"torch", "builtins"}:
            lines.append("sampler=loader.sampler")
        lines += [f"{name}={value}" for name, value in arguments.items()]
        if getattr(loader, "drop_last", False) and self._batches is None:
            lines.append("drop_last=True")
        functions = ("collate_fn", "worker_init_fn", "generator")
        for name in (*functions, *(_WORKER_ARGUMENTS if setting.num_workers > 0 else ())):
            value = getattr(loader, name, None)
            if value and getattr(value, "__name__", "") not in {"default_collate", "default_convert"}:
                lines.append(f"{name}=loader.{name}")
        return "DataLoader(\n" + "".join(f"    {line},\n" for line in lines) + ")"


def _unwrap(loader: Any) -> Any:  # noqa: ANN401 - any loader
    """Returns the wrapped loader of a recorder or evaluator, or the loader itself."""
    is_ours = str(type(loader).__module__).startswith("tracelake.")
    return _unwrap(vars(loader)["_loader"]) if is_ours and "_loader" in vars(loader) else loader
