#include "core/generate/device_tracks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/generate/random.h"
#include "core/generate/run_keys.h"

namespace bytescope::generate {
namespace {

constexpr std::uint64_t kernel_stream = std::uint64_t{1} << 32U;
constexpr std::uint64_t copy_stream = std::uint64_t{2} << 32U;

/// The kernels of one batch before they are fitted into its window.
struct Draft {
  struct Item {
    std::int64_t gap_ns;
    std::int64_t work_ns;
    std::uint32_t slowness;  ///< Class of duration, 0 to 7.
  };
  std::vector<Item> items;
  std::int64_t total_ns = 0;
};

class KernelTrack {
public:
  KernelTrack(const Plan& plan, const Catalog& catalog, std::uint32_t device, Receiver& receiver)
      : plan_(plan),
        catalog_(catalog),
        device_(device),
        receiver_(receiver),
        count_(plan.devices()[device].kernels),
        all_kernels_(plan.all_kernels()) {
    std::uint64_t earlier = 0;
    for (std::uint32_t i = 0; i < device; ++i) earlier += plan.devices()[i].kernels;
    if (all_kernels_ == 0) return;
    own_ = earlier * plan.own_infos() / all_kernels_;
    own_due_ = earlier * plan.own_infos() % all_kernels_;
  }

  void make() {
    for (std::uint32_t batch = 0; batch < plan_.all_batches() && receiver_.goes_on(); ++batch) {
      const std::uint64_t first = plan_.before(count_, batch);
      const std::uint64_t last = plan_.before(count_, batch + 1);
      const std::uint32_t step = batch / plan_.batches();
      const std::uint64_t place = first - plan_.before(count_, step * plan_.batches());
      draft(batch, place, last - first);
      emit(batch, place);
    }
  }

private:
  void draft(std::uint32_t batch, std::uint64_t place, std::uint64_t count) {
    Random random(plan_.options().seed, kernel_stream + device_, batch);
    draft_.items.clear();
    draft_.total_ns = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t bits = random.next();
      const auto noise = static_cast<std::int64_t>(bits & 0xFFFFU);
      // From 0.8 to 1.2 of the usual work, sometimes twice that; mostly short gaps.
      std::int64_t work =
          catalog_.kernel_at(place + i).work_ns * (131072 + noise) / (131072 + 32768);
      auto slowness = static_cast<std::uint32_t>(noise >> 13U);
      if ((bits >> 16U & 0x7FU) == 0) {
        work *= 2;
        slowness = 7;
      }
      std::int64_t gap = 60 + static_cast<std::int64_t>(bits >> 23U & 0x1FFU);
      if ((bits >> 32U & 0x1FU) == 0) gap *= 30;
      draft_.items.push_back({gap, work, slowness});
      draft_.total_ns += gap + work;
    }
  }

  void emit(std::uint32_t batch, std::uint64_t place) {
    const Window window = plan_.batch(batch);
    const std::int64_t room = window.length_ns - window.length_ns / 32;
    // In 2^-20: less than one where noise made the batch too long, or all of the trace is shrunk.
    const bool fits = draft_.total_ns <= std::max<std::int64_t>(room, 0);
    const std::int64_t factor = fits ? 1 << 20U : (room << 20U) / draft_.total_ns;
    const RunKeys keys(plan_, device_, batch);
    const bool has_keys = plan_.dialect().span.key >= 0;
    std::int64_t now = window.begin_ns;
    for (std::size_t i = 0; i < draft_.items.size(); ++i) {
      const Draft::Item& item = draft_.items[i];
      const Kernel& kernel = catalog_.kernel_at(place + i);
      now += std::max<std::int64_t>(item.gap_ns * factor >> 20U, 1);
      const std::int64_t work = std::max<std::int64_t>(item.work_ns * factor >> 20U, 1);
      bytepack::SpanRecord span = span_of(now, work);
      now += work;
      span.name = kernel.name;
      span.ref = kernel.ref;
      if (has_keys) span.key = keys.key(i);
      span.info = next_info(kernel.infos[item.slowness]);
      receiver_.span(span);
    }
  }

  /// Own infos are spread evenly over the kernels of all devices.
  std::uint32_t next_info(std::uint32_t shared) {
    own_due_ += plan_.own_infos();
    if (own_due_ < all_kernels_) return shared;
    own_due_ -= all_kernels_;
    return catalog_.first_own_info() + static_cast<std::uint32_t>(own_++);
  }

  const Plan& plan_;
  const Catalog& catalog_;
  std::uint32_t device_;
  Receiver& receiver_;
  std::uint64_t count_;
  std::uint64_t all_kernels_;
  std::uint64_t own_ = 0;
  std::uint64_t own_due_ = 0;
  Draft draft_;
};

}  // namespace

bytepack::SpanRecord span_of(std::int64_t begin_ns, std::int64_t ns) {
  bytepack::SpanRecord span;
  span.start = static_cast<std::uint32_t>(begin_ns / 1000);
  const double us = static_cast<double>(ns) / 1000;
  span.duration = static_cast<float>(us);
  if (static_cast<double>(span.duration) > us) span.duration = std::nextafter(span.duration, 0.0F);
  return span;
}

void make_kernels(const Plan& plan, const Catalog& catalog, std::uint32_t device,
                  Receiver& receiver) {
  KernelTrack(plan, catalog, device, receiver).make();
}

void make_copies(const Plan& plan, const Catalog& catalog, std::uint32_t device,
                 Receiver& receiver) {
  const std::uint64_t total = plan.devices()[device].copies;
  for (std::uint32_t batch = 0; batch < plan.all_batches() && receiver.goes_on(); ++batch) {
    const auto count =
        static_cast<std::int64_t>(plan.before(total, batch + 1) - plan.before(total, batch));
    if (count == 0) continue;
    Random random(plan.options().seed, copy_stream + device, batch);
    const Window window = plan.batch(batch);
    const std::int64_t slot = std::max<std::int64_t>(window.length_ns / (count + 1), 3);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t size = random.skewed(16);
      const std::int64_t late = slot / 4 * random.below(256) / 256;
      const std::int64_t work =
          std::min(slot / 2, (std::int64_t{1500} << size) + random.below(1500));
      bytepack::SpanRecord span =
          span_of(window.begin_ns + slot * i + late, std::max<std::int64_t>(work, 1));
      span.name = catalog.copy_name(device, random.below(3));
      span.info = catalog.copy_info(size);
      receiver.span(span);
    }
  }
}

void make_batches(const Plan& plan, const Catalog& catalog, Receiver& receiver) {
  if (plan.graph_spans() == 0) return;
  for (std::uint32_t batch = 0; batch < plan.all_batches() && receiver.goes_on(); ++batch) {
    const Window window = plan.batch(batch);
    bytepack::SpanRecord span = span_of(window.begin_ns, window.length_ns);
    span.name = catalog.batch_name(batch);
    span.info = catalog.no_info();
    receiver.span(span);
  }
}

}  // namespace bytescope::generate
