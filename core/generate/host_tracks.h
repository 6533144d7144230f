#pragma once

#include "core/generate/catalog.h"
#include "core/generate/plan.h"
#include "core/generate/receiver.h"

namespace bytescope::generate {

/// The spans of USER: loading at startup, then a span for each step with what the program does in
/// it, four deep, some with a call stack.
void make_user(const Plan& plan, const Catalog& catalog, Receiver& receiver);
/// The spans of TINY, six deep: most of them compile kernels at startup (`do_to_program for …`
/// shares its ref with the kernel), the others stand at the beginning of each step.
void make_compiler(const Plan& plan, const Catalog& catalog, Receiver& receiver);

}  // namespace bytescope::generate
