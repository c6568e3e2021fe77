//! Name and category of an event: what they are without quotes and credentials, and what they say it is.
//!
//! Events of the same name come by the thousand, so what was found out is kept for the next one.

use std::borrow::Cow;
use std::sync::Arc;

use super::vocabulary::{self, Named, Side};
use crate::json;
use crate::place::Place;
use crate::secret::{clean, quote};
use crate::table::{Category, Rows};

/// Labels that are kept; one that would stand in the same place as another one takes it.
const SLOTS: usize = 1024;

/// Longer names are not kept, so that memory is bounded.
const LONGEST: usize = 1024;

/// What name and category of an event say.
#[derive(Debug, Default)]
pub(super) struct Label {
    /// As they were written.
    raw_name: String,
    raw_cat: String,
    /// As they are read, where that is not what stands between the quotes.
    name: Option<String>,
    cat: Option<String>,
    /// What sort of work it is, if it is no flow.
    category: Option<Category>,
    side: Option<Side>,
    /// Number of the step that it marks.
    step: Option<i64>,
    slot: usize,
}

impl Label {
    /// Name of the event; empty if it has none.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_else(|| inner(&self.raw_name))
    }

    /// Category as the profiler named it; empty if it named none.
    pub(super) fn cat(&self) -> &str {
        self.cat.as_deref().unwrap_or_else(|| inner(&self.raw_cat))
    }

    /// What sort of work it is, if it is no flow.
    pub(super) fn category(&self) -> Category {
        self.category.unwrap_or(Category::Other)
    }

    /// Where it happened.
    pub(super) fn side(&self) -> Side {
        self.side.unwrap_or(Side::Unknown)
    }

    /// Number of the step that it marks, if its name has one.
    pub(super) fn step(&self) -> Option<i64> {
        self.step
    }

    fn read(&mut self, annotation: Option<&str>, place: Place, rows: &mut Rows) -> bool {
        let (name, mended) = json::unquote_told(&self.raw_name).unwrap_or((Cow::Borrowed(&self.raw_name), false));
        if mended {
            let raw = &self.raw_name;
            rows.repair("mended", place.byte(), || {
                format!("{place}: the name {} is not valid JSON; read anyway", quote(raw))
            });
        }
        let clean_name = clean(&name, place, rows);
        let cat = json::unquote(&self.raw_cat).unwrap_or(Cow::Borrowed(&self.raw_cat));
        let clean_cat = clean(&cat, place, rows);
        // what is reported is reported again for the next one
        let quiet = !mended && matches!((&clean_name, &clean_cat), (Cow::Borrowed(_), Cow::Borrowed(_)));

        let (category, side) = vocabulary::meaning(&clean_cat);
        let category = match (side, category) {
            (Side::Host | Side::Unknown, _) if *clean_name == *"[memory]" => Category::Memory,
            (Side::Host, Category::Python) if clean_name.starts_with("nn.Module: ") => Category::Module,
            (Side::Host, Category::Operator | Category::Annotation) => vocabulary::by_name(&clean_name, category),
            _ => category,
        };
        self.step = vocabulary::step(&clean_name).filter(|_| category == Category::Step);
        let category = match annotation {
            None => category,
            Some(_) if !may_mark(side, category) => category,
            Some(annotation) => match (vocabulary::named_step(&clean_name, annotation), category) {
                (Some(named), _) => {
                    self.step = match named {
                        Named::Numbered(step) => Some(step),
                        Named::Unnumbered => None,
                    };
                    Category::Step
                }
                // The user's steps are the only ones.
                (None, Category::Step) => {
                    self.step = None;
                    Category::Annotation
                }
                (None, category) => category,
            },
        };
        let own = |text: &str, raw: &str| (text != inner(raw)).then(|| text.to_owned());
        let texts = (own(&clean_name, &self.raw_name), own(&clean_cat, &self.raw_cat));
        (self.name, self.cat) = texts;
        (self.category, self.side) = (Some(category), Some(side));
        quiet
    }
}

/// Whether an event of this kind may be an annotation: they stand among operators in some versions, and other writers
/// have words of their own.
fn may_mark(side: Side, category: Category) -> bool {
    let word = matches!(
        category,
        Category::Annotation | Category::Step | Category::Operator | Category::Loader | Category::Other
    );
    word && !matches!(side, Side::Device(_))
}

/// What stands between the quotes; all of a text without.
fn inner(raw: &str) -> &str {
    raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw)
}

/// The labels met last.
#[derive(Debug)]
pub(super) struct Labels {
    /// In boxes, since each event takes one out and puts it back.
    last: Vec<Option<Box<Label>>>,
    /// The annotation that the user named as the mark of steps.
    annotation: Option<Arc<str>>,
}

impl Labels {
    pub(super) fn new(annotation: Option<Arc<str>>) -> Self {
        Self { last: (0..SLOTS).map(|_| None).collect(), annotation }
    }

    /// The label of an event with this name and category, raw. What is wrong with them is reported.
    #[inline]
    pub(super) fn take(&mut self, name: Option<&str>, cat: Option<&str>, place: Place, rows: &mut Rows) -> Box<Label> {
        let [name, cat] = [name, cat].map(|raw| raw.filter(|raw| *raw != "null").unwrap_or_default());
        let slot = slot(name.as_bytes(), cat.as_bytes());
        match self.last[slot].take() {
            Some(label) if label.raw_name == name && label.raw_cat == cat => label,
            other => self.read(other.unwrap_or_default(), slot, name, cat, place, rows),
        }
    }

    #[inline(never)]
    fn read(
        &self,
        mut label: Box<Label>,
        slot: usize,
        name: &str,
        cat: &str,
        place: Place,
        rows: &mut Rows,
    ) -> Box<Label> {
        name.clone_into(&mut label.raw_name);
        cat.clone_into(&mut label.raw_cat);
        let quiet = label.read(self.annotation.as_deref(), place, rows);
        label.slot = if quiet && name.len().max(cat.len()) <= LONGEST { slot } else { SLOTS };
        label
    }

    /// Keeps a label for the next event.
    #[inline]
    pub(super) fn keep(&mut self, label: Box<Label>) {
        if let Some(slot) = self.last.get_mut(label.slot) {
            *slot = Some(label);
        }
    }
}

/// Where a label is kept: by the ends of its texts, in which names differ.
#[inline]
fn slot(name: &[u8], cat: &[u8]) -> usize {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mut hash = (name.len() << 8 ^ cat.len()) as u64;
    for word in [
        word(name.first_chunk()),
        word(name.last_chunk()),
        word(cat.last_chunk()),
        word(name.get(8..).and_then(<[u8]>::first_chunk)),
    ] {
        hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    usize::try_from(hash).unwrap_or_default() % SLOTS
}
