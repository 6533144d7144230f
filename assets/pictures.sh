#!/usr/bin/env bash
# Makes the README's pictures anew from real traces, so that they stay true.
# Usage: assets/pictures.sh    (wants build/release/bytescope and the traces, see BYTESCOPE_TRACES)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
traces=${BYTESCOPE_TRACES:-../shared/traces}
program=build/release/bytescope
"$program" screenshot "$traces"/../big/2026-08-22-a9069c177a-train8-nokeys.bin assets/pictures/training.png --size 1600x900
"$program" screenshot "$traces"/2025-10-17-dfb8f9fc9e-heavy.bin assets/pictures/memory.png --size 1280x720 --expand "NULL Memory"
