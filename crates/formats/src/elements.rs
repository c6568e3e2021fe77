//! Elements of a JSON file that arrives in chunks: those of the root list, or the members of the root object, of which a
//! list gives its elements one by one.
//!
//! Nothing is parsed here: a scan over quotes and brackets finds where an element ends, so that what Python writes and
//! JSON does not know (NaN, Infinity) comes out as it stands. Memory: one element, at most [`MAX_ELEMENT`].

use super::json;
use super::place::Place;

/// The largest element that is kept.
pub(super) const MAX_ELEMENT: usize = 16 << 20;

/// What was found; texts are raw, without blanks around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item<'a> {
    /// An element of the root list.
    Element(&'a str),
    /// A member of the root object that is no list: name and value.
    Member(&'a str, &'a str),
    /// A member of the root object is a list, whose elements follow.
    List(&'a str),
    /// An element of that list.
    Entry(&'a str),
}

/// How the text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With the bracket that closes the root.
    Whole,
    /// There was nothing but blanks.
    Empty,
    /// Before that bracket; an element that had begun at this place is lost.
    Truncated(Place),
    /// At something that cannot stand there; what follows was not read.
    Broken(Place, &'static str),
}

/// Cuts chunks into elements.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "position in the text")]
pub(super) struct Elements {
    /// The bracket that the root began with.
    root: Option<u8>,
    /// Name of the member that is being read.
    key: Option<String>,
    /// A member that is a list is open; or it was, and its member has not ended.
    list: bool,
    behind_list: bool,
    item: Vec<u8>,
    /// Brackets open within the element.
    depth: u32,
    string: bool,
    escaped: bool,
    /// Next byte, and where the element began.
    at: Place,
    start: Place,
    closed: bool,
    broken: Option<(Place, &'static str)>,
}

impl Elements {
    /// Takes the next bytes and calls `each` for every element that ends in them.
    pub(super) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(Item<'_>, Place)) {
        for byte in chunk {
            if self.broken.is_none() {
                self.byte(*byte, &mut each);
            }
            self.at.offset += 1;
            self.at.line += u64::from(*byte == b'\n');
        }
    }

    /// How the text ended.
    pub(super) fn end(&self) -> End {
        match (self.broken, self.root) {
            (Some((place, why)), _) => End::Broken(place, why),
            (None, None) => End::Empty,
            (None, Some(_)) if self.closed => End::Whole,
            (None, Some(_)) => End::Truncated(if self.item.is_empty() { self.at } else { self.start }),
        }
    }

    fn byte(&mut self, byte: u8, each: &mut impl FnMut(Item<'_>, Place)) {
        if self.string {
            self.string = byte != b'"' || self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            return self.keep(byte);
        }
        let Some(root) = self.root else { return self.begin(byte) };
        match byte {
            _ if self.closed && byte.is_ascii_whitespace() => {}
            _ if self.closed => self.broken = Some((self.at, "text follows the last bracket")),
            b',' if self.depth == 0 => {
                self.emit(each, true);
                if !self.list {
                    (self.key, self.behind_list) = (None, false);
                }
            }
            b']' if self.depth == 0 && (self.list || root == b'[') => {
                self.emit(each, false);
                (self.closed, self.behind_list, self.list) = (!self.list, self.list, false);
            }
            b'}' if self.depth == 0 && !self.list && root == b'{' => {
                self.emit(each, self.key.is_some() && !self.behind_list);
                self.closed = true;
            }
            b'}' | b']' if self.depth == 0 => self.broken = Some((self.at, "a closing bracket has no opening bracket")),
            _ if byte.is_ascii_whitespace() && self.item.is_empty() => {}
            _ if self.behind_list => self.broken = Some((self.at, "expected a comma")),
            b':' if self.depth == 0 && root == b'{' && self.key.is_none() => {
                let name = String::from_utf8_lossy(&self.item);
                self.key = Some(json::unquote(name.trim_end()).unwrap_or_default().into_owned());
                self.item.clear();
            }
            b'[' if self.item.is_empty() && !self.list && self.key.is_some() => {
                self.list = true;
                each(Item::List(self.key.as_deref().unwrap_or_default()), self.at);
            }
            _ => {
                match byte {
                    b'"' => self.string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth -= 1,
                    _ => {}
                }
                self.keep(byte);
            }
        }
    }

    /// The first byte that counts; a byte order mark does not.
    fn begin(&mut self, byte: u8) {
        match byte {
            b'[' | b'{' => self.root = Some(byte),
            0xEF | 0xBB | 0xBF if self.at.offset < 3 => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => self.broken = Some((self.at, "expected `[` or `{`")),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.item.is_empty() {
            self.start = self.at;
        }
        if self.item.len() == MAX_ELEMENT {
            self.broken = Some((self.start, "longer than 16 MiB"));
        } else {
            self.item.push(byte);
        }
    }

    /// Hands out the element that ended here. An empty one stands only before a comma, where one is missing.
    fn emit(&mut self, each: &mut impl FnMut(Item<'_>, Place), even_empty: bool) {
        if self.behind_list || (self.item.is_empty() && !even_empty) {
            return;
        }
        let place = if self.item.is_empty() { self.at } else { self.start };
        let text = String::from_utf8_lossy(&self.item);
        let text = text.trim_end();
        each(
            match (&self.key, self.list) {
                (_, true) => Item::Entry(text),
                (Some(key), false) => Item::Member(key, text),
                (None, false) => Item::Element(text),
            },
            place,
        );
        self.item.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, size: usize) -> (Vec<String>, End) {
        let mut elements = Elements::default();
        let mut seen = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            elements.push(chunk, |item, place| seen.push(format!("{item:?} {}", place.offset)));
        }
        (seen, elements.end())
    }

    fn texts(text: &str) -> Vec<String> {
        let (seen, end) = cut(text, 1000);
        assert_eq!(end, End::Whole, "{text}");
        (1..text.len()).for_each(|size| assert_eq!(cut(text, size), (seen.clone(), end), "{size}"));
        seen
    }

    #[test]
    fn elements_of_lists_and_members_of_objects() {
        assert_eq!(
            texts("\u{feff} [ {\"a\": [1, 2]} , NaN,\"x,]\\\"y\" ]\n"),
            ["Element(\"{\\\"a\\\": [1, 2]}\") 6", "Element(\"NaN\") 22", "Element(\"\\\"x,]\\\\\\\"y\\\"\") 26"]
        );
        assert_eq!(
            texts("{\"m\": \"log\", \"t\" : [ 1.5 ,-Infinity], \"o\": {\"t\": [1]}, \"e\": []}"),
            [
                "Member(\"m\", \"\\\"log\\\"\") 6",
                "List(\"t\") 19",
                "Entry(\"1.5\") 21",
                "Entry(\"-Infinity\") 26",
                "Member(\"o\", \"{\\\"t\\\": [1]}\") 43",
                "List(\"e\") 60"
            ]
        );
        assert_eq!(texts("{}"), [""; 0]);
        assert_eq!(texts("[]"), [""; 0]);
        // a comma before the bracket is nothing, two are an element that is missing
        assert_eq!(texts("[1,,2,]"), ["Element(\"1\") 1", "Element(\"\") 3", "Element(\"2\") 4"]);
        assert_eq!(texts("{\"a\":}"), ["Member(\"a\", \"\") 5"]);
    }

    #[test]
    fn what_is_cut_or_broken_is_said_and_what_came_before_stays() {
        let place = |offset| Place { line: 1, offset };
        assert_eq!(cut("", 1).1, End::Empty);
        assert_eq!(cut("load_s", 1).1, End::Broken(place(0), "expected `[` or `{`"));
        assert_eq!(cut("[1, 2", 3), (vec!["Element(\"1\") 1".to_owned()], End::Truncated(place(4))));
        assert_eq!(cut("[1,", 3).1, End::Truncated(place(3)));
        assert_eq!(cut("{\"t\": [1, 2], ", 3).0.len(), 3);
        assert_eq!(cut("{\"t\": [1}, 2", 3).1, End::Broken(place(8), "a closing bracket has no opening bracket"));
        assert_eq!(cut("{\"t\": [1] 2}", 3).1, End::Broken(place(10), "expected a comma"));
        assert_eq!(cut("[1] [2]", 3).1, End::Broken(place(4), "text follows the last bracket"));
        assert_eq!(cut("[1]]", 3).1, End::Broken(place(3), "text follows the last bracket"));
    }
}
