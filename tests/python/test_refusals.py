"""Files of other tools are refused by name, with what to give instead."""

import pytest

import tracelake as tl
from tracelake.errors import UnrecognizedError

# What each file of `../shared/data/cases` is, and a word of what to give instead.
FILES = {
    "24-packed/e-trace.json.zip": ("a ZIP archive", "unpack"),
    "24-packed/g-utf16.json": ("a text in UTF-16", "iconv"),
    "33-other-profiles/memory.pickle": ("a snapshot of CUDA memory", "profile_memory=True"),
    "33-other-profiles/trainer.cpuprofile": ("a CPU profile", "cProfile"),
    "33-other-profiles/script.py.lprof": ("a profile of line_profiler", "cProfile"),
    "33-other-profiles/scalene.json": ("a profile of scalene", "cProfile"),
    "33-other-profiles/flops.txt": ("a report of DeepSpeed's flops profiler", "record_shapes=True"),
    "45-other-tables/memory_timeline.json": ("a memory timeline", "allocations"),
    "45-other-tables/ultralytics-results.csv": ("results of a training by Ultralytics", "torch.profiler"),
    "45-other-tables/report1_cuda_gpu_kern_sum.csv": ("a table of `nsys stats`", "nsys export"),
    "45-other-tables/nvidia-smi.csv": ("a log of nvidia-smi", "tracelake record"),
    "45-other-tables/wandb-events.jsonl": ("data of Weights & Biases", "tracelake record"),
    "45-other-tables/timm-summary.csv": ("a summary of a training by timm", "torch.profiler"),
    "45-other-tables/key_averages.txt": ("a table of `key_averages()`", "export_chrome_trace"),
}


@pytest.mark.parametrize("file", FILES)
def test_a_file_of_another_tool_is_refused_by_name(shared, tmp_path, file):
    what, instead = FILES[file]
    with tl.open(tmp_path / "lake", create=True) as session:
        with pytest.raises(UnrecognizedError) as refused:
            session.ingest(shared / "data" / "cases" / file, run="r")
        assert what in str(refused.value)
        assert instead in str(refused.value)
        assert "folder" not in str(refused.value) or "ZIP" in what
        assert session.runs().to_arrow().num_rows == 0


def test_a_folder_with_a_profile_and_other_files_is_read(shared):
    with tl.open(shared / "data" / "cases" / "24-packed", ephemeral=True, run="r") as session:
        reasons = [row["error"] for row in session.sql("SELECT error FROM object WHERE error IS NOT NULL").rows()]
        assert sorted(reason.split(",")[0] for reason in reasons) == ["a ZIP archive", "a text in UTF-16"]
        assert session.sql("SELECT count(*) AS n FROM device_work")["n"][0] > 0


def test_a_single_file_is_not_asked_for_its_folder(tmp_path):
    (tmp_path / "notes.txt").write_text("to do: buy milk\n")
    with pytest.raises(UnrecognizedError, match="not recognized") as refused:
        tl.open(tmp_path / "notes.txt", ephemeral=True)
    assert "tracelake formats" in str(refused.value)
    assert "folder" not in str(refused.value)
