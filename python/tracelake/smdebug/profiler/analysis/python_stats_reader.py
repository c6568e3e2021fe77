"""Finds the Python profiles in a folder or a bucket."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tracelake.smdebug._profile import Profile
from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import StepPythonProfileStats
from tracelake.smdebug.profiler.profiler_constants import (
    CPROFILE_NAME,
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LocalPythonStatsReader", "PythonStatsReader", "S3PythonStatsReader"]

_PROFILERS = {
    CPROFILE_STATS_FILENAME: CPROFILE_NAME,
    PYINSTRUMENT_JSON_FILENAME: PYINSTRUMENT_NAME,
    PYINSTRUMENT_HTML_FILENAME: PYINSTRUMENT_NAME,
}


class PythonStatsReader:
    """Finds Python profiles.

    Args:
        profile_dir: Folder with a folder for each process, which has a folder for each profile.
    """

    profile: Profile
    """The profile in the lake, with the rows of these Python profiles."""

    def __init__(self, profile_dir: str | os.PathLike[str]) -> None:
        """Stores the path of the folder."""
        self.profile_dir = os.fspath(profile_dir)
        self.paths: dict[str, str] = {}
        """The value of the lake's column `profile` for the path of each file."""
        self._is_fresh = True

    def load_python_profile_stats(self) -> list[StepPythonProfileStats]:
        """Returns the profiles, sorted by start and process."""
        raise NotImplementedError

    def _list_files(self) -> Iterator[tuple[list[str], str, int]]:
        """Yields the files of the profiles: parts of the path below the root, address, and size in bytes."""
        if not self._is_fresh:
            self.profile.refresh()
        self._is_fresh = False
        text = "select url, source, bytes from object where run = $run order by object"
        for row in self.profile.session.sql(text, run=self.profile.run).to_arrow().to_pylist():
            parts = unquote(row["url"].removeprefix(row["source"])).strip("/").split("/")
            if parts[-1] in _PROFILERS:
                yield parts, row["url"], row["bytes"]


class LocalPythonStatsReader(PythonStatsReader):
    """Finds Python profiles in a folder, without any change to it.

    Args:
        profile_dir: `.../framework/<framework>/<profiler>`.
    """

    def __init__(self, profile_dir: str | os.PathLike[str]) -> None:
        """Opens the folder."""
        _check_folder(profile_dir, "The provided stats directory does not exist!")
        super().__init__(profile_dir)
        self.profile = Profile(self.profile_dir)

    def load_python_profile_stats(self) -> list[StepPythonProfileStats]:
        """Returns the profiles, sorted by start and process; skips other files."""
        framework = Path(os.path.abspath(self.profile_dir)).parent.name  # noqa: PTH100 - does not follow links
        profiles: list[StepPythonProfileStats | None] = []
        for parts, _, _ in self._list_files():
            if len(parts) == len(("process", "folder", "file")):
                path = str(Path(self.profile_dir, *parts))
                self.paths[path] = "/".join(parts)
                profiles.append(_parse_profile(framework, parts, path))
        return _sort_profiles(profiles)


class S3PythonStatsReader(PythonStatsReader):
    """Finds Python profiles in a bucket, and copies each of their files once.

    Args:
        profile_dir: Folder for the copies, in `python_stats/<process>/<profile>/` below it.
        s3_path: `s3://` address of the profile, the folder that contains `framework`.
    """

    def __init__(self, profile_dir: str | os.PathLike[str], s3_path: str) -> None:
        """Opens the profile."""
        _check_folder(profile_dir, "The provided profile directory does not exist!")
        super().__init__(Path(profile_dir) / "python_stats")
        if not s3_path.startswith("s3://"):
            message = "The provided s3 path should have the following format: s3://bucket_name/..."
            raise AssertionError(message)
        self.profile = Profile(s3_path)

    def load_python_profile_stats(self) -> list[StepPythonProfileStats]:
        """Returns the profiles, sorted by start and process; downloads new files first."""
        profiles: list[StepPythonProfileStats | None] = []
        for parts, url, size in self._list_files():
            # framework, <framework>, <profiler>, process, folder, file
            if len(parts) < len(("framework", "profiler", "process", "folder", "file")):
                continue
            path = Path(self.profile_dir, *parts[-3:])
            self.paths[str(path)] = "/".join(parts)
            profile = _parse_profile(parts[-5], parts, str(path))
            profiles.append(profile)
            if profile is None or (path.is_file() and path.stat().st_size == size):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f"{path.name}.{os.getpid()}.part")
            partial.write_bytes(self.profile.session.object_bytes(url))
            partial.replace(path)
        return _sort_profiles(profiles)


def _check_folder(folder: str | os.PathLike[str], message: str) -> None:
    if not Path(folder).is_dir():
        raise AssertionError(message)


def _parse_profile(framework: str, parts: list[str], path: str) -> StepPythonProfileStats | None:
    """Returns the profile in this file; None if the name of its folder has another form."""
    process, folder, name = parts[-3:]
    try:
        return StepPythonProfileStats(framework, _PROFILERS[name], process, folder, path)
    except ValueError:
        return None


def _sort_profiles(profiles: list[StepPythonProfileStats | None]) -> list[StepPythonProfileStats]:
    valid = [one for one in profiles if one is not None]
    return sorted(valid, key=lambda one: (one.start_time_since_epoch_in_micros, one.node_id))
