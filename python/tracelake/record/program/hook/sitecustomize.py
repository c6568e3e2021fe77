"""Python imports this module at the start of each process below `tracelake record`; it makes DataLoaders record.

At startup it imports only the standard library. It imports tracelake when the program imports `torch.utils.data`. It
hides the user's own `sitecustomize`, so it runs that module as well.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

_MODULE = "torch.utils.data.dataloader"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the module of the DataLoader with the other finders, and patches it after its import."""

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
    # last in the path, so that an installed package has priority
    home = os.environ["TRACELAKE_RECORD_HOME"]
    if home not in sys.path:
        sys.path.append(home)
    try:
        from tracelake.record.program import attach  # noqa: PLC0415 - only a program with loaders pays for it

        attach.patch_loader_class(module.DataLoader)
    except Exception as error:  # noqa: BLE001 - a recorder never ends the program
        print(f"tracelake record: loaders are not recorded: {error}", file=sys.stderr)  # noqa: T201 - the only way


def _chain():
    """Runs the `sitecustomize` that Python would import without this one."""
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
