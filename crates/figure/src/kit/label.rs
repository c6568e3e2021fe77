//! Text on figures: escaped names, numbers with three significant digits, times, and labels of machines and ranks.

use std::borrow::Cow;

use arrow::temporal_conversions::timestamp_ns_to_datetime;

/// Maximum letters of a name that is not clipped.
const NAME: usize = 48;
/// Maximum width in pixels of a name next to an axis, in an 11-pixel font.
const SIDE: usize = 215;
/// Maximum letters of a name in a hover text.
const LONGEST: usize = 800;

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

/// The first `most` letters of the name, with an ellipsis if it is longer.
pub(crate) fn clip(name: &str, most: usize) -> String {
    match name.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Shortens `<built-in method some.long.module.read>` to `<built-in read>`, because such names differ only at the end.
/// Other names do not change.
pub(crate) fn built_in(name: &str) -> Cow<'_, str> {
    let last = name
        .strip_prefix("<built-in method ")
        .and_then(|name| name.strip_suffix('>'))
        .map(|name| name.rsplit('.').next().unwrap_or(name));
    last.map_or(Cow::Borrowed(name), |last| Cow::Owned(format!("<built-in {last}>")))
}

/// A name from a profile, clipped and escaped: plotly.js interprets some HTML in every label.
pub(crate) fn plain(text: &str) -> String {
    escape(&clip(text, NAME))
}

/// A name next to an axis, clipped so that the plot has two thirds of a 600-pixel page. Show the whole name on hover.
pub(crate) fn narrow(name: &str) -> String {
    let mut used = 0;
    for (at, letter) in name.char_indices() {
        used += match letter {
            // Ideographs and the widest letters.
            '\u{1100}'.. | 'W' | 'M' | '@' | '%' | 'm' | 'w' => 10,
            'A'..='Z' => 8,
            'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '|' | '\'' | '(' | ')' | '[' | ']' | ' ' => 4,
            _ => 7,
        };
        if used > SIDE {
            return escape(&format!("{}…", &name[..at]));
        }
    }
    escape(name)
}

/// A timestamp in the format of plotly.js, exact to the nanosecond, in UTC.
pub(crate) fn time(ns: i64) -> String {
    timestamp_ns_to_datetime(ns).map_or_else(String::new, |time| time.to_string())
}

/// A number with three significant digits, but never fewer than all digits before the decimal point.
///
/// # Units
/// None. The caller adds the unit.
#[doc(hidden)]
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "?".to_owned() };
    }
    let digits = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001].iter().position(|edge| value.abs() >= *edge);
    let text = format!("{value:.*}", digits.unwrap_or(6));
    without_end_zeros(text)
}

/// The digits of a number without zeros at the end of its fraction.
fn without_end_zeros(text: String) -> String {
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

/// A unit for the numbers of one axis. A recorded number is divided by `per`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(hidden)]
pub struct Scale {
    pub(crate) unit: &'static str,
    pub(crate) per: f64,
}

impl Scale {
    const TIME: [Self; 4] = [
        Self { unit: "s", per: 1e9 },
        Self { unit: "ms", per: 1e6 },
        Self { unit: "us", per: 1e3 },
        Self { unit: "ns", per: 1.0 },
    ];
    const RATE: [Self; 4] = [
        Self { unit: "GB/s", per: 1e9 },
        Self { unit: "MB/s", per: 1e6 },
        Self { unit: "kB/s", per: 1e3 },
        Self { unit: "B/s", per: 1.0 },
    ];

    const BYTES: [Self; 4] = [
        Self { unit: "GB", per: 1e9 },
        Self { unit: "MB", per: 1e6 },
        Self { unit: "kB", per: 1e3 },
        Self { unit: "B", per: 1.0 },
    ];

    /// The unit that fits a duration in ns.
    pub(crate) fn time(ns: f64) -> Self {
        *Self::TIME.iter().find(|scale| ns >= scale.per).unwrap_or(&Self::TIME[3])
    }

    /// The unit that fits a rate in bytes per second.
    #[doc(hidden)]
    pub fn rate(bytes_per_s: f64) -> Self {
        *Self::RATE.iter().find(|scale| bytes_per_s >= scale.per).unwrap_or(&Self::RATE[3])
    }

    /// The unit that fits a size in bytes.
    #[doc(hidden)]
    pub fn bytes(bytes: f64) -> Self {
        *Self::BYTES.iter().find(|scale| bytes >= scale.per).unwrap_or(&Self::BYTES[3])
    }

    /// The value in this unit.
    pub(crate) fn of(self, value: f64) -> f64 {
        value / self.per
    }

    /// The value with its unit. A duration that needs five digits in this unit gets a larger unit.
    #[doc(hidden)]
    pub fn text(self, value: f64) -> String {
        let value = self.of(value);
        match Self::TIME.iter().find(|time| time.unit == self.unit) {
            Some(time) if value >= 9_999.5 => duration(value * time.per),
            _ => format!("{} {}", number(value), self.unit),
        }
    }
}

/// A duration in ns, in the unit that fits it: from ns to hours, with at most four digits below 10,000 hours.
#[doc(hidden)]
pub fn duration(ns: f64) -> String {
    let (value, unit) = in_fitting_unit(ns);
    format!("{} {unit}", number(value))
}

/// A duration in ns as a value and the unit that fits it: from ns to hours.
fn in_fitting_unit(ns: f64) -> (f64, &'static str) {
    match ns / 60e9 {
        minutes if minutes >= 120.0 => (minutes / 60.0, "h"),
        minutes if minutes >= 2.0 => (minutes, "min"),
        _ => (Scale::time(ns).of(ns), Scale::time(ns).unit),
    }
}

/// A duration in ns with four significant digits, in the unit that fits it: from ns to hours.
pub(crate) fn precise_duration(ns: i64) -> String {
    let (value, unit) = in_fitting_unit(ns.unsigned_abs() as f64);
    let digits = [1000.0, 100.0, 10.0].iter().position(|edge| value >= *edge).unwrap_or(3);
    let text = without_end_zeros(format!("{value:.digits$}"));
    format!("{}{text} {unit}", if ns < 0 { "-" } else { "" })
}

/// An integer with commas as thousands separators.
#[doc(hidden)]
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The whole name, wrapped into lines for hover, because kernel names can be longer than a line.
pub(crate) fn whole(name: &str) -> String {
    let letters: Vec<char> = name.chars().take(LONGEST + 1).collect();
    let lines: Vec<String> =
        letters[..letters.len().min(LONGEST)].chunks(80).map(|line| escape(&line.iter().collect::<String>())).collect();
    format!("{}{}", lines.join("<br>"), if letters.len() > LONGEST { "…" } else { "" })
}

/// `part` as a percentage of `whole`.
pub(crate) fn share(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{} %", number((1000.0 * part / whole).round() / 10.0)) } else { "0 %".to_owned() }
}

/// `1 step`, `40 steps`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Label of a machine and rank. Empty if the profile has neither.
pub(crate) fn place(node: &str, rank: Option<i64>) -> String {
    match (node.is_empty(), rank) {
        (true, None) => String::new(),
        (true, Some(rank)) => format!("rank {rank}"),
        (false, None) => node.to_owned(),
        (false, Some(rank)) => format!("{node}, rank {rank}"),
    }
}

/// `a, b`: joins the parts that are not empty.
pub(crate) fn join(parts: &[&str], between: &str) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(between)
}

/// A quantile with linear interpolation, as in SQL's `percentile_cont`. `None` if there are no values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index into the values")]
pub(crate) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * (sorted.len().checked_sub(1)?) as f64;
    let low = place.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    Some(sorted[low] + (sorted[high] - sorted[low]) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_strangers_stay_text() {
        assert_eq!(plain("<a href=\"x\">&</a>\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt; ");
        assert_eq!(plain(&"x".repeat(60)), format!("{}…", "x".repeat(48)));
    }

    #[test]
    fn built_in_functions_are_named_by_their_end() {
        for (name, short) in [
            ("<built-in method tensorflow.python.TFE_Py_Execute>", "<built-in TFE_Py_Execute>"),
            ("<built-in method len>", "<built-in len>"),
            ("<method 'read' of '_io.FileIO' objects>", "<method 'read' of '_io.FileIO' objects>"),
            ("forward", "forward"),
        ] {
            assert_eq!(built_in(name), short);
        }
    }

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        assert_eq!(time(1_594_662_597_737_738_001), "2020-07-13 17:49:57.737738001");
        assert_eq!(time(0), "1970-01-01 00:00:00");
    }

    #[test]
    fn numbers_have_three_digits_and_a_unit_that_suits() {
        let texts = [84.234, 0.0, 1234.6, 0.012_345, 100.0, 2.0].map(number);
        assert_eq!(texts, ["84.2", "0", "1235", "0.0123", "100", "2"]);
        assert_eq!(Scale::time(84e6), Scale { unit: "ms", per: 1e6 });
        assert_eq!(Scale::time(0.0).unit, "ns");
        assert_eq!(Scale::rate(2.5e6).text(2.5e6), "2.5 MB/s");
        assert_eq!([1.2e9, 12e9, 300e9].map(|ns| Scale::time(1e6).text(ns)), ["1200 ms", "12 s", "5 min"]);
        let texts = [900.0, 84_200_000.0, 119e9, 150e9, 9e12].map(duration);
        assert_eq!(texts, ["900 ns", "84.2 ms", "119 s", "2.5 min", "2.5 h"]);
        assert_eq!(share(1.0, 3.0), "33.3 %");
        assert_eq!(Scale::bytes(2.5e9).text(2.5e9), "2.5 GB");
    }

    #[test]
    fn durations_have_four_digits_and_counts_have_commas() {
        let texts = [7, 1_234, 1_500_000, 12_345_678, 86_400_000_000_001, -2_000].map(precise_duration);
        assert_eq!(texts, ["7 ns", "1.234 us", "1.5 ms", "12.35 ms", "24 h", "-2 us"]);
        assert_eq!([0, 999, 1_000, -1_234_567].map(grouped), ["0", "999", "1,000", "-1,234,567"]);
        assert_eq!(whole(&format!("{}<T>", "k".repeat(79))), format!("{}&lt;<br>T&gt;", "k".repeat(79)));
        assert!(whole(&"k".repeat(900)).ends_with('…'));
    }

    #[test]
    fn quantiles_are_those_of_sql() {
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0], 0.5), Some(2.5));
        assert_eq!(quantile(&[1.0, 2.0], 0.95), Some(1.95));
        assert_eq!(quantile(&[7.0], 0.95), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
