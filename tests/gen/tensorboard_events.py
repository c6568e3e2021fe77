"""Writes an event file with TensorBoard's own writer: a scalar of each form and type, and values that are not scalars.

  pip install tensorboard numpy
  python tests/gen/tensorboard_events.py --out tests/data/tensorboard_events

The writer adds a time, the machine and the process to the file's name. This script renames the file and sets its times.
"""

import argparse
from pathlib import Path

import numpy as np
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DataType
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util.tensor_util import make_tensor_proto

T = 1_600_000_000.0  # s
NAME = "events.out.tfevents.1600000000.trainer.example.com.4321.0"


def tensor(dtype, shape=(), **values):
    """Returns a tensor from its fields."""
    dims = [TensorShapeProto.Dim(size=size) for size in shape]
    return TensorProto(dtype=DataType.Value(dtype), tensor_shape=TensorShapeProto(dim=dims), **values)


def scalars():
    """Tags and values of all scalars, in the order of steps."""
    yield "simple", Summary.Value(simple_value=0.1)
    yield "simple_nan", Summary.Value(simple_value=float("-nan"))
    yield "simple_inf", Summary.Value(simple_value=float("-inf"))
    for name, value in (
        ("float32", np.float32(0.1)),
        ("float64", np.float64(0.1)),
        ("int32", np.int32(-3)),
        ("int64", np.int64(2**40)),
        ("bool", np.bool_(1)),
        ("rank_1", np.array([2.5], np.float32)),
        ("rank_3", np.array([[[2.5]]], np.float64)),
    ):
        yield name, Summary.Value(tensor=make_tensor_proto(value))
    yield "half", Summary.Value(tensor=tensor("DT_HALF", half_val=[0x3555]))
    yield "bfloat16", Summary.Value(tensor=tensor("DT_BFLOAT16", half_val=[0xC049]))
    yield "uint64", Summary.Value(tensor=tensor("DT_UINT64", uint64_val=[2**63]))
    yield "zero_left_out", Summary.Value(tensor=tensor("DT_FLOAT"))
    for name, dtype, array in (
        ("content_float", "DT_FLOAT", np.array(0.1, "<f4")),
        ("content_half", "DT_HALF", np.array(-1.5, "<f2")),
        ("content_int16", "DT_INT16", np.array(-7, "<i2")),
        ("content_uint8", "DT_UINT8", np.array(200, "u1")),
    ):
        yield name, Summary.Value(tensor=tensor(dtype, tensor_content=array.tobytes()))


def non_scalars():
    """Values that are not scalars."""
    yield "image", Summary.Value(image=Summary.Image(height=1, width=1, colorspace=1, encoded_image_string=b"png"))
    yield "audio", Summary.Value(audio=Summary.Audio(sample_rate=8000, num_channels=1, length_frames=0))
    yield "histogram", Summary.Value(histo=HistogramProto(min=0, max=1, num=2, bucket_limit=[1], bucket=[2]))
    yield "text", Summary.Value(tensor=make_tensor_proto(b"hello"))
    yield "vector", Summary.Value(tensor=make_tensor_proto(np.zeros(3, np.float32)))
    yield "complex", Summary.Value(tensor=tensor("DT_COMPLEX64", scomplex_val=[1, 2]))
    yield "nothing", Summary.Value()


def main():
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    writer = EventFileWriter(str(out))
    for step, (tag, value) in enumerate((*scalars(), *non_scalars())):
        value.tag = tag
        writer.add_event(Event(wall_time=T + step / 4, step=step, summary=Summary(value=[value])))
    pair = [Summary.Value(tag=tag, simple_value=value) for tag, value in (("a", 1.0), ("b", 2.0))]
    writer.add_event(Event(wall_time=T + 60, step=-1, summary=Summary(value=pair)))
    writer.add_event(Event(wall_time=T + 61, graph_def=b"\x00"))
    writer.close()
    event_file = max(out.glob("events.out.tfevents.*"), key=lambda path: path.stat().st_mtime_ns)
    event_file.rename(out / NAME)


if __name__ == "__main__":
    main()
