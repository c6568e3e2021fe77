//! Reads data files of a remote store with few requests.
//!
//! The Parquet reader requests the footer, the page index and the columns of each row group one after another. A request takes
//! much longer than the transfer of some 100 kB. So a reader fetches a few windows of a file, each with one request: small
//! files as a whole; of larger ones, the end with footer and page index, and the adjacent slices of a shared file that a
//! scan reads. A session caches the latest windows, because many queries read the same files, and a data file never changes.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::common::Result as DataFusionResult;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::ParquetFileReaderFactory;
use datafusion::datasource::physical_plan::parquet::CachedParquetFileReaderFactory;
use datafusion::execution::cache::cache_manager::FileMetadataCache;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload,
    OBJECT_STORE_COALESCE_DEFAULT, ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions,
    PutPayload, PutResult, Result, coalesce_ranges,
};
use parking_lot::Mutex;
use parquet::arrow::async_reader::AsyncFileReader;
use tokio::sync::OnceCell;

/// Size in bytes of files that are read as a whole, and of the end of larger files. The Parquet reader begins with a request
/// for this many bytes, too.
const END_BYTES: u64 = 512 << 10;

/// Maximum size in bytes of a window with slices of a shared file.
const MAX_WINDOW: u64 = 32 << 20;

/// Maximum size in bytes of the windows that a session caches.
const CACHE_BYTES: u64 = 64 << 20;

/// The layout of a shared file.
#[derive(Debug, Clone)]
pub(crate) struct SliceRanges {
    /// The adjacent slices that a scan reads. DataFusion may divide them between partitions.
    pub(crate) slices: Range<u64>,
    /// The end of the last slice, where the page index starts; a larger number if it is unknown.
    pub(crate) slices_end: u64,
}

/// The windows that a session fetched last. They include windows that are still being fetched, so that parallel scans share
/// the request.
#[derive(Debug, Default)]
pub struct WindowCache(Mutex<CachedWindows>);

type WindowBytes = Arc<OnceCell<Bytes>>;

#[derive(Debug, Default)]
struct CachedWindows {
    files: HashMap<Path, Vec<Window>>,
    /// From the oldest to the newest.
    order: VecDeque<(Path, Range<u64>)>,
    /// Total size.
    bytes: u64,
}

impl WindowCache {
    /// Returns the cached window that contains a range, else a new one. Drops the oldest windows beyond the maximum size.
    fn window(&self, location: &Path, range: Range<u64>) -> Window {
        let size = range.end - range.start;
        if size > CACHE_BYTES / 2 {
            return Window { range, bytes: WindowBytes::default() };
        }
        let mut cached = self.0.lock();
        let windows = cached.files.entry(location.clone()).or_default();
        if let Some(window) = windows.iter().find(|window| window.contains(&range)) {
            return window.clone();
        }
        let window = Window { range, bytes: WindowBytes::default() };
        windows.push(window.clone());
        cached.order.push_back((location.clone(), window.range.clone()));
        cached.bytes += size;
        while cached.bytes > CACHE_BYTES
            && let Some((location, range)) = cached.order.pop_front()
        {
            cached.bytes -= range.end - range.start;
            if let Some(windows) = cached.files.get_mut(&location) {
                windows.retain(|window| window.range != range);
                if windows.is_empty() {
                    cached.files.remove(&location);
                }
            }
        }
        window
    }
}

/// Creates readers that fetch windows of files.
pub(crate) struct CoalescingReaderFactory {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) footers: Arc<FileMetadataCache>,
    pub(crate) cache: Arc<WindowCache>,
}

impl fmt::Debug for CoalescingReaderFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CoalescingReaderFactory")
    }
}

impl ParquetFileReaderFactory for CoalescingReaderFactory {
    fn create_reader(
        &self,
        partition: usize,
        file: PartitionedFile,
        end_bytes: Option<usize>,
        metrics: &ExecutionPlanMetricsSet,
    ) -> DataFusionResult<Box<dyn AsyncFileReader + Send>> {
        let (end, slices) = windows(&file);
        let store = WindowStore {
            store: Arc::clone(&self.store),
            file: file.object_meta.clone(),
            windows: std::iter::once(end)
                .chain(slices)
                .map(|range| self.cache.window(&file.object_meta.location, range))
                .collect(),
        };
        let cached = CachedParquetFileReaderFactory::new(Arc::new(store), Arc::clone(&self.footers));
        cached.create_reader(partition, file, end_bytes, metrics)
    }
}

/// Returns the end of a file, or all of a small one; and the slices of a shared file that a scan reads.
fn windows(file: &PartitionedFile) -> (Range<u64>, Option<Range<u64>>) {
    let size = file.object_meta.size;
    let end = size.saturating_sub(END_BYTES);
    let Some(shared) = file.extensions.get::<SliceRanges>().filter(|_| end > 0) else { return (end..size, None) };
    let slices = shared.slices.clone();
    (shared.slices_end.min(end)..size, Some(slices).filter(|slices| slices.end - slices.start <= MAX_WINDOW))
}

/// A part of a file that is fetched when any byte of it is needed.
#[derive(Debug, Clone)]
struct Window {
    range: Range<u64>,
    bytes: WindowBytes,
}

impl Window {
    fn contains(&self, range: &Range<u64>) -> bool {
        self.range.start <= range.start && range.end <= self.range.end
    }
}

/// The store of one reader.
#[derive(Debug)]
struct WindowStore {
    store: Arc<dyn ObjectStore>,
    file: ObjectMeta,
    windows: Vec<Window>,
}

impl WindowStore {
    /// Returns the window that contains a range.
    fn window(&self, range: &Range<u64>) -> Option<&Window> {
        self.windows.iter().find(|window| window.contains(range))
    }

    /// Returns the bytes of a range: from the window that contains it, else from the store.
    async fn read(&self, location: &Path, range: Range<u64>) -> Result<Bytes> {
        let Some(window) = self.window(&range) else { return self.store.get_range(location, range).await };
        let fetch = || self.store.get_range(location, window.range.clone());
        let bytes = window.bytes.get_or_try_init(fetch).await?;
        let offset = |byte: u64| usize::try_from(byte - window.range.start).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes.slice(offset(range.start)..offset(range.end)))
    }
}

impl fmt::Display for WindowStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.store.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for WindowStore {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.store.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        match &options.range {
            Some(GetRange::Bounded(range)) if self.window(range).is_some() => {
                let (bytes, range) = (self.read(location, range.clone()).await?, range.clone());
                let payload = GetResultPayload::Stream(futures::stream::iter([Ok(bytes)]).boxed());
                Ok(GetResult { payload, meta: self.file.clone(), range, attributes: Attributes::default() })
            }
            _ => self.store.get_opts(location, options).await,
        }
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        // Ranges outside of the windows are merged across small gaps.
        let is_fetched = ranges.iter().all(|range| self.window(range).is_some());
        let gap = if is_fetched { 0 } else { OBJECT_STORE_COALESCE_DEFAULT };
        coalesce_ranges(ranges, |range| self.read(location, range), gap).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, source: &Path, target: &Path, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(source, target, options).await
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use object_store::memory::InMemory;

    use super::*;

    const SIZE: u64 = 2 << 20;

    fn file(size: u64, slices: Option<SliceRanges>) -> PartitionedFile {
        let file = PartitionedFile::new("file", size);
        match slices {
            Some(slices) => file.with_extension(slices),
            None => file,
        }
    }

    #[test]
    fn a_window_is_the_end_of_a_file_or_the_slices_of_a_scan() {
        assert_eq!(windows(&file(1000, None)), (0..1000, None));
        assert_eq!(windows(&file(SIZE, None)), (SIZE - END_BYTES..SIZE, None));
        let slices = |slices: Range<u64>, slices_end| Some(SliceRanges { slices, slices_end });
        assert_eq!(windows(&file(SIZE, slices(4..9, SIZE - 10))), (SIZE - END_BYTES..SIZE, Some(4..9)));
        assert_eq!(windows(&file(SIZE, slices(4..9, 5000))), (5000..SIZE, Some(4..9)));
        assert_eq!(windows(&file(SIZE, slices(4..9, u64::MAX))), (SIZE - END_BYTES..SIZE, Some(4..9)));
        assert_eq!(windows(&file(100 << 20, slices(4..90 << 20, 99 << 20))), (99 << 20..100 << 20, None));
    }

    #[test]
    fn the_oldest_windows_are_dropped() {
        let cache = WindowCache::default();
        let location = |n: u64| Path::from(format!("file-{n}"));
        let size = CACHE_BYTES / 4;
        let windows: Vec<Window> = (0..5).map(|n| cache.window(&location(n), 0..size)).collect();
        let is_cached = |n: usize| Arc::ptr_eq(&cache.window(&location(n as u64), 5..9).bytes, &windows[n].bytes);
        assert!(is_cached(4) && is_cached(1));
        assert!(!is_cached(0));
        assert!(cache.0.lock().bytes <= CACHE_BYTES);
        // A large window is not cached.
        let large = || cache.window(&location(9), 0..CACHE_BYTES);
        assert!(!Arc::ptr_eq(&large().bytes, &large().bytes));
    }

    #[test]
    fn ranges_have_the_bytes_of_the_file() {
        let store = InMemory::new();
        let bytes: Vec<u8> = (0..=255).cycle().take(4096).collect();
        let location = Path::from("file");
        block_on(store.put(&location, bytes.clone().into())).unwrap();
        let meta = block_on(store.head(&location)).unwrap();
        let cache = WindowCache::default();
        let windows = [100..200, 300..400].map(|range| cache.window(&location, range)).to_vec();
        let store = WindowStore { store: Arc::new(store), file: meta, windows };
        let part = |range: &Range<u64>| {
            let [start, end] = [range.start, range.end].map(|byte| usize::try_from(byte).unwrap());
            bytes[start..end].to_vec()
        };
        for ranges in [[100..110, 190..200], [110..120, 310..320], [150..350, 0..4096], [0..10, 395..400]] {
            let read = block_on(store.get_ranges(&location, &ranges)).unwrap();
            assert_eq!(read, ranges.iter().map(part).collect::<Vec<_>>(), "{ranges:?}");
        }
        assert_eq!(block_on(store.get_range(&location, 301..303)).unwrap(), part(&(301..303)));
        assert!(store.windows.iter().all(|window| window.bytes.initialized()));
    }
}
