"""Writes `job-m` of the golden profiles: a training run as metrics.csv and as an event file, with handmade numbers.

  python tests/gen/scalars.py --out tests/data/golden/job-m

The event file ends after step 1, as if the job had been killed, and has one scalar that metrics.csv lacks.
tests/data/golden/README.md has the numbers. Needs only the standard library. The output is the same each time.
"""

import argparse
import csv
import struct
from pathlib import Path

T = 1_600_000_200  # s
MONITOR = "DeviceStatsMonitor.on_train_batch_"
START, END = f"{MONITOR}start/cpu_percent", f"{MONITOR}end/cpu_percent"
MEMORY, RATE = f"{MONITOR}end/allocated_bytes.all.current", "train/device/batches_per_sec"

# calls of the loggers: s after T, step, epoch, scalars
CALLS = [
    (1.0, 0, None, {START: 20}),
    (1.125, 0, None, {"lr-SGD": 0.5}),
    (1.25, 0, None, {END: 40, MEMORY: 1024}),
    (1.375, 0, 0, {"train_loss": 2.1}),
    (2.0, 1, None, {START: 60}),
    (2.125, 1, None, {"lr-SGD": 0.5}),
    (2.25, 1, None, {END: 80, MEMORY: 3072}),
    (2.375, 1, 0, {"train_loss": 1.1}),
    (2.5, 1, None, {RATE: 4.0}),
    (2.625, 1, 0, {"val_loss": 1.5}),
    (3.0, 2, None, {START: 100}),
    (3.125, 2, None, {"lr-SGD": 0.25}),
    (3.375, 2, 1, {"train_loss": float("nan")}),
]
LAST_OF_EVENTS = 2.9


def masked_crc32c(data):
    """Returns the checksum of a record."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(payload):
    """Returns a record of an event file."""
    length = struct.pack("<Q", len(payload))
    checksums = (struct.pack("<I", masked_crc32c(part)) for part in (length, payload))
    return length + next(checksums) + payload + next(checksums)


def varint(number):
    """Returns an integer as a varint."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def message_field(number, content):
    """Returns a field of a message: text, bytes or another message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def event(wall_time, step=0, values=b"", version=b""):
    """Returns an event; a step of 0 is omitted, as writers do."""
    out = b"\x09" + struct.pack("<d", wall_time)
    if step:
        out += b"\x10" + varint(step)
    if version:
        out += message_field(3, version)
    return record(out + (message_field(5, values) if values else b""))


def simple_scalar(tag, number):
    """Returns a scalar in its old form."""
    return message_field(1, message_field(1, tag.encode()) + b"\x15" + struct.pack("<f", number))


def double(tag, number):
    """Returns a scalar in its new form: a tensor of rank 0."""
    tensor = b"\x08\x02" + message_field(2, b"") + message_field(6, struct.pack("<d", number))
    return message_field(1, message_field(1, tag.encode()) + message_field(8, tensor))


def write_csv(path):
    """Returns the file of CSVLogger: columns by name, blanks for missing values."""
    names = sorted({name for *_, scalars in CALLS for name in scalars} | {"step", "epoch"})
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        for _, step, epoch, scalars in CALLS:
            writer.writerow({"step": step, "epoch": "" if epoch is None else epoch, **scalars})


def write_events(path):
    """Returns the file of TensorBoard: a record per scalar, and one per epoch."""
    out = event(T, version=b"brain.Event:2")
    for seconds, step, epoch, scalars in CALLS:
        if seconds <= LAST_OF_EVENTS:
            logged = scalars if epoch is None else {**scalars, "epoch": epoch}
            out += b"".join(event(T + seconds, step, simple_scalar(*scalar)) for scalar in logged.items())
    path.write_bytes(out + event(T + 2.75, 1, double("grad_norm", 0.1)))


def main():
    """Writes both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    for folder, name, write in (
        ("csv", "metrics.csv", write_csv),
        ("tb", f"events.out.tfevents.{T}.algo-1.80.0", write_events),
    ):
        path = out / folder / "version_0" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path)


if __name__ == "__main__":
    main()
