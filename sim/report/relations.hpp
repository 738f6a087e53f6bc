// The orders of the memory model, computed from a trace alone: program order, reads-from,
// synchronises-with, happens-before and porf, as docs/memory-model.md defines them. It knows
// nothing of the engine, so that it also serves a trace with another order put in at some site
// ("what if").
//
// Works for traces that break the rules of traces: a source that does not exist is ignored.
// Complexity: O(steps · threads).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::report {

bool is_acquire(std::string_view order) noexcept;
bool is_release(std::string_view order) noexcept;

/// An atomic access: it has a location, and a place in reads-from or modification order.
bool is_access(const TraceStep& step) noexcept;

class Relations {
 public:
  /// From the release side (a write or a fence) to the acquire side (a read or a fence).
  struct Synchronisation {
    std::size_t from = 0;
    std::size_t to = 0;

    friend bool operator==(const Synchronisation&, const Synchronisation&) = default;
  };
  using Clock = std::vector<std::uint32_t>;

  explicit Relations(const Trace& trace);

  /// All three are irreflexive, and relate steps of any kind: notes are in program order too.
  bool po(std::size_t before, std::size_t after) const noexcept;
  bool hb(std::size_t before, std::size_t after) const noexcept;
  bool porf(std::size_t before, std::size_t after) const noexcept;

  /// By the acquire side. A release sequence of many release writes is given by its latest ones.
  const std::vector<Synchronisation>& synchronisations() const noexcept {
    return synchronisations_;
  }

  /// The step that is read from, where the trace has one.
  std::optional<std::size_t> source(std::size_t read) const noexcept;
  /// The step before in the same thread, else the step that started the thread.
  std::optional<std::size_t> previous(std::size_t step) const noexcept { return previous_[step]; }
  /// The last step of the thread that a join waited for.
  std::optional<std::size_t> joined(std::size_t step) const noexcept { return joined_[step]; }
  /// True when an acquire read of this write synchronises with something.
  bool releases(std::size_t write) const noexcept { return !heads_[write].empty(); }

  /// The threads that do something, by number; clocks have a place for each.
  const std::vector<std::uint32_t>& threads() const noexcept { return threads_; }
  std::size_t thread_index(std::size_t step) const noexcept { return thread_of_[step]; }
  /// Place in the thread, from 1.
  std::uint32_t position(std::size_t step) const noexcept { return position_[step]; }
  /// How many steps of each thread happen before `step` or are it.
  const Clock& hb_clock(std::size_t step) const noexcept { return hb_[step]; }

 private:
  struct Progress;

  void number_threads();
  void follow_program_order(std::size_t step, Progress& progress);
  void acquire(std::size_t step, std::size_t write);
  void read(std::size_t step, Progress& progress);
  void fence(std::size_t step, Progress& progress);
  void write(std::size_t step, const Progress& progress);

  const Trace& trace_;
  bool everything_synchronises_;  // the model `sc`
  std::vector<std::uint32_t> threads_;
  std::vector<std::size_t> thread_of_;
  std::vector<std::uint32_t> position_;
  std::vector<std::optional<std::size_t>> previous_;
  std::vector<std::optional<std::size_t>> joined_;
  std::vector<Clock> hb_;
  std::vector<Clock> porf_;
  std::vector<Clock> released_;                  // of writes: what their readers may acquire
  std::vector<std::vector<std::size_t>> heads_;  // of writes: release sides of their sequence
  std::vector<Synchronisation> synchronisations_;
};

}  // namespace heddle::sim::report
