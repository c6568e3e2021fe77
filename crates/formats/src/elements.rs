//! Cuts a JSON file that arrives in chunks into elements, as raw text.
//!
//! The elements are those of the root list, or the members of the root object. The elements of a list in the
//! root object come one by one. A scan of quotes and brackets finds the end of an element; values are not
//! parsed. So words that Python writes and JSON does not have (NaN, Infinity) stay as written. Memory: one
//! element, at most [`MAX_ELEMENT`].

use super::json;
use super::position::Position;

/// Maximum size of an element in bytes.
pub(super) const MAX_ELEMENT: usize = 16 << 20;

/// A part of the file. Texts are raw, without blanks around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonElement<'a> {
    /// An element of the root list.
    Element(&'a str),
    /// Name and value of a member of the root object that is not a list.
    Member(&'a str, &'a str),
    /// Name of a member of the root object that is a list. Its elements follow.
    List(&'a str),
    /// An element of that list.
    Entry(&'a str),
}

/// How the text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonEnd {
    /// With the bracket that closes the root.
    Whole,
    /// It had only blanks.
    Empty,
    /// Before that bracket. An element that started at this position is lost.
    Truncated(Position),
    /// At invalid text. The rest was not read.
    Broken(Position, &'static str),
}

/// Cuts chunks into elements.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "position in the text")]
pub(super) struct ElementSplitter {
    /// The opening bracket of the root.
    root: Option<u8>,
    /// Name of the member that is being read.
    name: Option<String>,
    /// The position is in a list that is a member.
    in_list: bool,
    /// The position is after such a list, before the comma.
    after_list: bool,
    element: Vec<u8>,
    /// Number of open brackets in the element.
    depth: u32,
    in_string: bool,
    is_escaped: bool,
    /// Next byte, and start of the element.
    next: Position,
    start: Position,
    is_closed: bool,
    broken: Option<(Position, &'static str)>,
}

impl ElementSplitter {
    /// Takes the next bytes and calls `each` for every element that ends in them.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(JsonElement<'_>, Position)) {
        for byte in chunk {
            if self.broken.is_none() {
                self.read_byte(*byte, &mut each);
            }
            self.next.offset += 1;
            self.next.line += u64::from(*byte == b'\n');
        }
    }

    /// How the text ended.
    pub(super) fn end(&self) -> JsonEnd {
        match (self.broken, self.root) {
            (Some((place, why)), _) => JsonEnd::Broken(place, why),
            (None, None) => JsonEnd::Empty,
            (None, Some(_)) if self.is_closed => JsonEnd::Whole,
            (None, Some(_)) => JsonEnd::Truncated(self.element_place()),
        }
    }

    /// Start of the element. If it has no bytes yet, the next byte.
    fn element_place(&self) -> Position {
        if self.element.is_empty() { self.next } else { self.start }
    }

    fn read_byte(&mut self, byte: u8, each: &mut impl FnMut(JsonElement<'_>, Position)) {
        if self.in_string {
            self.in_string = byte != b'"' || self.is_escaped;
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return self.append(byte);
        }
        let Some(root) = self.root else { return self.read_root(byte) };
        match byte {
            _ if self.is_closed && byte.is_ascii_whitespace() => {}
            _ if self.is_closed => self.broken = Some((self.next, "text follows the last bracket")),
            b',' if self.depth == 0 => {
                self.emit(each, true);
                if !self.in_list {
                    (self.name, self.after_list) = (None, false);
                }
            }
            b']' if self.depth == 0 && (self.in_list || root == b'[') => {
                self.emit(each, false);
                (self.is_closed, self.after_list, self.in_list) = (!self.in_list, self.in_list, false);
            }
            b'}' if self.depth == 0 && !self.in_list && root == b'{' => {
                self.emit(each, self.name.is_some());
                self.is_closed = true;
            }
            b'}' | b']' if self.depth == 0 => {
                self.broken = Some((self.next, "a closing bracket has no opening bracket"));
            }
            _ if byte.is_ascii_whitespace() && self.element.is_empty() => {}
            _ if self.after_list => self.broken = Some((self.next, "expected a comma")),
            b':' if self.depth == 0 && root == b'{' && self.name.is_none() => {
                let name = String::from_utf8_lossy(&self.element);
                self.name = Some(json::unquote(name.trim_end()).unwrap_or_default().into_owned());
                self.element.clear();
            }
            b'[' if self.element.is_empty() && !self.in_list && self.name.is_some() => {
                self.in_list = true;
                each(JsonElement::List(self.name.as_deref().unwrap_or_default()), self.next);
            }
            _ => {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth -= 1,
                    _ => {}
                }
                self.append(byte);
            }
        }
    }

    /// Reads the opening bracket of the root, or what can precede it: blanks and a byte order mark.
    fn read_root(&mut self, byte: u8) {
        match byte {
            b'[' | b'{' => self.root = Some(byte),
            0xEF | 0xBB | 0xBF if self.next.offset < 3 => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => self.broken = Some((self.next, "expected `[` or `{`")),
        }
    }

    fn append(&mut self, byte: u8) {
        self.start = self.element_place();
        if self.element.len() == MAX_ELEMENT {
            self.broken = Some((self.start, "longer than 16 MiB"));
        } else {
            self.element.push(byte);
        }
    }

    /// Calls `each` for the element that ended here. `is_expected`: if it is empty, an element is missing.
    fn emit(&mut self, each: &mut impl FnMut(JsonElement<'_>, Position), is_expected: bool) {
        if self.after_list || (self.element.is_empty() && !is_expected) {
            return;
        }
        let text = String::from_utf8_lossy(&self.element);
        let text = text.trim_end();
        let item = match (&self.name, self.in_list) {
            (_, true) => JsonElement::Entry(text),
            (Some(name), false) => JsonElement::Member(name, text),
            (None, false) => JsonElement::Element(text),
        };
        each(item, self.element_place());
        self.element.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, size: usize) -> (Vec<String>, JsonEnd) {
        let mut elements = ElementSplitter::default();
        let mut items = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            elements.push(chunk, |item, place| items.push(format!("{item:?} {}", place.offset)));
        }
        (items, elements.end())
    }

    /// The items of a complete text, which must not depend on the size of the chunks.
    fn read_whole(text: &str) -> Vec<String> {
        let (items, end) = read(text, 1000);
        assert_eq!(end, JsonEnd::Whole, "{text}");
        (1..text.len()).for_each(|size| assert_eq!(read(text, size), (items.clone(), end), "{size}"));
        items
    }

    #[test]
    fn elements_of_lists_and_members_of_objects() {
        assert_eq!(
            read_whole("\u{feff} [ {\"a\": [1, 2]} , NaN,\"x,]\\\"y\" ]\n"),
            ["Element(\"{\\\"a\\\": [1, 2]}\") 6", "Element(\"NaN\") 22", "Element(\"\\\"x,]\\\\\\\"y\\\"\") 26"]
        );
        assert_eq!(
            read_whole("{\"m\": \"log\", \"t\" : [ 1.5 ,-Infinity], \"o\": {\"t\": [1]}, \"e\": []}"),
            [
                "Member(\"m\", \"\\\"log\\\"\") 6",
                "List(\"t\") 19",
                "Entry(\"1.5\") 21",
                "Entry(\"-Infinity\") 26",
                "Member(\"o\", \"{\\\"t\\\": [1]}\") 43",
                "List(\"e\") 60"
            ]
        );
        assert_eq!(read_whole("{}"), [""; 0]);
        assert_eq!(read_whole("[]"), [""; 0]);
        // A comma before the bracket has no meaning. Between two commas an element is missing.
        assert_eq!(read_whole("[1,,2,]"), ["Element(\"1\") 1", "Element(\"\") 3", "Element(\"2\") 4"]);
        assert_eq!(read_whole("{\"a\":}"), ["Member(\"a\", \"\") 5"]);
    }

    #[test]
    fn truncated_and_broken_texts_are_reported_after_their_elements() {
        let place = |offset| Position { line: 1, offset };
        assert_eq!(read("", 1).1, JsonEnd::Empty);
        assert_eq!(read("load_s", 1).1, JsonEnd::Broken(place(0), "expected `[` or `{`"));
        assert_eq!(read("[1, 2", 3), (vec!["Element(\"1\") 1".to_owned()], JsonEnd::Truncated(place(4))));
        assert_eq!(read("[1,", 3).1, JsonEnd::Truncated(place(3)));
        assert_eq!(read("{\"t\": [1, 2], ", 3).0.len(), 3);
        assert_eq!(read("{\"t\": [1}, 2", 3).1, JsonEnd::Broken(place(8), "a closing bracket has no opening bracket"));
        assert_eq!(read("{\"t\": [1] 2}", 3).1, JsonEnd::Broken(place(10), "expected a comma"));
        assert_eq!(read("[1] [2]", 3).1, JsonEnd::Broken(place(4), "text follows the last bracket"));
        assert_eq!(read("[1]]", 3).1, JsonEnd::Broken(place(3), "text follows the last bracket"));
    }
}
