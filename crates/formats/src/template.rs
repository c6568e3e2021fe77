//! Recognizes lines of JSON that differ from an earlier line in two numbers only.
//!
//! A metric has a line at every tick, with the same names around other numbers. Such a line does not have to
//! be parsed: if the text around its two numbers is the same, all else has the meaning of the earlier line.

use std::ops::Range;

use super::scanner::number_end;

/// A line of JSON, and the positions of two of its numbers.
#[derive(Debug)]
pub(super) struct LineTemplate {
    line: Box<str>,
    numbers: [Range<usize>; 2],
}

impl LineTemplate {
    /// A template of a line and two parts of it. None unless both are numbers, the first before the second.
    pub(super) fn new(line: &str, first: &str, second: &str) -> Option<Self> {
        let range = |part: &str| {
            let start = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
            (number_from(line.as_bytes(), start)? == part).then_some(start..start + part.len())
        };
        let numbers = [range(first)?, range(second)?];
        (numbers[0].end < numbers[1].start).then(|| Self { line: line.into(), numbers })
    }

    /// The two numbers of a line. None if the text around them differs from the template.
    #[inline]
    pub(super) fn numbers<'a>(&self, line: &'a [u8]) -> Option<[&'a str; 2]> {
        let [first, second] = &self.numbers;
        let template = self.line.as_bytes();
        let rest = line.strip_prefix(template.get(..first.start)?)?;
        let first_number = number_from(rest, 0)?;
        let rest = rest.get(first_number.len()..)?.strip_prefix(template.get(first.end..second.start)?)?;
        let second_number = number_from(rest, 0)?;
        (rest.get(second_number.len()..)? == template.get(second.end..)?).then_some([first_number, second_number])
    }
}

/// The number that starts at byte `start`.
#[inline]
fn number_from(bytes: &[u8], start: usize) -> Option<&str> {
    let first = bytes.get(start).filter(|byte| matches!(byte, b'-' | b'0'..=b'9'))?;
    let end = number_end(bytes, start, *first)?;
    str::from_utf8(bytes.get(start..end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_may_differ() {
        let line = r#"{"a": "é", "v": 1.5, "n": 2, "t": 10}"#;
        let part = |text: &str| line.find(text).map(|start| &line[start..start + text.len()]).unwrap();
        let template = LineTemplate::new(line, part("1.5"), part("10")).unwrap();
        for (other, numbers) in [
            (line, Some(["1.5", "10"])),
            (r#"{"a": "é", "v": -7e2, "n": 2, "t": 0.25}"#, Some(["-7e2", "0.25"])),
            (r#"{"a": "é", "v": 1.5, "n": 3, "t": 10}"#, None),
            (r#"{"a": "e", "v": 1.5, "n": 2, "t": 10}"#, None),
            (r#"{"a": "é", "v": 1., "n": 2, "t": 10}"#, None),
            (r#"{"a": "é", "v": "1.5", "n": 2, "t": 10}"#, None),
            (r#"{"a": "é", "v": 1.5, "n": 2, "t": 10"#, None),
            (r#"{"a": "é", "v": 1.5, "n": 2, "t": 10} "#, None),
            (r#"{"a": "é", "v": 1.5, "n": 2, "t": }"#, None),
            (r#"{"a": "é", "v": 1.5, "n": 2, "t": 01}"#, None),
            ("", None),
        ] {
            assert_eq!(template.numbers(other.as_bytes()), numbers, "{other}");
        }
    }

    #[test]
    fn numbers_are_parts_of_the_line() {
        let line = r#"{"v": 1.5, "q": "10", "t": 10}"#;
        let part =
            |from: usize, text: &str| line[from..].find(text).map(|start| &line[from + start..][..text.len()]).unwrap();
        assert!(LineTemplate::new(line, part(0, "1.5"), part(20, "10")).is_some());
        assert!(LineTemplate::new(line, part(20, "10"), part(0, "1.5")).is_none(), "the wrong order");
        assert!(LineTemplate::new(line, part(0, "1.5"), part(0, "\"10\"")).is_none(), "a string");
        assert!(LineTemplate::new(line, part(0, "1"), part(20, "10")).is_none(), "a part of a number");
        assert!(LineTemplate::new(line, "1.5", part(20, "10")).is_none(), "not of this line");
    }
}
