#!/bin/sh
# The compiler, and for our own crates with the counters by which libFuzzer sees what an input reached. The stable toolchain
# has them as a pass of LLVM.
case "${CARGO_PKG_NAME:-} $* " in
# A build script has nothing that counts, and tracelake-header is linked into one.
tracelake*" --crate-name build_script"* | "tracelake-header "*) ;;
"tracelake "* | tracelake-*)
  set -- "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=16
  ;;
esac
exec "$@"
