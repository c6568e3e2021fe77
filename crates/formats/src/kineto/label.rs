//! Name and category of an event without quotes and credentials, and the meaning that they have.
//!
//! Thousands of events have the same name. So the results are cached.

use std::borrow::Cow;
use std::sync::Arc;

use super::vocabulary::{self, NamedStep, WorkSide};
use crate::json;
use crate::position::Position;
use crate::secret::{mask_and_report, quote_masked};
use crate::table::{Category, Rows};

/// Number of cached labels. A label replaces the one in its slot.
const SLOTS: usize = 1024;

/// Maximum length of a cached name or category in bytes, which limits memory.
const MAX_LENGTH: usize = 1024;

/// Name and category of an event, and their meaning.
#[derive(Debug, Default)]
pub(super) struct Label {
    /// As written.
    raw_name: String,
    raw_cat: String,
    /// Without escapes and credentials, if that differs from the text between the quotes.
    clean_name: Option<String>,
    clean_cat: Option<String>,
    /// Category of the work, if the event is not part of a flow.
    pub(super) category: Option<Category>,
    /// Where the work was done.
    pub(super) side: WorkSide,
    /// It is backward or optimizer work.
    pub(super) is_training: bool,
    /// Number of the step, if the event marks a step with a number.
    pub(super) step: Option<i64>,
    slot: usize,
}

impl Label {
    /// Name of the event. Empty if it has none.
    pub(super) fn name(&self) -> &str {
        self.clean_name.as_deref().unwrap_or_else(|| strip_quotes(&self.raw_name))
    }

    /// Category in the words of the profiler. Empty if it has none.
    pub(super) fn cat(&self) -> &str {
        self.clean_cat.as_deref().unwrap_or_else(|| strip_quotes(&self.raw_cat))
    }

    /// Parses the raw name and category. Returns true if there was nothing to report.
    fn parse(&mut self, annotation: Option<&str>, place: Position, rows: &mut Rows) -> bool {
        let (name, is_repaired) =
            json::unquote_or_repair(&self.raw_name).unwrap_or((Cow::Borrowed(&self.raw_name), false));
        if is_repaired {
            let raw = &self.raw_name;
            place.repair(rows, "repaired", || format!("the name {} is not valid JSON; read anyway", quote_masked(raw)));
        }
        let clean_name = mask_and_report(&name, place, rows);
        let cat = json::unquote(&self.raw_cat).unwrap_or(Cow::Borrowed(&self.raw_cat));
        let clean_cat = mask_and_report(&cat, place, rows);
        // A problem must be reported for each event, so such a label is not cached.
        let has_no_problem = !is_repaired && matches!((&clean_name, &clean_cat), (Cow::Borrowed(_), Cow::Borrowed(_)));

        let (category, side) = vocabulary::parse_category(&clean_cat);
        let category = match (side, category) {
            (WorkSide::Host | WorkSide::Unknown, _) if *clean_name == *"[memory]" => Category::Memory,
            (WorkSide::Host, Category::Python) if clean_name.starts_with("nn.Module: ") => Category::Module,
            (WorkSide::Host, Category::Operator | Category::Annotation) => vocabulary::by_name(&clean_name, category),
            (WorkSide::Device(_), Category::Kernel) if !clean_cat.eq_ignore_ascii_case("kernel") => {
                vocabulary::device_category(&clean_cat, &clean_name)
            }
            _ => category,
        };
        let (category, step) = match annotation.filter(|_| may_be_annotation(side, category)) {
            None => (category, vocabulary::parse_step(&clean_name).filter(|_| category == Category::Step)),
            Some(annotation) => match (vocabulary::parse_named_step(&clean_name, annotation), category) {
                (Some(NamedStep::Numbered(step)), _) => (Category::Step, Some(step)),
                (Some(NamedStep::Unnumbered), _) => (Category::Step, None),
                // Only the user's annotation marks steps.
                (None, Category::Step) => (Category::Annotation, None),
                (None, category) => (category, None),
            },
        };
        let if_changed = |text: &str, raw: &str| (text != strip_quotes(raw)).then(|| text.to_owned());
        let clean = (if_changed(&clean_name, &self.raw_name), if_changed(&clean_cat, &self.raw_cat));
        (self.clean_name, self.clean_cat) = clean;
        (self.category, self.side, self.step) = (Some(category), side, step);
        self.is_training = side == WorkSide::Host && vocabulary::is_training(&clean_name);
        has_no_problem
    }
}

/// Returns true if an event of this side and category can be an annotation. Some versions have annotations
/// among operators, and other writers have their own categories.
fn may_be_annotation(side: WorkSide, category: Category) -> bool {
    let is_possible = matches!(
        category,
        Category::Annotation | Category::Step | Category::Operator | Category::Loader | Category::Other
    );
    is_possible && !matches!(side, WorkSide::Device(_))
}

/// The text between the quotes. The whole text if it has none.
fn strip_quotes(raw: &str) -> &str {
    raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw)
}

/// A cache of labels.
#[derive(Debug, Default)]
pub(super) struct LabelCache {
    /// In boxes, because each event takes one out and puts it back.
    slots: Vec<Option<Box<Label>>>,
    /// The user's annotation that marks steps.
    annotation: Option<Arc<str>>,
}

impl LabelCache {
    pub(super) fn new(annotation: Option<Arc<str>>) -> Self {
        Self { slots: (0..SLOTS).map(|_| None).collect(), annotation }
    }

    /// Takes the label of an event with this raw name and category out of the cache, or parses it. Reports
    /// problems.
    #[inline]
    pub(super) fn take(
        &mut self,
        name: Option<&str>,
        cat: Option<&str>,
        place: Position,
        rows: &mut Rows,
    ) -> Box<Label> {
        let [name, cat] = [name, cat].map(|raw| raw.filter(|raw| *raw != "null").unwrap_or_default());
        let slot = slot_of(name.as_bytes(), cat.as_bytes());
        match self.slots[slot].take() {
            Some(label) if label.raw_name == name && label.raw_cat == cat => label,
            other => self.parse(other.unwrap_or_default(), name, cat, place, rows),
        }
    }

    #[inline(never)]
    fn parse(&self, mut label: Box<Label>, name: &str, cat: &str, place: Position, rows: &mut Rows) -> Box<Label> {
        name.clone_into(&mut label.raw_name);
        cat.clone_into(&mut label.raw_cat);
        let has_no_problem = label.parse(self.annotation.as_deref(), place, rows);
        let is_cacheable = has_no_problem && name.len().max(cat.len()) <= MAX_LENGTH;
        label.slot = if is_cacheable { slot_of(name.as_bytes(), cat.as_bytes()) } else { SLOTS };
        label
    }

    /// Puts a label back into the cache.
    #[inline]
    pub(super) fn put_back(&mut self, label: Box<Label>) {
        if let Some(slot) = self.slots.get_mut(label.slot) {
            *slot = Some(label);
        }
    }
}

/// The slot of a label: a hash of the starts and ends of its texts, in which names differ.
#[inline]
fn slot_of(name: &[u8], cat: &[u8]) -> usize {
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
