//! Values of Plotly JSON, and text on a picture: the few tags that plotly.js interprets, and escapes for XML.

use std::fmt::Write as _;

use serde_json::Value;

use crate::kit::label::escape;
use crate::kit::sheet::SOFT_BREAK;

/// Size of labels in pixels. Notes below a title have it too.
const LABEL: f64 = 11.0;

/// A line of a text in the HTML of plotly.js.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    pub(super) text: String,
    /// Whether it is in a `<span>`, as notes are.
    is_small: bool,
}

impl TextLine {
    /// The size of its letters, if those of others have this size.
    pub(super) fn size(&self, size: f64) -> f64 {
        if self.is_small { LABEL } else { size }
    }
}

/// The items of a list; none for another value.
pub(super) fn items(value: &Value) -> impl DoubleEndedIterator<Item = &Value> + Clone {
    value.as_array().into_iter().flatten()
}

/// The text of a value; empty for another value.
pub(super) fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Splits a text at `<br>`.
pub(super) fn lines(html: &str) -> Vec<TextLine> {
    let mut is_small = false;
    let line = |part: &str| {
        // An opening tag applies to its line and the next ones. A closing tag applies after its line.
        is_small |= part.contains("<span");
        let line = TextLine { text: plain(part), is_small };
        is_small &= !part.contains("</span>");
        line
    };
    html.replace(SOFT_BREAK, "<br>").split("<br>").map(line).collect()
}

pub(super) fn first_line(html: &str) -> String {
    lines(html).remove(0).text
}

/// Removes tags, and replaces entities by their characters.
fn plain(html: &str) -> String {
    let mut parts = html.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    text.extend(parts.map(|part| part.split_once('>').map_or("", |(_, after)| after)));
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// The approximate width of a label in pixels.
pub(super) fn width(text: &str) -> f64 {
    let letter = |c: char| match c {
        '\u{1100}'.. => 1.0,
        'W' | 'M' | '@' | '%' | 'm' | 'w' => 0.85,
        'A'..='Z' => 0.68,
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | ',' | ':' | '|' | '\'' | '(' | ')' | ' ' => 0.35,
        _ => 0.58,
    };
    text.chars().map(letter).sum::<f64>() * LABEL
}

/// Writes a text with this end, `start`, `middle` or `end`, at a position. Large letters are bold.
pub(super) fn write_text(svg: &mut String, (x, y): (f64, f64), anchor: &str, size: f64, text: &str) {
    let style = if size > 12.0 { "font-weight=\"600\" " } else { "" };
    let [x, y, text] = [short(x), short(y), escape(text)];
    let _ =
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {style}font-size=\"{size}\" text-anchor=\"{anchor}\">{text}</text>");
}

/// A coordinate with one decimal.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_entities_are_interpreted() {
        let parts = lines("<b>a &lt;b&gt; &amp;lt;<br>c</b><br><span style=\"x\">d<br>e</span><br>f");
        let parts: Vec<_> = parts.iter().map(|line| (line.text.as_str(), line.is_small)).collect();
        let expected = [("a <b> &lt;", false), ("c", false), ("d", true), ("e", true), ("f", false)];
        assert_eq!(parts, expected);
        assert_eq!(escape("<a & \"b\"\u{0}>"), "&lt;a &amp; &quot;b&quot; &gt;");
    }
}
