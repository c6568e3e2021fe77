//! Plans an ingest: the format and group of each object, and which objects are unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;
use regex::Regex;
use tokio::runtime::Handle;

use super::recognize::{FileKind, RecognizedFile, format_count, recognize, unknown};
use super::{IngestReport, Request};
use crate::error::{Error, ErrorKind, Result};
use crate::format::{FORMATS, Format, FormatDecoder, ObjectInfo, Siblings, sqlite_log_paths};
use crate::lake::{Entry, EntryInterner, Manifest};
use crate::source::{Location, StoredObject};
use crate::table::MIN_EPOCH_TIME;

/// A task: objects that one decoder reads in order.
pub(super) struct DecodeTask {
    pub(super) format: &'static dyn Format,
    /// Name of the group within the format.
    pub(super) group: Arc<str>,
    /// Indices in the listing.
    pub(super) objects: Vec<usize>,
    /// A paused decoder of the previous files, if they need not be read again.
    pub(super) paused: Mutex<Option<PausedDecoder>>,
}

impl DecodeTask {
    /// The key of its group.
    pub(super) fn key(&self) -> GroupKey {
        (self.format.descriptor().name, Arc::clone(&self.group))
    }
}

/// The decoder of a group after it read the last file. It continues with files that are added
/// later.
pub(super) struct PausedDecoder {
    pub(super) decoder: FormatDecoder,
    /// Ids of the objects that it has read, in order.
    pub(super) objects: Vec<i64>,
}

/// The name of a format, and a group of it.
pub(super) type GroupKey = (&'static str, Arc<str>);

/// Decoders that are paused until the next ingest of the same profile.
pub(super) type PausedDecoders = BTreeMap<GroupKey, PausedDecoder>;

/// What an ingest reads, and what it removes.
#[derive(Default)]
pub(super) struct IngestPlan<'a> {
    pub(super) listed: &'a [StoredObject],
    pub(super) infos: Vec<ObjectInfo>,
    /// For each listed object, the rank in its first bytes.
    pub(super) content_ranks: Vec<Option<i64>>,
    pub(super) tasks: Vec<DecodeTask>,
    /// Entries of objects that are not read: markers, and files that no format recognizes.
    pub(super) ignored: Vec<Arc<Entry>>,
    pub(super) unchanged: u64,
    /// Ids of objects with old rows that are removed.
    pub(super) replaced: BTreeSet<i64>,
    /// Ids of objects that no longer exist, so that their rows are removed.
    pub(super) pruned: BTreeSet<i64>,
    /// The settings of all files.
    pub(super) settings: IngestSettings,
}

impl IngestPlan<'_> {
    /// Returns the part of the report that the plan determines.
    pub(super) fn report(&self, location: &Location, run: &str, generation: u64) -> IngestReport {
        IngestReport {
            run: run.to_owned(),
            url: location.url().to_owned(),
            generation,
            unchanged: self.unchanged,
            ignored: self.ignored.len() as u64,
            pruned: self.pruned.len() as u64,
            ..IngestReport::default()
        }
    }
}

/// Settings of a source that stay valid until the user sets others.
#[derive(Default)]
pub(super) struct IngestSettings {
    /// Added to every time, in ns.
    pub(super) clock_offset: i64,
    /// Added to the times of each rank, in ns.
    pub(super) clock_shifts: Arc<BTreeMap<i64, i64>>,
    /// The annotation that marks steps.
    pub(super) step_annotation: Option<Arc<str>>,
    /// The pattern of ranks in paths.
    pub(super) rank_from: Option<Arc<str>>,
    /// The names of the columns of data loader timings.
    pub(super) loader_columns: Arc<BTreeMap<String, String>>,
}

impl IngestSettings {
    /// Returns the settings of the request, else those of the previous ingest.
    fn new(request: &Request, before: Option<&Entry>) -> Self {
        let clock_offset = request.clock_offset.or(before.map(|entry| entry.clock_offset)).unwrap_or(0);
        let clock_shifts = match &request.clock_shifts {
            Some(shifts) => Arc::new(shifts.clone()),
            None => before.map(|entry| Arc::clone(&entry.clock_shifts)).unwrap_or_default(),
        };
        let text = |request: &Option<String>, before: Option<&Option<Arc<str>>>| match request {
            Some(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(Arc::from),
            None => before.cloned().flatten(),
        };
        let step_annotation = text(&request.step_annotation, before.map(|entry| &entry.step_annotation));
        let rank_from = text(&request.rank_from, before.map(|entry| &entry.rank_from));
        let loader_columns = match &request.loader_columns {
            Some(columns) => Arc::new(columns.clone()),
            None => before.map(|entry| Arc::clone(&entry.loader_columns)).unwrap_or_default(),
        };
        Self { clock_offset, clock_shifts, step_annotation, rank_from, loader_columns }
    }

    /// The offset to add to decoded times. The decoders use one after 2001 as the start of a clock without an epoch.
    pub(super) fn correction(&self) -> i64 {
        if self.clock_offset < MIN_EPOCH_TIME { self.clock_offset } else { 0 }
    }

    /// Whether the entry was read with these settings.
    fn match_entry(&self, entry: &Entry) -> bool {
        entry.clock_offset == self.clock_offset
            && entry.clock_shifts == self.clock_shifts
            && entry.step_annotation == self.step_annotation
            && entry.rank_from == self.rank_from
            && entry.loader_columns == self.loader_columns
    }
}

/// Plans which of the listed objects are read.
pub(super) fn plan<'a>(
    location: &Location,
    listed: &'a [StoredObject],
    base: &Manifest,
    request: &Request,
    paused: &mut PausedDecoders,
    handle: &Handle,
) -> Result<IngestPlan<'a>> {
    let known = base.objects.iter().map(|entry| (entry.url.as_str(), entry.as_ref())).collect();
    let siblings = list_siblings(location, listed, handle);
    let mut planner = IngestPlanner { location, listed, base, known, siblings, changed_folders: BTreeSet::new() };
    let settings = planner.settings(request);
    let infos = planner.object_infos(&settings);
    if let Some(pattern) = request.rank_from.as_deref().filter(|pattern| !pattern.trim().is_empty())
        && let Some(first) = listed.first()
        && infos.iter().all(|info| info.rank.is_none())
    {
        let text = format!("the pattern {pattern:?} finds no rank in the {} files of {}", listed.len(), location.url());
        return Err(Error::new(ErrorKind::Argument, text).with_context("first", location.url_of(&first.location)));
    }
    let recognized = recognize(location, listed, &infos, &planner.known, handle)?;
    let vanished = if request.prune { planner.vanished() } else { Vec::new() };
    let reduced_groups: BTreeSet<GroupKey> = vanished.iter().filter_map(|entry| planner.group_of(entry)).collect();
    planner.changed_folders = planner.changed_folders(&vanished);
    let content_ranks = recognized.iter().map(|file| file.rank_from_content).collect();
    let pruned = vanished.iter().map(|entry| entry.id).collect();
    let mut plan = IngestPlan { listed, infos, content_ranks, pruned, settings, ..IngestPlan::default() };
    let tasks = planner.group_objects(&mut plan, recognized);
    planner.number_recordings(&mut plan, &tasks);
    let ids: BTreeSet<i64> = base.objects.iter().map(|old| old.id).collect();
    for mut task in tasks.into_values() {
        let count = task.objects.len();
        let reduced = reduced_groups.contains(&task.key());
        planner.skip_unchanged(&plan, &mut task, reduced, paused);
        plan.unchanged += (count - task.objects.len()) as u64;
        if task.objects.is_empty() {
            continue;
        }
        plan.replaced.extend(task.objects.iter().map(|index| plan.infos[*index].id).filter(|id| ids.contains(id)));
        plan.tasks.push(task);
    }
    // Start with the largest one, so that no worker is left with a large task at the end.
    plan.tasks.sort_by_key(|task| std::cmp::Reverse(task.objects.iter().map(|index| listed[*index].size).sum::<u64>()));
    Ok(plan)
}

/// The address of the folder of a file.
fn folder(url: &str) -> &str {
    url.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder of `profiler_info_<rank>.json`, with its last `/`, and this rank. `torch_npu` writes the rank nowhere else; its
/// trace is in a folder of this folder.
fn rank_of_folder(path: &str) -> Option<(&str, i64)> {
    let (folder, name) = path.split_at(path.rfind('/').map_or(0, |end| end + 1));
    let rank = name.strip_prefix("profiler_info_")?.strip_suffix(".json")?.parse().ok()?;
    (rank >= 0).then_some((folder, rank))
}

/// The rank that a pattern finds in the address of a file, as its first group.
fn rank_in_path(pattern: &Regex, path: &str) -> Option<i64> {
    pattern.captures(path)?.get(1)?.as_str().parse().ok().filter(|rank| *rank >= 0)
}

/// Returns the paths of the listed files. If the address is a single file, adds the log files next
/// to it, which are not listed.
fn list_siblings(location: &Location, listed: &[StoredObject], handle: &Handle) -> Arc<Siblings> {
    let mut paths: Vec<Arc<str>> = listed.iter().map(|object| Arc::clone(&object.path)).collect();
    if let [only] = listed
        && *location.root() == only.location
    {
        let logs = sqlite_log_paths(&only.path).filter(|name| handle.block_on(location.has_sibling(name)));
        paths.extend(logs.map(Arc::from));
    }
    Arc::new(paths.into_iter().collect())
}

/// The inputs of a plan.
struct IngestPlanner<'a> {
    location: &'a Location,
    listed: &'a [StoredObject],
    base: &'a Manifest,
    /// The entries of the run by URL.
    known: BTreeMap<&'a str, &'a Entry>,
    siblings: Arc<Siblings>,
    /// Folders with a file that is new, has changed, or has vanished.
    changed_folders: BTreeSet<String>,
}

impl<'a> IngestPlanner<'a> {
    fn old_entry(&self, object: &StoredObject) -> Option<&'a Entry> {
        self.known.get(self.location.url_of(&object.location).as_str()).copied()
    }

    /// Returns the folders with a file that is new, has changed, or has vanished.
    fn changed_folders(&self, vanished: &[&Entry]) -> BTreeSet<String> {
        let is_changed = |object: &&StoredObject| {
            self.old_entry(object).is_none_or(|old| old.etag != object.etag || old.size != object.size)
        };
        let listed = self.listed.iter().filter(is_changed).map(|object| self.location.url_of(&object.location));
        let urls = listed.chain(vanished.iter().map(|entry| entry.url.clone()));
        urls.map(|url| folder(&url).to_owned()).collect()
    }

    /// Returns the settings of the request, else those of a file of this source. Files that still
    /// exist come first.
    fn settings(&self, request: &Request) -> IngestSettings {
        let is_read = |entry: &&Entry| *entry.source == *self.location.url() && entry.format.is_some();
        let existing = self.listed.iter().filter_map(|object| self.old_entry(object)).find(is_read);
        IngestSettings::new(request, existing.or_else(|| self.known.values().copied().find(is_read)))
    }

    /// Returns the input of the formats about each listed object. New objects get the next free ids.
    fn object_infos(&self, settings: &IngestSettings) -> Vec<ObjectInfo> {
        let rank_pattern = settings.rank_from.as_deref().and_then(|pattern| Regex::new(pattern).ok());
        let mut new_ids = self.base.objects.iter().map(|entry| entry.id + 1).max().unwrap_or(0)..;
        let info = |object: &StoredObject| ObjectInfo {
            id: self.old_entry(object).map(|entry| entry.id).or_else(|| new_ids.next()).unwrap_or_default(),
            path: Arc::clone(&object.path),
            size: object.size,
            siblings: Arc::clone(&self.siblings),
            recording: None,
            clock_offset: settings.clock_offset,
            numbered_rank: None,
            rank: rank_pattern
                .as_ref()
                .and_then(|pattern| rank_in_path(pattern, &self.location.url_of(&object.location))),
            step_annotation: settings.step_annotation.clone(),
            loader_columns: Arc::clone(&settings.loader_columns),
        };
        self.listed.iter().map(info).collect()
    }

    /// Groups the objects into tasks. Adds the entries of the others to the plan.
    fn group_objects(
        &self,
        plan: &mut IngestPlan<'_>,
        recognized: Vec<RecognizedFile>,
    ) -> BTreeMap<GroupKey, DecodeTask> {
        let mut interner = EntryInterner::default();
        let mut tasks: BTreeMap<GroupKey, DecodeTask> = BTreeMap::new();
        for (index, (object, file)) in self.listed.iter().zip(recognized).enumerate() {
            let (error, formats_tried) = match file.kind {
                FileKind::Read(format, group) => {
                    let key = (format.descriptor().name, Arc::clone(&group));
                    let new_task = || DecodeTask { format, group, objects: Vec::new(), paused: Mutex::default() };
                    tasks.entry(key).or_insert_with(new_task).objects.push(index);
                    continue;
                }
                // Treat it as if it had not been listed.
                FileKind::Gone => continue,
                FileKind::Ignored(why) => (why, None),
                FileKind::Refused(why) => (why, Some(format_count())),
                FileKind::Unknown => (unknown(), Some(format_count())),
            };
            let info = &plan.infos[index];
            // A previous ingest may have read it: remove those rows.
            if self.old_entry(object).is_some_and(|old| !old.rows.is_empty()) {
                plan.replaced.insert(info.id);
            }
            let error = Some(Arc::from(error));
            let entry = Entry { error, formats_tried, ..new_entry(self.location, object, info) };
            plan.ignored.push(interner.intern(entry));
        }
        tasks
    }

    /// Numbers the recordings of each process, in each format.
    fn number_recordings(&self, plan: &mut IngestPlan<'_>, tasks: &BTreeMap<GroupKey, DecodeTask>) {
        let mut ranks_of_folders: BTreeMap<&str, Option<i64>> = BTreeMap::new();
        for (folder, rank) in self.listed.iter().filter_map(|object| rank_of_folder(&object.path)) {
            // Several files in one folder were collected there: the rank of a trace is unknown.
            ranks_of_folders.entry(folder).and_modify(|rank| *rank = None).or_insert(Some(rank));
        }
        let rank_of_file = |path: &str| {
            let folders = path.rmatch_indices('/').map(|(end, _)| &path[..=end]).chain([""]);
            folders.into_iter().find_map(|folder| *ranks_of_folders.get(folder)?)
        };
        for format in FORMATS {
            let name = format.descriptor().name;
            let tasks = tasks.values().filter(|task| task.format.descriptor().name == name);
            let indices: Vec<usize> = tasks.flat_map(|task| task.objects.iter().copied()).collect();
            let mut files: Vec<_> = indices
                .iter()
                .map(|n| (self.listed[*n].path.as_ref(), plan.infos[*n].rank.or(plan.content_ranks[*n])))
                .collect();
            for (file, (index, rank)) in indices.iter().zip(format.number_ranks(&files)).enumerate() {
                let rank = rank_of_file(files[file].0).filter(|_| name == "kineto").or(rank);
                plan.infos[*index].numbered_rank = rank;
                files[file].1 = files[file].1.or(rank);
            }
            // Rows of vanished files and of other sources stay, and so do the numbers of their recordings.
            let listed: BTreeSet<i64> = indices.iter().map(|n| plan.infos[*n].id).collect();
            let other = self.base.objects.iter().filter(|old| old.format.as_deref() == Some(name));
            let used: Vec<_> = other
                .filter(|old| !listed.contains(&old.id) && !plan.pruned.contains(&old.id))
                .filter_map(|old| Some((old.ranks.first().copied(), old.recording?)))
                .collect();
            for (index, recording) in indices.iter().zip(format.number_recordings(&files, &used)) {
                plan.infos[*index].recording = recording;
            }
        }
    }

    /// Removes the objects from a task that need not be read again. `reduced` means that files
    /// of its group vanished.
    fn skip_unchanged(&self, plan: &IngestPlan<'_>, task: &mut DecodeTask, reduced: bool, paused: &mut PausedDecoders) {
        let version = task.format.descriptor().version;
        let is_unchanged = |index: &usize| {
            let object = &self.listed[*index];
            self.old_entry(object).is_some_and(|old| {
                old.etag == object.etag
                    && old.size == object.size
                    && old.format_version == Some(version)
                    && plan.settings.match_entry(old)
                    && old.recording == plan.infos[*index].recording
                    && old.numbered_rank == plan.infos[*index].numbered_rank
                    && !(old.is_copy && self.changed_folders.contains(folder(&old.url)))
            })
        };
        if task.format.is_file_independent() || !reduced && task.objects.iter().all(is_unchanged) {
            task.objects.retain(|index| !is_unchanged(index));
        } else if let Some(paused) = paused.remove(&task.key()).filter(|_| !reduced) {
            let count = paused.objects.len();
            let mut pairs = task.objects.iter().zip(&paused.objects);
            let is_same = pairs.all(|(n, id)| plan.infos[*n].id == *id && is_unchanged(n));
            let next = task.objects.get(count).filter(|_| is_same);
            if next.is_some_and(|next| paused.decoder.can_continue(&plan.infos[*next])) {
                task.objects.drain(..count);
                task.paused = Mutex::new(Some(paused));
            }
        }
    }

    /// Returns the objects that were read from this source and are no longer listed.
    fn vanished(&self) -> Vec<&'a Entry> {
        let listed: BTreeSet<String> =
            self.listed.iter().map(|object| self.location.url_of(&object.location)).collect();
        let is_gone = |entry: &&Entry| *entry.source == *self.location.url() && !listed.contains(&entry.url);
        self.base.objects.iter().map(Arc::as_ref).filter(is_gone).collect()
    }

    /// Returns the group in which an object was read.
    fn group_of(&self, entry: &Entry) -> Option<GroupKey> {
        let format = crate::format::format(entry.format.as_deref()?)?;
        let path = entry.url.strip_prefix(self.location.url()).unwrap_or(&entry.url).trim_start_matches('/');
        let info = ObjectInfo { path: path.into(), siblings: Arc::clone(&self.siblings), ..ObjectInfo::default() };
        let group = format.group(&info).unwrap_or(info.path);
        Some((format.descriptor().name, group))
    }
}

/// Returns the entry of an object that was not read yet.
pub(super) fn new_entry(location: &Location, object: &StoredObject, info: &ObjectInfo) -> Entry {
    Entry {
        id: info.id,
        source: Arc::from(location.url()),
        url: location.url_of(&object.location),
        etag: object.etag.clone(),
        size: object.size,
        modified: object.modified,
        loader_columns: Arc::clone(&info.loader_columns),
        ..Entry::default()
    }
}
