//! Text on figures: safe names, numbers with three significant digits, times, and labels of machines and ranks.

use std::borrow::Cow;

use arrow::temporal_conversions::timestamp_ns_to_datetime;

use tracelake_model::amount::trim_fraction;
pub(crate) use tracelake_model::amount::{Scale, duration, precise_duration, prefixed};
pub use tracelake_model::amount::{amount, group_digits, number};
use tracelake_model::frame::timestamp;
use tracelake_model::table::MIN_EPOCH_TIME;

use crate::kit::read::group_by;

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
            // Some that XML does not allow.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
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

/// Shortens names to at most `max` letters in the middle. Those that would look the same keep the part that differs.
pub(crate) fn distinguish(names: &[String], max: usize) -> Vec<String> {
    let mut short: Vec<String> = names.iter().map(|name| shorten(name, max, None)).collect();
    // Names that still look the same differ further to the right.
    for _ in 0..4 {
        let groups = group_by(0..names.len(), |index| short[index].clone());
        for (_, same) in groups.into_iter().filter(|(_, same)| same.iter().any(|index| names[*index] != names[same[0]]))
        {
            let first: Vec<char> = names[same[0]].chars().collect();
            let equal = |index: &usize| names[*index].chars().zip(&first).take_while(|(a, b)| a == *b).count();
            let common = same.iter().map(equal).min().unwrap_or(0);
            for index in same {
                short[index] = shorten(&names[index], max, Some(common));
            }
        }
    }
    short
}

/// The name with at most `max` letters: its beginning and its end, or its beginning and what begins at a letter.
fn shorten(name: &str, max: usize, differs_at: Option<usize>) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= max {
        return name.to_owned();
    }
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let head = differs_at.map_or(max * 2 / 3, |_| max / 2);
    // Two ellipses.
    let part = max - head - 2;
    let last = letters.len() - part - 1;
    let Some(position) = differs_at else { return format!("{}…{}", text(&letters[..head]), text(&letters[last..])) };
    // The letters before the difference show what it is: the whole word, if it is short.
    let before = position.saturating_sub(10);
    let separator = letters[before..position].iter().rposition(|c| "<, :_(".contains(*c));
    let word = separator.map_or(position.saturating_sub(4), |index| before + index + 1);
    let start = word.clamp(head, last);
    let (gap, end) = (if start == head { "" } else { "…" }, start + part);
    match letters.get(end + 1) {
        Some(_) => format!("{}{gap}{}…", text(&letters[..head]), text(&letters[start..end])),
        None => format!("{}{gap}{}", text(&letters[..head]), text(&letters[start..])),
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
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", group_digits(n as i128)) }
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

/// The beginning of a title: `Half of 40 steps`, `GPU utilization`.
pub(crate) fn capitalize(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    if matches!(word, "gpu" | "cpu") {
        return text.replacen(word, &word.to_uppercase(), 1);
    }
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
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
    use tracelake_model::unit::Unit;

    #[test]
    fn html_in_names_is_escaped() {
        assert_eq!(sanitize("<a href=\"x\">&</a>\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt; ");
        assert_eq!(sanitize(&"x".repeat(60)), format!("{}…", "x".repeat(48)));
    }

    #[test]
    fn shortened_names_differ() {
        let names = ["Add<float>", "Add<int>", "Mul<int>"]
            .map(|f| format!("vectorized_elementwise_kernel<4, Functor{f}, Array<char*, 3> >"));
        let short = distinguish(&names, 38);
        assert_eq!(
            short,
            [
                "vectorized_elementw…FunctorAdd<float>…",
                "vectorized_elementw…FunctorAdd<int>, …",
                "vectorized_elementw…FunctorMul<int>, …"
            ]
        );
        assert_eq!(distinguish(&["a".repeat(9), "ab".to_owned(), "a".repeat(9)], 6), ["aaaa…a", "ab", "aaaa…a"]);
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
