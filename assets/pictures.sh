#!/usr/bin/env bash
# Makes the README's and the guide's pictures anew, those of the README from real traces, so that they stay true.
# Usage: assets/pictures.sh    (wants build/release/bytescope and the traces, see BYTESCOPE_TRACES)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
traces=${BYTESCOPE_TRACES:-../shared/traces}
program=${BYTESCOPE:-build/release/bytescope}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
demo=$folder/demo.bin

picture() { "$program" screenshot "$@"; }

picture "$traces"/../big/2026-08-22-a9069c177a-train8-nokeys.bin assets/pictures/training.png --size 1600x900
picture "$traces"/2025-10-17-dfb8f9fc9e-heavy.bin assets/pictures/memory.png --size 1280x720 --expand "NULL Memory"

"$program" generate "$demo" --events 200000
picture "$demo" docs/pictures/idle.png --size 1280x720 --panel gaps --range "train @ 4..train @ 6"
picture "$demo" docs/pictures/costly.png --size 1600x800 --panel statistics
picture "$demo" docs/pictures/memory.png --size 1280x960 --panel live --expand "AMD:4 Memory" --scroll "AMD:4 Memory" --range "train @ 2..train @ 8"
picture "$demo" docs/pictures/steps.png --size 1280x720 --panel steps
