//! What has to be read: which object is of which format, in which group, and what is unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;

use super::Request;
use super::recognize::{Kind, format_count, recognize, unknown};
use crate::error::Result;
use crate::format::{Decoding, FORMATS, Format, ObjectInfo, Siblings, logs_beside};
use crate::lake::{Common, Entry, Manifest};
use crate::source::{Object, Place};

/// Objects that one decoder reads, in order.
pub(super) struct Unit {
    pub(super) format: &'static dyn Format,
    /// Name of the group within the format.
    pub(super) group: Arc<str>,
    /// Indices into the listing.
    pub(super) objects: Vec<usize>,
    /// Where the files before these were read to, if they need not be read again.
    pub(super) paused: Mutex<Option<Paused>>,
}

impl Unit {
    /// What its decoder is kept under.
    pub(super) fn key(&self) -> Key {
        (self.format.descriptor().name, Arc::clone(&self.group))
    }
}

/// The decoder of a group whose files were read to the end: files that come later are read from here.
pub(super) struct Paused {
    pub(super) decoder: Decoding,
    /// The objects that it has read, in order.
    pub(super) objects: Vec<i64>,
}

/// A format and a group of it.
pub(super) type Key = (&'static str, Arc<str>);

/// Decoders from one look to the next.
pub(super) type Kept = BTreeMap<Key, Paused>;

pub(super) struct Plan<'a> {
    pub(super) listed: &'a [Object],
    pub(super) infos: Vec<ObjectInfo>,
    /// For each object listed, the rank that its first bytes tell.
    pub(super) told_ranks: Vec<Option<i64>>,
    pub(super) units: Vec<Unit>,
    /// Entries of objects that are not read: markers, and files that no format knows.
    pub(super) ignored: Vec<Arc<Entry>>,
    pub(super) unchanged: u64,
    /// Objects whose old rows have to go.
    pub(super) replaced: BTreeSet<i64>,
    /// Objects that are no longer there, and whose rows have to go with them.
    pub(super) pruned: BTreeSet<i64>,
    /// What the user said about all files.
    pub(super) said: Said,
}

/// What the user says once about a source: it holds until something else is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// Added to every time that is read, ns.
    pub(super) clock_offset: i64,
    /// The annotation that marks steps.
    pub(super) step_annotation: Option<Arc<str>>,
    /// The names of the columns of timings.
    pub(super) loader_columns: Arc<BTreeMap<String, String>>,
}

impl Said {
    /// What the request says, else what was said at the last ingest.
    fn of(request: &Request, before: Option<&Entry>) -> Self {
        let clock_offset = request.clock_offset.or(before.map(|entry| entry.clock_offset)).unwrap_or(0);
        let step_annotation = match &request.step_annotation {
            Some(name) => Some(name.trim()).filter(|name| !name.is_empty()).map(Arc::from),
            None => before.and_then(|entry| entry.step_annotation.clone()),
        };
        let loader_columns = match &request.loader_columns {
            Some(columns) => Arc::new(columns.clone()),
            None => before.map(|entry| Arc::clone(&entry.loader_columns)).unwrap_or_default(),
        };
        Self { clock_offset, step_annotation, loader_columns }
    }

    fn holds_for(&self, entry: &Entry) -> bool {
        entry.clock_offset == self.clock_offset
            && entry.step_annotation == self.step_annotation
            && entry.loader_columns == self.loader_columns
    }
}

/// Decides for each listed object.
pub(super) fn plan<'a>(
    place: &Place,
    listed: &'a [Object],
    base: &Manifest,
    request: &Request,
    kept: &mut Kept,
    handle: &Handle,
) -> Result<Plan<'a>> {
    let known: BTreeMap<&str, &Entry> = base.objects.iter().map(|entry| (entry.url.as_str(), entry.as_ref())).collect();
    let read = |entry: &&&Entry| *entry.source == *place.url() && entry.format.is_some();
    // Of files that have vanished, what was said before the last time.
    let there = || listed.iter().filter_map(|object| known.get(place.url_of(&object.location).as_str())).find(read);
    let said = Said::of(request, there().or_else(|| known.values().find(read)).copied());
    let mut paths: Vec<Arc<str>> = listed.iter().map(|object| Arc::clone(&object.path)).collect();
    if let [only] = listed
        && place.is_at(&only.location)
    {
        // of what lies beside a file that is addressed itself nothing is listed
        let there = logs_beside(&only.path).filter(|name| handle.block_on(place.is_beside(name)));
        paths.extend(there.map(Arc::from));
    }
    let siblings: Arc<Siblings> = Arc::new(paths.into_iter().collect());
    let mut next = base.objects.iter().map(|entry| entry.id + 1).max().unwrap_or(0);
    let infos: Vec<ObjectInfo> = listed
        .iter()
        .map(|object| {
            let url = place.url_of(&object.location);
            let id = known.get(url.as_str()).map_or_else(
                || {
                    next += 1;
                    next - 1
                },
                |entry| entry.id,
            );
            ObjectInfo {
                id,
                path: Arc::clone(&object.path),
                size: object.size,
                siblings: Arc::clone(&siblings),
                recording: None,
                step_annotation: said.step_annotation.clone(),
                loader_columns: Arc::clone(&said.loader_columns),
            }
        })
        .collect();

    let recognized = recognize(place, listed, &infos, &known, handle)?;
    let mut plan = Plan {
        listed,
        infos,
        told_ranks: recognized.iter().map(|file| file.told_rank).collect(),
        units: Vec::new(),
        ignored: Vec::new(),
        unchanged: 0,
        replaced: BTreeSet::new(),
        pruned: BTreeSet::new(),
        said,
    };
    let vanished = if request.prune { vanished(place, listed, base) } else { Vec::new() };
    let bereft: BTreeSet<Key> = vanished.iter().filter_map(|entry| key_of(place, entry, &siblings)).collect();
    plan.pruned = vanished.iter().map(|entry| entry.id).collect();
    let mut common = Common::default();
    let mut groups: BTreeMap<Key, Unit> = BTreeMap::new();
    for (index, (object, file)) in listed.iter().zip(recognized).enumerate() {
        let info = &plan.infos[index];
        let old = known.get(place.url_of(&object.location).as_str()).copied();
        match file.kind {
            Kind::Read(format, group) => {
                let key = (format.descriptor().name, Arc::clone(&group));
                let unit = groups.entry(key).or_insert_with(|| Unit {
                    format,
                    group,
                    objects: Vec::new(),
                    paused: Mutex::default(),
                });
                unit.objects.push(index);
            }
            // As if it had not been listed.
            Kind::Gone => {}
            kind @ (Kind::Ignored(_) | Kind::Unknown) => {
                // It may have been readable before: those rows have to go.
                if old.is_some_and(|old| !old.rows.is_empty()) {
                    plan.replaced.insert(info.id);
                }
                let (why, unknown_to) = match kind {
                    Kind::Ignored(why) => (why, None),
                    _ => (unknown(), Some(format_count())),
                };
                let error = Some(Arc::from(why));
                plan.ignored.push(common.shared(Entry { error, unknown_to, ..entry(place, object, info) }));
            }
        }
    }
    for format in FORMATS {
        let of_format = groups.values().filter(|unit| unit.format.descriptor().name == format.descriptor().name);
        let indices: Vec<usize> = of_format.flat_map(|unit| unit.objects.iter().copied()).collect();
        let files: Vec<_> = indices.iter().map(|n| (listed[*n].path.as_ref(), plan.told_ranks[*n])).collect();
        // Files that went away keep their rows, and so do those of other sources.
        let here: BTreeSet<i64> = indices.iter().map(|n| plan.infos[*n].id).collect();
        let taken: Vec<_> = base
            .objects
            .iter()
            .filter(|old| old.format.as_deref() == Some(format.descriptor().name))
            .filter(|old| !here.contains(&old.id) && !plan.pruned.contains(&old.id))
            .filter_map(|old| Some((old.ranks.first().copied(), old.recording?)))
            .collect();
        for (index, recording) in indices.iter().zip(format.recordings(&files, &taken)) {
            plan.infos[*index].recording = recording;
        }
    }
    let ids: BTreeSet<i64> = base.objects.iter().map(|old| old.id).collect();
    for mut unit in groups.into_values() {
        let version = unit.format.descriptor().version;
        let same = |index: &usize| {
            let object = &listed[*index];
            known.get(place.url_of(&object.location).as_str()).is_some_and(|old| {
                old.etag == object.etag
                    && old.size == object.size
                    && old.format_version == Some(version)
                    && plan.said.holds_for(old)
                    && old.recording == plan.infos[*index].recording
            })
        };
        let all = unit.objects.len();
        let bereft = bereft.contains(&unit.key());
        if unit.format.independent() || !bereft && unit.objects.iter().all(same) {
            unit.objects.retain(|index| !same(index));
        } else if let Some(paused) = kept.remove(&unit.key()).filter(|_| !bereft) {
            let read = paused.objects.len();
            let as_it_was = unit.objects.iter().zip(&paused.objects).all(|(n, id)| plan.infos[*n].id == *id && same(n));
            let next = unit.objects.get(read).filter(|_| as_it_was);
            if next.is_some_and(|next| paused.decoder.goes_on(&plan.infos[*next])) {
                unit.objects.drain(..read);
                unit.paused = Mutex::new(Some(paused));
            }
        }
        plan.unchanged += (all - unit.objects.len()) as u64;
        if unit.objects.is_empty() {
            continue;
        }
        plan.replaced.extend(unit.objects.iter().map(|index| plan.infos[*index].id).filter(|id| ids.contains(id)));
        plan.units.push(unit);
    }
    // The largest first, so that no core waits for one that came last.
    plan.units.sort_by_key(|unit| std::cmp::Reverse(unit.objects.iter().map(|index| listed[*index].size).sum::<u64>()));
    Ok(plan)
}

/// The objects that were read from this address and are not listed any more.
fn vanished<'a>(place: &Place, listed: &[Object], base: &'a Manifest) -> Vec<&'a Entry> {
    let there: BTreeSet<String> = listed.iter().map(|object| place.url_of(&object.location)).collect();
    let gone = |entry: &&Entry| *entry.source == *place.url() && !there.contains(&entry.url);
    base.objects.iter().map(Arc::as_ref).filter(gone).collect()
}

/// The group that an object was read in.
fn key_of(place: &Place, entry: &Entry, siblings: &Arc<Siblings>) -> Option<Key> {
    let format = crate::format::format(entry.format.as_deref()?)?;
    let path: Arc<str> = entry.url.strip_prefix(place.url()).unwrap_or(&entry.url).trim_start_matches('/').into();
    let info = ObjectInfo { path, siblings: Arc::clone(siblings), ..ObjectInfo::default() };
    let group = format.group(&info).unwrap_or(info.path);
    Some((format.descriptor().name, group))
}

/// The manifest's entry of an object that was not read yet.
pub(super) fn entry(place: &Place, object: &Object, info: &ObjectInfo) -> Entry {
    Entry {
        id: info.id,
        source: Arc::from(place.url()),
        url: place.url_of(&object.location),
        etag: object.etag.clone(),
        size: object.size,
        modified: object.modified,
        loader_columns: Arc::clone(&info.loader_columns),
        ..Entry::default()
    }
}
