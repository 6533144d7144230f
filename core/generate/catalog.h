#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/bytepack/writer.h"
#include "core/generate/plan.h"

namespace bytescope::generate {

/// A kernel that the compiler made (or somebody by hand) and the devices run again and again.
struct Kernel {
  std::uint32_t name = 0;          ///< Position in `strings`.
  std::uint32_t compile_name = 0;  ///< `do_to_program for NAME`, the span that compiled it.
  std::uint32_t ref = 0;           ///< The context of that compilation.
  std::int64_t work_ns = 0;        ///< How long it usually takes.
  std::uint32_t gflops = 0;
  std::uint32_t memory_gb_s = 0;
  std::uint32_t local_gb_s = 0;
  std::string metadata;  ///< What of the user's program it does; may be empty.
  /// Infos for eight classes of duration, fastest first.
  std::array<std::uint32_t, 8> infos{};
};

/// The texts of a trace and what they belong to: kernels, the order in which a step runs them,
/// names of host spans by depth, copies, batches. Small (a few thousand strings), whatever the size
/// of the trace; infos that are a kernel's own come behind them in `strings` and are made when they
/// are written.
class Catalog {
public:
  explicit Catalog(const Plan& plan);

  /// The texts in the order of their positions.
  const std::vector<std::string>& strings() const { return strings_; }
  const bytepack::DtypeSizes& dtype_bytes() const { return dtype_bytes_; }
  /// Position in `strings` of element type number `i` of dtype_bytes().
  std::uint32_t dtype(std::uint32_t i) const { return dtypes_[i]; }

  const std::vector<Kernel>& kernels() const { return kernels_; }
  /// Which kernel runs as number `place` of a step.
  const Kernel& kernel_at(std::uint64_t place) const {
    return kernels_[program_[place % program_.size()]];
  }
  /// How long kernels `first` to `last` of a step usually take.
  std::int64_t work_ns(std::uint64_t first, std::uint64_t last) const;
  /// The kernel of that name.
  const Kernel& kernel_named(std::uint32_t name) const {
    return kernels_[kernel_of_name_.at(name)];
  }

  /// Where infos that are a kernel's own begin; number `i` is at this position + i.
  std::uint32_t first_own_info() const { return static_cast<std::uint32_t>(strings_.size()); }
  /// The text of own info number `i` of `kernel`. Never equal for two numbers.
  std::string own_info(const Kernel& kernel, std::uint64_t i, float duration_us) const;
  /// What a span without any info refers to.
  std::uint32_t no_info() const { return no_info_; }

  std::uint32_t batch_name(std::uint32_t batch) const { return batch_names_[batch]; }
  std::uint32_t step_name(std::uint32_t step) const { return step_names_[step]; }
  /// Name of copy number `i` of a device, and an info for it.
  std::uint32_t copy_name(std::uint32_t device, std::uint32_t i) const;
  std::uint32_t copy_info(std::uint32_t i) const { return copy_infos_[i % copy_infos_.size()]; }
  /// Names of the spans of USER and TINY by depth.
  const std::vector<std::vector<std::uint32_t>>& user_names() const { return user_names_; }
  const std::vector<std::vector<std::uint32_t>>& compiler_names() const { return compiler_names_; }
  /// Call stacks for spans of USER; empty before dialect I.
  const std::vector<std::uint32_t>& call_stacks() const { return call_stacks_; }

private:
  std::uint32_t id(const std::string& text);
  void add_kernels(const Plan& plan);
  void add_program(std::uint64_t seed);
  void add_infos(Kernel& kernel);
  void add_host_names(std::uint32_t steps);
  void add_copies(const Plan& plan);
  void add_call_stacks();
  std::string info(const Kernel& kernel, std::uint32_t slowness) const;

  char letter_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  bytepack::DtypeSizes dtype_bytes_;
  std::vector<std::uint32_t> dtypes_;
  std::vector<Kernel> kernels_;
  std::unordered_map<std::uint32_t, std::uint32_t> kernel_of_name_;
  std::vector<std::uint32_t> program_;     // the kernels of a few layers, repeated through a step
  std::vector<std::int64_t> work_before_;  // running sum over program_
  std::uint32_t no_info_ = 0;
  std::vector<std::uint32_t> batch_names_;
  std::vector<std::uint32_t> step_names_;
  std::vector<std::uint32_t> copy_names_;  // copies_of_device for each device
  std::vector<std::uint32_t> copy_infos_;
  std::vector<std::vector<std::uint32_t>> user_names_;
  std::vector<std::vector<std::uint32_t>> compiler_names_;
  std::vector<std::uint32_t> call_stacks_;
};

/// "AMD", "AMD:1", …
std::string device_name(std::uint32_t device);

}  // namespace bytescope::generate
