//! The memory pool that the operators of all queries share.

use std::fmt;

use datafusion::common::Result;
use datafusion::execution::memory_pool::{FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};

/// A memory pool with two limits. While less than half of the memory is reserved, any operator may
/// grow. Above that, each operator may reserve an equal share and spills the rest to disk. With
/// equal shares alone, a plan with a hundred operators would limit each of them to a hundredth.
#[derive(Debug)]
pub struct HalfFairPool {
    fair: FairSpillPool,
    half: usize,
}

impl HalfFairPool {
    pub fn new(bytes: usize) -> Self {
        Self { fair: FairSpillPool::new(bytes), half: bytes / 2 }
    }
}

impl MemoryPool for HalfFairPool {
    fn name(&self) -> &'static str {
        "half fair"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.fair.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.fair.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.fair.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.fair.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        if self.fair.reserved().saturating_add(additional) <= self.half {
            self.fair.grow(reservation, additional);
            return Ok(());
        }
        self.fair.try_grow(reservation, additional)
    }

    fn reserved(&self) -> usize {
        self.fair.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        self.fair.memory_limit()
    }
}

impl fmt::Display for HalfFairPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.name(), self.fair)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn one_of_several_operators_may_reserve_half() {
        let pool: Arc<dyn MemoryPool> = Arc::new(HalfFairPool::new(1000));
        let register = |name: &str| MemoryConsumer::new(name).with_can_spill(true).register(&pool);
        let (large, small, idle) = (register("large"), register("small"), register("idle"));
        large.try_grow(500).unwrap();
        assert!(large.try_grow(1).is_err(), "more than the half, and more than its third");
        small.try_grow(333).unwrap();
        assert!(small.try_grow(1).is_err(), "more than its third");
        large.shrink(400);
        small.try_grow(60).unwrap();
        assert_eq!((pool.reserved(), idle.size()), (493, 0));
    }
}
