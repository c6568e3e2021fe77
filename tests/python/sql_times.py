"""SQL with times as people write them, and what pandas computes for the same rows.

Each case has SQL over the steps of the profile `pytorch_ddp`, the values of its only column, and their unit.
"""

import pandas as pd

START = pd.Timestamp("2026-10-01T12:17:06", tz="UTC")
DAY = "2026-10-01"


def count(mask):
    return [int(mask.sum())]


def ns(times):
    return [time.value for time in times]


def cases(ts, dur):
    """Returns the cases: SQL, values and unit.

    Args:
        ts: Series of the times of all steps, in order.
        dur: Series of their durations in ns.
    """
    exact = ts[ts >= ts.iloc[0] + (ts.iloc[-1] - ts.iloc[0]) / 2].iloc[0]
    text = f"2026-10-01T12:17:06.{exact.value % 10**9:09d}"
    end = ts + pd.to_timedelta(dur, unit="ns")
    where = "select count(*) from step where "
    every = "select {} as x from step order by ts, dur"
    half_minute = pd.Timestamp("2026-10-01T12:16:30", tz="UTC")
    return [
        (where + f"ts > '{DAY}'", count(ts > pd.Timestamp(DAY, tz="UTC")), "count"),
        (where + f"ts >= '{text}'", count(ts >= exact), "count"),
        (where + f"'{text}' > ts", count(ts < exact), "count"),
        (where + f"ts = '{text}Z'", count(ts == exact), "count"),
        (where + f"ts <> '{text}'", count(ts != exact), "count"),
        (where + "ts < '2026-10-01 12:17'", count(ts < START.floor("min")), "count"),
        (where + "ts < '2026-10-01T14:18+02:00'", count(ts < START.ceil("min")), "count"),
        (where + f"ts between '{text}' and '2027-01-01'", count(ts >= exact), "count"),
        (where + f"ts not between '{text}' and '2027-01-01'", count(ts < exact), "count"),
        (where + f"ts in ('{text}', '2026-10-02')", count(ts == exact), "count"),
        (where + f"ts > timestamp '{text.replace('T', ' ')}'", count(ts > exact), "count"),
        (where + f"ts > date '{DAY}'", count(ts > pd.Timestamp(DAY, tz="UTC")), "count"),
        (where + f"ts between date '{DAY}' and timestamp '{text}'", count(ts <= exact), "count"),
        (where + "ts < now()", count(ts < pd.Timestamp.now(tz="UTC")), "count"),
        (where + "ts > now() - interval '20 years'", [len(ts)], "count"),
        (where + f"ts + dur > '{text}'", count(end > exact), "count"),
        (where + f"ts > timestamp '{text}' + interval '5 ms'", count(ts > exact + pd.Timedelta("5ms")), "count"),
        (where + f"date_trunc('second', ts) = '{START:%Y-%m-%dT%H:%M:%S}'", count(ts.dt.floor("s") == START), "count"),
        (f"select sum(case when ts > '{text}' then 1 else 0 end) from step", count(ts > exact), None),
        (f"select count(*) from (select max(ts) as last from step) where last > '{text}'", [1], "count"),
        (f"select max(ts) from step having min(ts) < '{text}'", ns([ts.max()]), "time"),
        ("select min(ts) from step", ns([ts.min()]), "time"),
        ("select max(ts) - min(ts) from step", [(ts.max() - ts.min()).value], "ns"),
        ("select avg(dur) from step", [dur.mean()], "ns"),
        (every.format("ts + dur"), ns(end), "time"),
        (every.format("date_trunc('minute', ts)"), ns(ts.dt.floor("min")), "time"),
        (every.format("date_bin(interval '10 ms', ts)"), ns(ts.dt.floor("10ms")), "time"),
        (
            every.format("date_bin(interval '1 minute', ts, timestamp '2026-01-01T00:00:30')"),
            ns([half_minute] * len(ts)),
            "time",
        ),
        (every.format("ts + interval '90 minutes'"), ns(ts + pd.Timedelta("90min")), "time"),
        (every.format("ts - interval '1 day'"), ns(ts - pd.Timedelta("1D")), "time"),
        (every.format(f"ts - timestamp '{text}'"), [(time - exact).value for time in ts], "ns"),
        (every.format(f"ts - '{text}'"), [(time - exact).value for time in ts], "ns"),
        (every.format(f"greatest(ts, '{text}')"), ns([max(time, exact) for time in ts]), "time"),
        (
            every.format(f"coalesce(nullif(ts, '{text}'), '{DAY}')"),
            ns([START.floor("D") if time == exact else time for time in ts]),
            "time",
        ),
        (every.format("extract(year from ts)"), list(ts.dt.year), None),
        (every.format("date_part('minute', ts)"), list(ts.dt.minute), None),
        (every.format("to_char(ts, '%Y-%m-%d %H:%M')"), list(ts.dt.strftime("%Y-%m-%d %H:%M")), None),
        (every.format("to_timestamp(ts)"), list(ts.dt.tz_localize(None)), None),
        (every.format("cast(ts as timestamp)"), list(ts.dt.tz_localize(None)), None),
        (every.format("to_unixtime(ts)"), [time.value // 10**9 for time in ts], None),
        (every.format(f"case ts when '{text}' then 1 else 0 end"), [int(time == exact) for time in ts], None),
        (every.format("cast(ts as date)"), list(ts.dt.date), None),
        (every.format("coalesce(ts, 0)"), ns(ts), "time"),
        ("select distinct date_trunc('hour', ts) from step group by ts", ns([START.floor("h")]), "time"),
    ]


def steps(session):
    """Returns the columns `ts` and `dur` of all steps, in order."""
    rows = session.sql("select ts, dur from step where run = 'pytorch_ddp' order by ts, dur").to_pandas()
    return rows["ts"], rows["dur"].astype("int64")
