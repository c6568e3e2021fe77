//! Runs libFuzzer on the target of tests/it/fuzz.rs that `TRACELAKE_FUZZ` names. Without the variable, prints all names.

#![no_main]

use std::io::Write as _;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/decode.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod decode;
#[path = "../../tests/it/decode_sections.rs"]
mod decode_sections;
#[path = "../../tests/it/fuzz.rs"]
mod fuzz;

static TARGET: OnceLock<fn(&[u8])> = OnceLock::new();

fn choose_target() {
    // formats catch some panics themselves: libFuzzer's hook would end the process at once
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(std::io::stderr(), "{panic}");
    }));
    let name = std::env::var("TRACELAKE_FUZZ").unwrap_or_default();
    if let Some((_, target)) = fuzz::TARGETS.iter().find(|(target, _)| *target == name) {
        let _ = TARGET.set(*target);
        return;
    }
    let names: Vec<&str> = fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
    let _ = writeln!(std::io::stdout(), "{}", names.join("\n"));
    std::process::exit(i32::from(!name.is_empty()));
}

fuzz_target!(init: choose_target(), |data: &[u8]| {
    if let Some(target) = TARGET.get() {
        target(data);
    }
});
