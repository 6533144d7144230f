#include "core/generate/memory_track.h"

#include <algorithm>
#include <vector>

#include "core/generate/random.h"
#include "core/generate/run_keys.h"

namespace bytescope::generate {
namespace {

constexpr std::uint64_t memory_stream = std::uint64_t{3} << 32U;
constexpr std::uint64_t weight_bytes = 10'500'000'000, activation_bytes = 4'800'000'000;
constexpr std::uint64_t most_buffer_bytes = 2'000'000'000;
/// Weights that every batch reads, and how many users of them are told at most.
constexpr std::size_t read_by_all = 3;
constexpr std::uint64_t most_users = 20'000;
constexpr std::uint64_t users_of_other_weights = 12;
/// Keys that wait for another life.
constexpr std::size_t most_spare_keys = 64;

/// Some runs of a batch.
struct RunRange {
  std::uint32_t batch = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool by_batch = false;  ///< The batch as a whole is a user too.
};

struct Buffer {
  std::uint32_t key = 0;
  std::uint64_t bytes = 0;
  RunRange writers;
  bool recorded = false;        ///< Whether the file tells its users.
  std::uint32_t free_step = 0;  ///< Of buffers that live for several steps.
};

enum class Action : std::uint8_t {
  allocate_activation,
  allocate_lasting,
  allocate_temporary,
  free_temporary,
  free_activation,
  free_lasting,
};

class MemoryTrack {
public:
  MemoryTrack(const Plan& plan, const Catalog& catalog, std::uint32_t device, Receiver& receiver)
      : plan_(plan),
        catalog_(catalog),
        device_(device),
        counts_(plan.devices()[device]),
        receiver_(receiver),
        random_(plan.options().seed, memory_stream + device) {}

  void make(std::uint32_t duration_us) {
    allocate_weights();
    for (std::uint32_t step = 0; step < plan_.steps() && receiver_.goes_on(); ++step) {
      plan_step(step);
      for (std::uint32_t i = 0; i < plan_.batches(); ++i) play_batch(step, i);
    }
    if (plan_.dialect().frees_at_end_mean_alive) free_weights(duration_us);
  }

private:
  void allocate_weights() {
    mean_bytes_ = weight_bytes / std::max<std::uint64_t>(counts_.weights, 1);
    const Window startup = plan_.startup();
    const auto count = static_cast<std::int64_t>(counts_.weights);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t half = startup.length_ns / 2;
      weights_.push_back(allocated(startup.begin_ns + half + half / count * i));
    }
  }

  void free_weights(std::uint32_t duration_us) {
    const std::uint64_t batches = plan_.all_batches();
    for (std::size_t i = 0; i < weights_.size() && receiver_.goes_on(); ++i) {
      const bool by_all = i < read_by_all;
      const std::uint64_t wanted = std::min(batches, by_all ? most_users : users_of_other_weights);
      users_.clear();
      for (std::uint64_t n = 0; n < wanted && (by_all || weights_[i].recorded); ++n) {
        const auto batch = static_cast<std::uint32_t>(n * batches / wanted);
        const auto runs = static_cast<std::uint32_t>(RunKeys(plan_, device_, batch).known_runs());
        if (runs == 0) continue;
        const std::uint32_t run = by_all ? 0 : random_.below(runs);
        add_users({batch, run, run + 1, false});
      }
      receiver_.release({duration_us, weights_[i].key, weights_[i].bytes, users_});
    }
  }

  /// Lists what happens in a step, in order.
  void plan_step(std::uint32_t step) {
    const std::uint64_t transients =
        counts_.transients * (step + 1) / plan_.steps() - counts_.transients * step / plan_.steps();
    const std::uint64_t lasting = step + 1 == plan_.steps() ? 0 : transients / 32;
    const std::uint64_t temporary = (transients - lasting) * 3 / 10;
    const std::uint64_t kept = transients - temporary;
    mean_bytes_ = activation_bytes / std::max<std::uint64_t>(kept, 1);
    const auto is_due = [step](const Buffer& buffer) { return buffer.free_step <= step; };
    const auto due = std::count_if(lasting_.begin(), lasting_.end(), is_due);
    actions_.assign(static_cast<std::size_t>(due), Action::free_lasting);
    const auto steps_up = [kept](std::uint64_t total, std::uint64_t i) {
      return static_cast<std::size_t>(total * (i + 1) / kept - total * i / kept);
    };
    for (std::uint64_t i = 0; i < kept; ++i) {
      const std::size_t pairs = steps_up(temporary, i);
      actions_.insert(actions_.end(), pairs, Action::allocate_temporary);
      actions_.push_back(steps_up(lasting, i) != 0 ? Action::allocate_lasting
                                                   : Action::allocate_activation);
      actions_.insert(actions_.end(), pairs, Action::free_temporary);
    }
    actions_.insert(actions_.end(), static_cast<std::size_t>(kept - lasting),
                    Action::free_activation);
  }

  /// Makes the events of a step that fall into batch `in_step` of it. They share its runs.
  void play_batch(std::uint32_t step, std::uint32_t in_step) {
    const std::uint64_t first = plan_.before_in_step(actions_.size(), in_step);
    const std::uint64_t count = plan_.before_in_step(actions_.size(), in_step + 1) - first;
    if (count == 0) return;
    const std::uint32_t batch = step * plan_.batches() + in_step;
    const std::uint64_t runs = RunKeys(plan_, device_, batch).known_runs();
    const Window window = plan_.batch(batch);
    const std::int64_t slot = window.length_ns / static_cast<std::int64_t>(count + 1);
    unclaimed_ = {batch, 0, 0, true};
    for (std::uint64_t i = 0; i < count; ++i) {
      unclaimed_.last = static_cast<std::uint32_t>(runs * (i + 1) / count);
      ends_batch_ = i + 1 == count;
      play(actions_[first + i], window.begin_ns + slot * static_cast<std::int64_t>(i + 1), step);
    }
  }

  void play(Action action, std::int64_t now_ns, std::uint32_t step) {
    switch (action) {
      case Action::allocate_activation: activations_.push_back(allocated(now_ns)); break;
      case Action::allocate_temporary: temporaries_.push_back(allocated(now_ns)); break;
      case Action::allocate_lasting:
        lasting_.push_back(allocated(now_ns));
        lasting_.back().free_step = std::min(step + 1 + random_.below(8), plan_.steps() - 1);
        break;
      case Action::free_temporary: release(temporaries_, 0, now_ns); break;
      case Action::free_activation: release(activations_, nearly_last(), now_ns); break;
      case Action::free_lasting: release(lasting_, first_due(step), now_ns); break;
    }
  }

  /// The runs of the batch since the last event that claimed some: they touched this buffer.
  RunRange claimed() {
    const RunRange range = unclaimed_;
    unclaimed_.first = unclaimed_.last;
    unclaimed_.by_batch = random_.once_in(4);
    return range;
  }

  /// Activations are freed in reverse, but not strictly.
  std::size_t nearly_last() {
    const std::size_t last = activations_.size() - 1;
    return last > 0 && random_.once_in(8) ? last - 1 : last;
  }

  std::size_t first_due(std::uint32_t step) const {
    std::size_t i = 0;
    while (lasting_[i].free_step > step) ++i;
    return i;
  }

  Buffer allocated(std::int64_t now_ns) {
    // Sixteenths of the mean size: few sizes, as in real programs, a few of them large.
    constexpr std::array<std::uint64_t, 8> sixteenths = {1, 2, 4, 8, 8, 16, 32, 57};
    constexpr std::array<std::uint32_t, 8> dtypes = {0, 0, 0, 1, 1, 1, 2, 3};
    const std::uint32_t dtype = dtypes[random_.below(8)];
    const std::uint64_t wanted =
        std::min(mean_bytes_ * sixteenths[random_.below(8)] / 16, most_buffer_bytes);
    const std::uint64_t element = catalog_.dtype_bytes()[dtype].second;
    const std::uint64_t length = std::max<std::uint64_t>(wanted / element, 1);
    Buffer buffer;
    buffer.key = key();
    buffer.bytes = length * element;
    // Views, arenas and reads by other devices are not recorded.
    buffer.recorded = ends_batch_ || !random_.once_in(3);
    if (buffer.recorded) buffer.writers = claimed();
    receiver_.allocation({static_cast<std::uint32_t>(now_ns / 1000), buffer.key,
                          catalog_.dtype(dtype), length, buffer.bytes});
    return buffer;
  }

  /// Mostly a new key; keys of all devices come from one counter. The producer of polygons never
  /// used a key again.
  std::uint32_t key() {
    const bool polygons = plan_.dialect().memory == bytepack::MemoryForm::polygons;
    if (!polygons && !spare_keys_.empty() && random_.once_in(32)) {
      const std::uint32_t key = spare_keys_.back();
      spare_keys_.pop_back();
      return key;
    }
    return next_key_++ * plan_.options().devices + device_;
  }

  void release(std::vector<Buffer>& buffers, std::size_t i, std::int64_t now_ns) {
    const Buffer buffer = buffers[i];
    buffers.erase(buffers.begin() + static_cast<std::ptrdiff_t>(i));
    users_.clear();
    add_users(buffer.writers);
    if (buffer.recorded || ends_batch_) add_users(claimed());
    receiver_.release(
        {static_cast<std::uint32_t>(now_ns / 1000), buffer.key, buffer.bytes, users_});
    if (spare_keys_.size() < most_spare_keys && random_.once_in(8)) {
      spare_keys_.push_back(buffer.key);
    }
  }

  void add_users(const RunRange& range) {
    if (plan_.dialect().user.stride == 0) return;
    const RunKeys keys(plan_, device_, range.batch);
    const std::uint32_t step_begin = range.batch - range.batch % plan_.batches();
    const std::uint64_t place =
        plan_.before(counts_.kernels, range.batch) - plan_.before(counts_.kernels, step_begin);
    for (std::uint32_t run = range.first; run < range.last; ++run) {
      const std::uint64_t kernel = keys.first_kernel(run);
      add_user(keys.key(kernel), catalog_.kernel_at(place + kernel).name);
    }
    if (range.by_batch) add_user(keys.batch_key(), catalog_.batch_name(range.batch));
  }

  void add_user(std::uint32_t run, std::uint32_t name) {
    bytepack::UserRecord user;
    user.run = run;
    user.name = name;
    user.arg = random_.below(6);
    // What touches a buffer first writes it.
    user.mode = static_cast<std::uint8_t>(users_.empty() ? 1 : random_.once_in(8) ? 2 : 0);
    users_.push_back(user);
  }

  const Plan& plan_;
  const Catalog& catalog_;
  std::uint32_t device_;
  DeviceCounts counts_;
  Receiver& receiver_;
  Random random_;
  std::vector<Action> actions_;  // of the step
  RunRange unclaimed_;           // of the batch
  bool ends_batch_ = false;      // its last event, which claims what is left
  std::vector<Buffer> weights_, activations_, temporaries_, lasting_;
  std::vector<std::uint32_t> spare_keys_;
  std::vector<bytepack::UserRecord> users_;
  std::uint32_t next_key_ = 0;
  std::uint64_t mean_bytes_ = 0;
};

}  // namespace

void make_memory(const Plan& plan, const Catalog& catalog, std::uint32_t device,
                 std::uint32_t duration_us, Receiver& receiver) {
  MemoryTrack(plan, catalog, device, receiver).make(duration_us);
}

}  // namespace bytescope::generate
