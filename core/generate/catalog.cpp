#include "core/generate/catalog.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/generate/infos.h"
#include "core/generate/kernel_names.h"
#include "core/generate/random.h"

namespace bytescope::generate {
namespace {

constexpr std::uint64_t catalog_stream = 1;
constexpr std::uint64_t most_kernels = 400, runs_of_kernel = 100;
/// A step runs these many different layers over and over.
constexpr std::size_t layers = 30, kernels_in_layer = 60;
constexpr std::uint32_t copies_of_device = 3;
/// Context numbers below this belong to the first schedules.
constexpr std::uint32_t first_kernel_ref = 2;

constexpr std::array<std::string_view, 10> metadata_texts = {
    "linear", "",     "layernorm", "__add__", "scaled_dot_product_attention",
    "",       "gelu", "softmax",   "",        "embedding"};

using Names = std::vector<std::string_view>;

const std::vector<Names>& user_texts() {
  static const std::vector<Names> texts = {
      {"load model", "Tensor.manual_seed", "shard_"},
      {"forward", "backward", "optimizer.step", "realize"},
      {"attention", "feed_forward", "norm", "embed", "all_reduce",
       "sparse_categorical_crossentropy"},
      {"__add__", "linear", "reshape", "__getitem__", "softmax", "cast", "permute", "contiguous",
       "__mul__", "sum", "user span λ", "expand"}};
  return texts;
}

const std::vector<Names>& compiler_texts() {
  static const std::vector<Names> texts = {
      {"Schedule 12 Kernels n1", "Callify 19 Buffers n1", "JIT", "Schedule 3 Kernels n2",
       "Callify 4 Buffers n2", "Schedule 231 Kernels n3", "JIT", "Schedule 88 Kernels n4"},
      {"get_kernel_graph", "schedule to linear", "finalize call", "View Call", "buffers"},
      {"full_rewrite_to_sink", "apply_opts", "linearize", "render", "compile"},
      {"graph_rewrite", "run_rangeify", "early transform tensor graph", "multi_pm"},
      {"symbolic", "number the uops", "earliest rewrites", "replace bufs", "postopt symbolic"},
      {"contiguous_view_offset", "minimum_valid", "reduce_collapse", "substitute buffers", "pad",
       "simplify ranges"}};
  return texts;
}

}  // namespace

std::string device_name(std::uint32_t device) {
  return device == 0 ? "AMD" : fmt::format("AMD:{}", device);
}

Catalog::Catalog(const Plan& plan) : letter_(plan.dialect().letter) {
  if (plan.options().events == 0) return;
  no_info_ = id(empty_info(letter_));
  dtype_bytes_ = {{"float", 4}, {"__bf16", 2}, {"unsigned char", 1}, {"int", 4}};
  for (const auto& dtype : dtype_bytes_) dtypes_.push_back(id(dtype.first));
  add_kernels(plan);
  add_program(plan.options().seed);
  add_host_names(plan.steps());
  add_copies(plan);
  if (letter_ >= 'I') add_call_stacks();
  for (std::uint32_t batch = 0; batch < plan.all_batches(); ++batch) {
    batch_names_.push_back(id(fmt::format("batched {}", plan.batch_size(batch))));
  }
  ids_.clear();
}

std::uint32_t Catalog::id(const std::string& text) {
  const auto [place, is_new] = ids_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
  if (is_new) strings_.push_back(text);
  return place->second;
}

void Catalog::add_kernels(const Plan& plan) {
  Random random(plan.options().seed, catalog_stream, 0);
  const std::uint64_t count =
      std::clamp<std::uint64_t>(plan.all_kernels() / runs_of_kernel, 8, most_kernels);
  for (const std::string& name : kernel_names(random, count)) {
    Kernel kernel;
    kernel.name = id(name);
    kernel.compile_name = id("do_to_program for " + name);
    kernel.ref = first_kernel_ref + static_cast<std::uint32_t>(kernels_.size());
    // A microsecond to two milliseconds, each power of two rarer than the one below.
    kernel.work_ns = (std::int64_t{1000} << random.skewed(11)) + random.below(1000);
    const bool reduces = name.front() != 'E';
    kernel.gflops = reduces ? 500U << random.below(9) : 1 + random.below(400);
    kernel.memory_gb_s = 20 + random.below(4000);
    kernel.local_gb_s = kernel.memory_gb_s * (reduces ? 1 + random.below(8) : 1);
    kernel.metadata = metadata_texts[random.below(metadata_texts.size())];
    kernel_of_name_.emplace(kernel.name, static_cast<std::uint32_t>(kernels_.size()));
    add_infos(kernel);
    kernels_.push_back(kernel);
  }
}

std::string Catalog::info(const Kernel& kernel, std::uint32_t slowness) const {
  // Eighths of the usual duration, from 0.8 to 1.2 of it.
  const std::uint64_t percent = 82 + 5 * slowness;
  const Rates rates = {kernel.gflops * 100'000ULL / percent,
                       kernel.memory_gb_s * 100'000ULL / percent,
                       kernel.local_gb_s * 100'000ULL / percent};
  return kernel_info(letter_, rates, kernel.metadata);
}

void Catalog::add_infos(Kernel& kernel) {
  for (std::uint32_t slowness = 0; slowness < kernel.infos.size(); ++slowness) {
    kernel.infos[slowness] = id(info(kernel, slowness));
  }
}

std::string Catalog::own_info(const Kernel& kernel, std::uint64_t i, float duration_us) const {
  // Nanoseconds by microseconds: makes millions a second of what is usually thousands of them.
  const double speed = static_cast<double>(kernel.work_ns) / static_cast<double>(duration_us);
  const auto rate = [speed](std::uint32_t usual) {
    return static_cast<std::uint64_t>(std::min(usual * speed, 1e9));
  };
  return own_kernel_info(
      letter_, {rate(kernel.gflops), rate(kernel.memory_gb_s), rate(kernel.local_gb_s)}, i);
}

void Catalog::add_program(std::uint64_t seed) {
  Random random(seed, catalog_stream, 1);
  const auto kernels = static_cast<std::uint32_t>(kernels_.size());
  std::vector<std::uint32_t> layer;
  for (std::size_t i = 0; i < kernels_in_layer; ++i)
    layer.push_back(random.skewed(kernels / 6 + 1));
  work_before_ = {0};
  for (std::size_t i = 0; i < layers * kernels_in_layer; ++i) {
    // Layers are alike, but not quite.
    const bool differs = random.once_in(5);
    program_.push_back(differs ? random.skewed(kernels) : layer[i % kernels_in_layer]);
    work_before_.push_back(work_before_.back() + kernels_[program_.back()].work_ns);
  }
}

std::int64_t Catalog::work_ns(std::uint64_t first, std::uint64_t last) const {
  if (program_.empty()) return 0;
  const auto before = [this](std::uint64_t place) {
    return static_cast<std::int64_t>(place / program_.size()) * work_before_.back() +
           work_before_[place % program_.size()];
  };
  return before(last) - before(first);
}

void Catalog::add_host_names(std::uint32_t steps) {
  const auto add = [this](const std::vector<Names>& texts) {
    std::vector<std::vector<std::uint32_t>> ids;
    for (const Names& level : texts) {
      ids.emplace_back();
      for (const std::string_view text : level) ids.back().push_back(id(std::string(text)));
    }
    return ids;
  };
  user_names_ = add(user_texts());
  compiler_names_ = add(compiler_texts());
  for (std::uint32_t step = 0; step < steps; ++step) {
    step_names_.push_back(id(fmt::format("step {}", step)));
  }
}

void Catalog::add_copies(const Plan& plan) {
  const std::uint32_t devices = plan.options().devices;
  for (std::uint32_t device = 0; device < devices; ++device) {
    for (std::uint32_t i = 1; i <= copies_of_device; ++i) {
      const std::uint32_t other = (device + i) % devices;
      const std::string to = other == device ? "CPU" : device_name(other);
      copy_names_.push_back(id(fmt::format("{} -> {}", device_name(device), to)));
    }
  }
  for (std::uint64_t bytes = 4096; bytes <= 4096ULL << 15U; bytes *= 2) {
    copy_infos_.push_back(id(generate::copy_info(letter_, bytes, 800 + bytes / 512)));
  }
}

std::uint32_t Catalog::copy_name(std::uint32_t device, std::uint32_t i) const {
  return copy_names_[device * copies_of_device + i % copies_of_device];
}

void Catalog::add_call_stacks() {
  constexpr std::array<std::string_view, 5> calls = {
      R"json(["/src/train/model.py", 41, "__call__", "h = h + self.attention(self.norm(h), mask)"])json",
      R"json(["/src/train/model.py", 77, "forward", "return self.feed_forward(h).softmax(-1)"])json",
      R"json(["/src/train/data.py", 12, "batch", "x = Tensor(\"tokens\").shard(devices, axis=0)"])json",
      R"json(["/usr/lib/python3.12/contextlib.py", 81, "inner", "return func(*args, **kwds)"])json",
      R"json(["/src/train/optim.py", 150, "step", "self.m.assign(self.b1 * self.m + g)"])json"};
  for (std::size_t i = 0; i < 12; ++i) {
    std::string stack = "[";
    for (std::size_t depth = 0; depth <= i % 4; ++depth) {
      stack += fmt::format("{}, ", calls[(i + depth) % calls.size()]);
    }
    stack +=
        fmt::format(R"json(["/src/train/__main__.py", {}, "<module>", "main()"]])json", 200 + i);
    call_stacks_.push_back(id(call_stack_info(letter_, stack)));
  }
}

}  // namespace bytescope::generate
