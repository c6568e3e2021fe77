#!/bin/sh
# Runs the compiler. Adds coverage counters for libFuzzer to tracelake's own crates; the stable toolchain has them as an LLVM
# pass.
case "${CARGO_PKG_NAME:-} $* " in
# Build scripts need no counters. tracelake-header has none either, because a build script links it.
tracelake*" --crate-name build_script"* | "tracelake-header "*) ;;
"tracelake "* | tracelake-*)
  set -- "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=16
  ;;
esac
exec "$@"
