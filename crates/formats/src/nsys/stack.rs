//! Call chains: the frames of a stack by the id of its chain.
//!
//! Exports number chains in the order of the events that have them, so this module reads both in parallel and
//! caches only the last chain. An event that refers to an earlier chain gets no stack, and a problem counts it.

use std::io;
use std::sync::Arc;

use super::column::NsysColumn;
use super::sqlite::OnError;
use super::store::{Store, StoreScan};
use super::text::TextCache;
use crate::json::add_string;
use crate::table::Rows;

/// The maximum number of frames of a stack; further frames are skipped.
const MAX_FRAMES: usize = 512;

/// The name of a frame without a symbol.
const NO_SYMBOL: &str = "[unknown]";

/// The names of the tables of call chains, in the order of [`ChainTable`].
pub(super) const CHAIN_TABLES: [&str; 3] = ["CUDA_CALLCHAINS", "OSRT_CALLCHAINS", "SAMPLING_CALLCHAINS"];

/// A table of call chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChainTable {
    Cuda,
    Osrt,
    Sampling,
}

/// A stack.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    /// The frames as a JSON list, innermost first.
    pub(super) frames: Arc<str>,
    /// The name of the innermost frame.
    pub(super) innermost: Arc<str>,
}

/// Reads a table of call chains once, from the first row to the last.
pub(super) struct ChainReader {
    scan: StoreScan,
    /// The last row that was read, if its chain comes after the current one: id of the chain and frame.
    lookahead: Option<(i64, StackFrame)>,
    /// Id of the current chain, and its stack.
    chain: i64,
    stack: Option<Stack>,
    /// Whether all rows are read.
    ended: bool,
    /// Buffers for the frames of a chain, and for their JSON list.
    frames: Vec<StackFrame>,
    json: String,
}

#[derive(Debug, Clone, Copy)]
struct StackFrame {
    depth: i64,
    /// Id of the text.
    symbol: Option<i64>,
}

impl ChainReader {
    /// A reader of this table; `None` if the export lacks it.
    pub(super) fn new(store: &Store, table: &str) -> Option<Self> {
        Some(Self {
            scan: store.scan(table)?,
            lookahead: None,
            chain: i64::MIN,
            stack: None,
            ended: false,
            frames: Vec::new(),
            json: String::new(),
        })
    }

    /// The stack of a chain; `None` if it is missing or the reader is past it, which is reported.
    pub(super) fn stack(
        &mut self,
        chain: i64,
        store: &mut Store,
        texts: &mut TextCache,
        rows: &mut Rows,
        on_error: OnError<'_>,
    ) -> io::Result<Option<Stack>> {
        if chain == self.chain {
            return Ok(self.stack.clone());
        }
        if chain < self.chain {
            rows.repair("chain_passed", None, || {
                format!("call chain {chain} is used after a later one; its stack is skipped")
            });
            return Ok(None);
        }
        (self.chain, self.stack) = (chain, None);
        self.read_frames(store, on_error)?;
        if self.frames.is_empty() {
            rows.repair("chain_missing", None, || {
                format!("call chain {chain} is not at the position of its number; its stack is skipped")
            });
            return Ok(None);
        }
        self.frames.sort_by_key(|frame| frame.depth);
        self.json.clear();
        let mut innermost = None;
        for frame in &self.frames {
            self.json.push(if self.json.is_empty() { '[' } else { ',' });
            let symbol = frame.symbol.map(|symbol| texts.get(symbol, store, rows));
            add_string(&mut self.json, symbol.as_deref().unwrap_or(NO_SYMBOL));
            innermost = innermost.or_else(|| Some(symbol.unwrap_or_else(|| NO_SYMBOL.into())));
        }
        self.json.push(']');
        self.stack = innermost.map(|innermost| Stack { frames: self.json.as_str().into(), innermost });
        Ok(self.stack.clone())
    }

    /// Reads rows up to the end of the current chain and fills `frames`.
    fn read_frames(&mut self, store: &mut Store, on_error: OnError<'_>) -> io::Result<()> {
        self.frames.clear();
        while let Some((id, frame)) = self.next_frame(store, on_error)? {
            if id > self.chain {
                self.lookahead = Some((id, frame));
                break;
            }
            if id == self.chain && self.frames.len() < MAX_FRAMES {
                self.frames.push(frame);
            }
        }
        Ok(())
    }

    fn next_frame(&mut self, store: &mut Store, on_error: OnError<'_>) -> io::Result<Option<(i64, StackFrame)>> {
        if self.lookahead.is_some() || self.ended {
            return Ok(self.lookahead.take());
        }
        let Some(row) = self.scan.next(store, on_error)? else {
            self.ended = true;
            return Ok(None);
        };
        let depth = row.int(NsysColumn::stackDepth).unwrap_or(0);
        let frame = StackFrame { depth, symbol: row.int(NsysColumn::symbol) };
        Ok(Some((row.int(NsysColumn::id).unwrap_or(i64::MIN), frame)))
    }
}
