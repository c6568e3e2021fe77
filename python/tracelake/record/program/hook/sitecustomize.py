"""Runs when a Python below `tracelake record` starts: makes the DataLoaders of PyTorch record themselves.

Nothing is imported here but what Python has; tracelake is, once the program imports `torch.utils.data`. A sitecustomize
of the user's own, which this one stands before, is run as well.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

_MODULE = "torch.utils.data.dataloader"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module as the others do, and has something done once it is there."""

    def find_spec(self, fullname, path=None, target=None):  # noqa: ARG002 - that of the base
        if fullname != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            _attach(module)

        spec.loader.exec_module = exec_module
        return spec


def _attach(module):
    # where the package is not installed it is found behind everything else
    home = os.environ["TRACELAKE_RECORD_HOME"]
    if home not in sys.path:
        sys.path.append(home)
    try:
        from tracelake.record.program import attach  # noqa: PLC0415 - only a program with loaders pays for it

        attach.to(module.DataLoader)
    except Exception as error:  # noqa: BLE001 - a recorder never ends the program
        print(f"tracelake record: loaders are not recorded: {error}", file=sys.stderr)  # noqa: T201 - the only way


def _chain():
    """Runs the sitecustomize that Python would have found without this one."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - no import for this
    others = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]  # noqa: PTH100 - the same
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if "TRACELAKE_RECORD" in os.environ:
    sys.meta_path.insert(0, _Finder())
_chain()
