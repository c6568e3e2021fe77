//! Text on a picture: the few tags that plotly.js interprets, and escapes for XML.

use std::fmt::Write as _;

use crate::kit::label;
use crate::kit::sheet::SOFT_BREAK;

/// The side of a text that is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of a text in the HTML of plotly.js.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    pub(super) text: String,
    pub(super) is_bold: bool,
    pub(super) is_small: bool,
}

/// Splits a text at `<br>`. Of other tags, only `<b>` and `<span>` have a meaning: bold and small letters.
pub(super) fn lines(html: &str) -> Vec<TextLine> {
    let (mut is_bold, mut is_small) = (false, false);
    let line = |part: &str| {
        // An opening tag applies to its line and the next ones. A closing tag applies after its line.
        is_bold |= part.contains("<b>");
        is_small |= part.contains("<span");
        let line = TextLine { text: plain(part), is_bold, is_small };
        is_bold &= !part.contains("</b>");
        is_small &= !part.contains("</span>");
        line
    };
    html.replace(SOFT_BREAK, "<br>").split("<br>").map(line).collect()
}

/// Removes tags, and replaces entities by their characters.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// Escapes a text for an element or an attribute. Characters that XML does not allow become spaces.
pub(super) fn escape(text: &str) -> String {
    label::escape(text).replace(['\u{fffe}', '\u{ffff}'], " ")
}

/// The approximate width of a text in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let letter = |c: char| match c {
        '\u{1100}'.. => 1.0,
        'W' | 'M' | '@' | '%' | 'm' | 'w' => 0.85,
        'A'..='Z' => 0.68,
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | ',' | ':' | '|' | '\'' | '(' | ')' | ' ' => 0.35,
        _ => 0.58,
    };
    text.chars().map(letter).sum::<f64>() * size
}

/// Writes a text at a position.
pub(super) fn write_text(svg: &mut String, x: f64, y: f64, anchor: Anchor, size: f64, is_bold: bool, text: &str) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let bold = if is_bold { " font-weight=\"600\"" } else { "" };
    let size = if size == 12.0 { String::new() } else { format!(" font-size=\"{size}\"") };
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\"{anchor}{size}{bold}>{}</text>", short(x), short(y), escape(text));
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
        let parts: Vec<_> = parts.iter().map(|line| (line.text.as_str(), line.is_bold, line.is_small)).collect();
        let expected = [
            ("a <b> &lt;", true, false),
            ("c", true, false),
            ("d", false, true),
            ("e", false, true),
            ("f", false, false),
        ];
        assert_eq!(parts, expected);
        assert_eq!(escape("<a & \"b\"\u{0}>"), "&lt;a &amp; &quot;b&quot; &gt;");
    }
}
