//! Call chains: the frames of a stack by its id.
//!
//! Exports number chains in the order of the events that have them, so both are walked side by side. Chains are not kept: where an
//! event asks for one that was passed already, its stack is left out, which is counted.

use std::sync::Arc;

use super::column::Column;
use super::sqlite::Fault;
use super::store::{Scan, Store};
use super::text::Texts;
use crate::json::add_string;
use crate::table::Rows;

/// More frames than a stack is recorded with.
const DEEPEST: usize = 512;

/// A frame whose symbol was not found.
const NO_SYMBOL: &str = "[unknown]";

/// Which table of call chains an event's stack is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `CUDA_CALLCHAINS`.
    Calls,
    /// `OSRT_CALLCHAINS`.
    SystemCalls,
    /// `SAMPLING_CALLCHAINS`.
    Samples,
}

impl Kind {
    /// All of them, in order.
    pub(super) const ALL: [Self; 3] = [Self::Calls, Self::SystemCalls, Self::Samples];

    /// The name of the table.
    pub(super) fn table(self) -> &'static str {
        match self {
            Self::Calls => "CUDA_CALLCHAINS",
            Self::SystemCalls => "OSRT_CALLCHAINS",
            Self::Samples => "SAMPLING_CALLCHAINS",
        }
    }
}

/// A stack.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    /// Its frames as a JSON list, the innermost first.
    pub(super) frames: Arc<str>,
    /// The name of the innermost.
    pub(super) innermost: Arc<str>,
}

/// A table of call chains, read as far as events asked.
#[derive(Debug)]
pub(super) struct Stacks {
    scan: Scan,
    /// The row that was read last belongs to a later chain.
    ahead: Option<(i64, Frame)>,
    /// The largest chain that was read, and its stack.
    last: i64,
    stack: Option<Stack>,
    ended: bool,
    /// The frames of the present chain, and their list.
    frames: Vec<Frame>,
    list: String,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    depth: i64,
    symbol: Option<i64>,
}

impl Stacks {
    /// The table of this name, if the export has it.
    pub(super) fn of(store: &Store, table: &str) -> Option<Self> {
        Some(Self {
            scan: store.scan(table)?,
            ahead: None,
            last: i64::MIN,
            stack: None,
            ended: false,
            frames: Vec::new(),
            list: String::new(),
        })
    }

    /// The stack of a chain; none if it is not there.
    pub(super) fn take(
        &mut self,
        chain: i64,
        store: &mut Store,
        texts: &mut Texts,
        rows: &mut Rows,
        fault: &mut dyn FnMut(Fault),
    ) -> std::io::Result<Option<Stack>> {
        if chain == self.last {
            return Ok(self.stack.clone());
        }
        if chain < self.last {
            rows.repair("chain_passed", None, || {
                format!("call chain {chain} is used after a later one; its stack is skipped")
            });
            return Ok(None);
        }
        (self.last, self.stack) = (chain, None);
        self.frames.clear();
        loop {
            let (id, frame) = match self.ahead.take() {
                Some(ahead) => ahead,
                None if self.ended => break,
                None => {
                    let Some(cells) = self.scan.next(store, fault)? else {
                        self.ended = true;
                        break;
                    };
                    let frame =
                        Frame { depth: cells.int(Column::StackDepth).unwrap_or(0), symbol: cells.int(Column::Symbol) };
                    (cells.int(Column::Id).unwrap_or(i64::MIN), frame)
                }
            };
            if id > chain {
                self.ahead = Some((id, frame));
                break;
            }
            if id == chain && self.frames.len() < DEEPEST {
                self.frames.push(frame);
            }
        }
        if self.frames.is_empty() {
            rows.repair("chain_missing", None, || {
                format!("call chain {chain} is not at the position of its number; its stack is skipped")
            });
            return Ok(None);
        }
        self.frames.sort_by_key(|frame| frame.depth);
        self.list.clear();
        let mut innermost = None;
        for frame in &self.frames {
            self.list.push(if self.list.is_empty() { '[' } else { ',' });
            let symbol = frame.symbol.map(|symbol| texts.get(symbol, store, rows));
            add_string(&mut self.list, symbol.as_deref().unwrap_or(NO_SYMBOL));
            innermost = innermost.or_else(|| Some(symbol.unwrap_or_else(|| NO_SYMBOL.into())));
        }
        self.list.push(']');
        self.stack = innermost.map(|innermost| Stack { frames: self.list.as_str().into(), innermost });
        Ok(self.stack.clone())
    }
}
