#pragma once

#include <cstdint>

#include "core/generate/catalog.h"
#include "core/generate/plan.h"
#include "core/generate/receiver.h"

namespace bytescope::generate {

/// The kernels of a device: one after another in each batch, gaps between them.
void make_kernels(const Plan& plan, const Catalog& catalog, std::uint32_t device,
                  Receiver& receiver);
/// The copies of a device's engine, spread over its batches.
void make_copies(const Plan& plan, const Catalog& catalog, std::uint32_t device,
                 Receiver& receiver);
/// The batches, one span each for all devices together.
void make_batches(const Plan& plan, const Catalog& catalog, Receiver& receiver);

/// A span of `ns` nanoseconds from `begin_ns` on: the start cut to microseconds, the duration never
/// rounded up, so that spans that follow each other never overlap.
bytepack::SpanRecord span_of(std::int64_t begin_ns, std::int64_t ns);

}  // namespace bytescope::generate
