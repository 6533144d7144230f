#pragma once

#include <cstdint>

#include "core/generate/catalog.h"
#include "core/generate/plan.h"
#include "core/generate/receiver.h"

namespace bytescope::generate {

/// The buffers of a device: weights from the startup on, never freed; in every step a sawtooth of
/// activations, allocated forward and freed in reverse, with short-lived temporaries between them
/// and a few buffers that live for several steps. Some keys are used again after a free. The users
/// of a buffer are runs of the batches in which it was allocated and freed, as RunKeys knows them.
/// From dialect E on buffers alive at the end are freed at `duration_us`.
void make_memory(const Plan& plan, const Catalog& catalog, std::uint32_t device,
                 std::uint32_t duration_us, Receiver& receiver);

}  // namespace bytescope::generate
