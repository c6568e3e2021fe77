//! Text on figures: safe names, numbers with three significant digits, times, and labels of machines and ranks.

use std::borrow::Cow;

use arrow::temporal_conversions::timestamp_ns_to_datetime;

use tracelake_model::frame::timestamp;
pub use tracelake_model::group_digits;
use tracelake_model::table::MIN_EPOCH_TIME;
use tracelake_model::unit::Unit;

/// Maximum number of letters of a sanitized name.
const NAME_LETTERS: usize = 48;
/// Maximum width in pixels of a name next to an axis, in an 11-pixel font.
const AXIS_NAME_PIXELS: usize = 215;
/// Maximum number of letters of a wrapped name.
const WRAPPED_LETTERS: usize = 800;

/// The text with HTML special characters escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The first `max` letters of the name, with an ellipsis if it is longer.
pub(crate) fn clip(name: &str, max: usize) -> String {
    match name.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Shortens `<built-in method some.long.module.read>` to `<built-in read>`, because such names differ only at the end.
/// Returns other names unchanged.
pub(crate) fn shorten_built_in(name: &str) -> Cow<'_, str> {
    let last = name
        .strip_prefix("<built-in method ")
        .and_then(|name| name.strip_suffix('>'))
        .map(|name| name.rsplit('.').next().unwrap_or(name));
    last.map_or(Cow::Borrowed(name), |last| Cow::Owned(format!("<built-in {last}>")))
}

/// Clips and escapes a text from a profile, because plotly.js interprets some HTML in every label.
pub(crate) fn sanitize(text: &str) -> String {
    escape(&clip(text, NAME_LETTERS))
}

/// Clips and escapes a name next to an axis, so that the plot keeps two thirds of a 600-pixel page.
pub(crate) fn fit_to_axis(name: &str) -> String {
    let mut pixels = 0;
    for (index, letter) in name.char_indices() {
        pixels += match letter {
            // Ideographs and the widest letters.
            '\u{1100}'.. | 'W' | 'M' | '@' | '%' | 'm' | 'w' => 10,
            'A'..='Z' => 8,
            'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '|' | '\'' | '(' | ')' | '[' | ']' | ' ' => 4,
            _ => 7,
        };
        if pixels > AXIS_NAME_PIXELS {
            return escape(&format!("{}…", &name[..index]));
        }
    }
    escape(name)
}

/// A place on a time axis: a timestamp in the format of plotly.js, in UTC and exact to the nanosecond, or ms since the first
/// event of a recording without an epoch.
pub(crate) fn time(ns: i64) -> String {
    if ns < MIN_EPOCH_TIME {
        let (sign, size) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
        return trim_fraction(format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000));
    }
    timestamp_ns_to_datetime(ns).map_or_else(String::new, |time| time.to_string())
}

/// A time for a text: `2020-07-13 17:49:57.2 UTC`, or `+12.3 ms` in a recording without an epoch.
pub(crate) fn moment(ns: i64) -> String {
    if ns < MIN_EPOCH_TIME { timestamp(ns) } else { format!("{} UTC", time(ns)) }
}

/// A number with three significant digits, and with all digits before the decimal point.
///
/// # Units
/// None. The caller adds the unit.
#[doc(hidden)]
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "?".to_owned() };
    }
    let digits = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001].iter().position(|edge| value.abs() >= *edge);
    trim_fraction(format!("{value:.*}", digits.unwrap_or(6)))
}

/// Removes the zeros at the end of the fraction of a number.
fn trim_fraction(text: String) -> String {
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

/// A unit for the numbers of one axis, and the number to divide recorded numbers by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) unit: &'static str,
    pub(crate) divisor: f64,
}

impl Scale {
    const TIME: [Self; 4] = Self::by_thousands(["s", "ms", "us", "ns"]);
    const RATE: [Self; 4] = Self::by_thousands(["GB/s", "MB/s", "kB/s", "B/s"]);
    const BYTES: [Self; 4] = Self::by_thousands(["GB", "MB", "kB", "B"]);

    /// Scales that differ by factors of 1,000, from the largest unit to the unit of recorded values.
    const fn by_thousands([giga, mega, kilo, one]: [&'static str; 4]) -> [Self; 4] {
        [
            Self { unit: giga, divisor: 1e9 },
            Self { unit: mega, divisor: 1e6 },
            Self { unit: kilo, divisor: 1e3 },
            Self { unit: one, divisor: 1.0 },
        ]
    }

    /// The unit that fits a duration in ns.
    pub(crate) fn time(ns: f64) -> Self {
        Self::fit(Self::TIME, ns)
    }

    /// The unit that fits a rate in bytes per second.
    pub(crate) fn rate(bytes_per_s: f64) -> Self {
        Self::fit(Self::RATE, bytes_per_s)
    }

    /// The unit that fits a size in bytes.
    pub(crate) fn bytes(bytes: f64) -> Self {
        Self::fit(Self::BYTES, bytes)
    }

    /// The largest scale in which the value is at least 1, or else the smallest scale.
    fn fit(scales: [Self; 4], value: f64) -> Self {
        scales.into_iter().find(|scale| value >= scale.divisor).unwrap_or(scales[3])
    }

    /// Converts a recorded value to this unit.
    pub(crate) fn convert(self, value: f64) -> f64 {
        value / self.divisor
    }

    /// The value with its unit. A duration that needs five digits in this unit gets a larger unit.
    pub(crate) fn text(self, value: f64) -> String {
        let value = self.convert(value);
        match Self::TIME.iter().find(|time| time.unit == self.unit) {
            Some(time) if value >= 9_999.5 => duration(value * time.divisor),
            _ => format!("{} {}", number(value), self.unit),
        }
    }
}

/// A duration in ns, in the unit that fits it: from ns to hours, with at most four digits below 10,000 hours.
pub(crate) fn duration(ns: f64) -> String {
    let (value, unit) = fit_duration(ns);
    format!("{} {unit}", number(value))
}

/// A number with its unit, scaled so that it is easy to read: `1.5 ms`.
#[doc(hidden)]
pub fn amount(value: f64, unit: Option<Unit>) -> String {
    let size = value.abs();
    let text = match unit {
        Some(Unit::Ns) => duration(size),
        Some(Unit::Us) => duration(size * 1e3),
        Some(Unit::Ms) => duration(size * 1e6),
        Some(Unit::S) => duration(size * 1e9),
        Some(Unit::Bytes) => Scale::bytes(size).text(size),
        Some(Unit::BytesPerS) => Scale::rate(size).text(size),
        Some(Unit::Ratio) => return format!("{} %", number(value * 100.0)),
        Some(Unit::Percent) => return format!("{} %", number(value)),
        Some(Unit::PerS) => return format!("{} /s", number(value)),
        _ => return number(value),
    };
    if value < 0.0 { format!("-{text}") } else { text }
}

/// Converts a duration in ns to a value and the unit that fits it, from ns to hours.
fn fit_duration(ns: f64) -> (f64, &'static str) {
    match ns / 60e9 {
        minutes if minutes >= 120.0 => (minutes / 60.0, "h"),
        minutes if minutes >= 2.0 => (minutes, "min"),
        _ => (Scale::time(ns).convert(ns), Scale::time(ns).unit),
    }
}

/// A duration in ns with four significant digits, in the unit that fits it: from ns to hours.
pub(crate) fn precise_duration(ns: i64) -> String {
    let (value, unit) = fit_duration(ns.unsigned_abs() as f64);
    let digits = [1000.0, 100.0, 10.0].iter().position(|edge| value >= *edge).unwrap_or(3);
    let text = trim_fraction(format!("{value:.digits$}"));
    format!("{}{text} {unit}", if ns < 0 { "-" } else { "" })
}

/// Escapes a whole name and wraps it into lines for hover, because kernel names can be longer than a line.
pub(crate) fn wrap_name(name: &str) -> String {
    let letters: Vec<char> = name.chars().take(WRAPPED_LETTERS + 1).collect();
    let lines: Vec<String> = letters[..letters.len().min(WRAPPED_LETTERS)]
        .chunks(80)
        .map(|line| escape(&line.iter().collect::<String>()))
        .collect();
    format!("{}{}", lines.join("<br>"), if letters.len() > WRAPPED_LETTERS { "…" } else { "" })
}

/// `part` as a percentage of `whole`.
pub(crate) fn percentage(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{} %", number((1000.0 * part / whole).round() / 10.0)) } else { "0 %".to_owned() }
}

/// `1 step`, `40 steps`. A negative number counts as 0.
pub(crate) fn count(n: impl TryInto<usize>, what: &str) -> String {
    let n = n.try_into().unwrap_or(0);
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// `stream 7`, or an empty text if the number is unknown.
pub(crate) fn numbered(what: &str, number: Option<i64>) -> String {
    number.map_or(String::new(), |number| format!("{what} {number}"))
}

/// `run a, algo-1, rank 0`
pub(crate) fn process(run: &str, node: &str, rank: Option<i64>) -> String {
    join(&[&format!("run {run}"), &node_and_rank(node, rank)], ", ")
}

/// `worker 3`, or the process of a worker without a number.
pub(crate) fn worker(worker: Option<i64>, pid: Option<i64>) -> String {
    match (worker, pid) {
        (Some(worker), _) => format!("worker {worker}"),
        (None, Some(pid)) => format!("process {pid}"),
        (None, None) => "worker".to_owned(),
    }
}

/// Label of a machine and rank. Empty if the profile has neither.
pub(crate) fn node_and_rank(node: &str, rank: Option<i64>) -> String {
    join(&[node, &numbered("rank", rank)], ", ")
}

/// Joins the parts that are not empty.
pub(crate) fn join(parts: &[&str], separator: &str) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(separator)
}

/// A quantile with linear interpolation, as in SQL's `percentile_cont`. `None` if there are no values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index into the values")]
pub(crate) fn quantile(values: &[f64], fraction: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let position = fraction * (sorted.len().checked_sub(1)?) as f64;
    let low = position.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    Some(sorted[low] + (sorted[high] - sorted[low]) * position.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_in_names_is_escaped() {
        assert_eq!(sanitize("<a href=\"x\">&</a>\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt; ");
        assert_eq!(sanitize(&"x".repeat(60)), format!("{}…", "x".repeat(48)));
    }

    #[test]
    fn built_in_functions_are_shortened() {
        for (name, short) in [
            ("<built-in method tensorflow.python.TFE_Py_Execute>", "<built-in TFE_Py_Execute>"),
            ("<built-in method len>", "<built-in len>"),
            ("<method 'read' of '_io.FileIO' objects>", "<method 'read' of '_io.FileIO' objects>"),
            ("forward", "forward"),
        ] {
            assert_eq!(shorten_built_in(name), short);
        }
    }

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        assert_eq!(time(1_594_662_597_737_738_001), "2020-07-13 17:49:57.737738001");
        assert_eq!(time(0), "0");
    }

    #[test]
    fn numbers_have_three_digits_and_a_fitting_unit() {
        let texts = [84.234, 0.0, 1234.6, 0.012_345, 100.0, 2.0].map(number);
        assert_eq!(texts, ["84.2", "0", "1235", "0.0123", "100", "2"]);
        assert_eq!(Scale::time(84e6), Scale { unit: "ms", divisor: 1e6 });
        assert_eq!(Scale::time(0.0).unit, "ns");
        assert_eq!(Scale::rate(2.5e6).text(2.5e6), "2.5 MB/s");
        assert_eq!([1.2e9, 12e9, 300e9].map(|ns| Scale::time(1e6).text(ns)), ["1200 ms", "12 s", "5 min"]);
        let texts = [900.0, 84_200_000.0, 119e9, 150e9, 9e12].map(duration);
        assert_eq!(texts, ["900 ns", "84.2 ms", "119 s", "2.5 min", "2.5 h"]);
        assert_eq!(percentage(1.0, 3.0), "33.3 %");
        assert_eq!(Scale::bytes(2.5e9).text(2.5e9), "2.5 GB");
    }

    #[test]
    fn numbers_carry_their_unit() {
        assert_eq!(amount(1_500_000.0, Some(Unit::Ns)), "1.5 ms");
        assert_eq!(amount(-2e9, Some(Unit::Ns)), "-2 s");
        assert_eq!(amount(0.1234, Some(Unit::Ratio)), "12.3 %");
        assert_eq!(amount(99.5, Some(Unit::Percent)), "99.5 %");
        assert_eq!(amount(3e9, Some(Unit::Bytes)), "3 GB");
        assert_eq!(amount(0.02, Some(Unit::S)), "20 ms");
        assert_eq!(amount(2.0, None), "2");
    }

    #[test]
    fn durations_have_four_digits_and_counts_have_commas() {
        let texts = [7, 1_234, 1_500_000, 12_345_678, 86_400_000_000_001, -2_000].map(precise_duration);
        assert_eq!(texts, ["7 ns", "1.234 us", "1.5 ms", "12.35 ms", "24 h", "-2 us"]);
        assert_eq!([0, 999, 1_000, -1_234_567].map(group_digits), ["0", "999", "1,000", "-1,234,567"]);
        assert_eq!(wrap_name(&format!("{}<T>", "k".repeat(79))), format!("{}&lt;<br>T&gt;", "k".repeat(79)));
        assert!(wrap_name(&"k".repeat(900)).ends_with('…'));
    }

    #[test]
    fn quantiles_match_sql() {
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0], 0.5), Some(2.5));
        assert_eq!(quantile(&[1.0, 2.0], 0.95), Some(1.95));
        assert_eq!(quantile(&[7.0], 0.95), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
