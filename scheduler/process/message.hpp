// What one process, or a thread outside, sends to a process, and what became of it.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include <heddle/scheduler/process/error.hpp>
#include <heddle/scheduler/process/payload.hpp>

namespace heddle::inline HEDDLE_ON {

/// Messages are grouped by topic; budgets are per topic of a receiver. Numbers from `reserved` on
/// are the scheduler's.
using Topic = std::uint32_t;

namespace topics {
inline constexpr Topic reserved = 0xffff'fff0;
/// The process is asked to finish; sent once, by shutdown or cancel().
inline constexpr Topic cancel = reserved + 0;
/// A watched process has ended; the payload is an ExitReport.
inline constexpr Topic exit = reserved + 1;
}  // namespace topics

/// What a topic may hold, from admission until the receiver releases it.
struct TopicLimit {
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t items_max = unlimited;
  std::uint64_t bytes_max = unlimited;
  bool set() const noexcept { return items_max != unlimited || bytes_max != unlimited; }
};

struct Message {
  Message() = default;
  Message(Topic on, Payload content) : topic(on), payload(std::move(content)) {}

  Topic topic = 0;
  Payload payload;
  /// Set: this message is accounted, and the topic gets this limit if it is tighter than before.
  TopicLimit limit;
  /// What the message counts for; 0: the size of its payload.
  std::uint64_t bytes = 0;
  /// Says that nothing follows on this topic. Uses no budget.
  bool terminal = false;
};

enum class Admission : std::uint8_t {
  accepted,  ///< will be delivered, unless the receiver ends before
  dropped,   ///< the topic is over its budget; no fault of the sender
  refused,   ///< not taken: `reason` says why
};

struct [[nodiscard]] SendResult {
  Admission admission = Admission::accepted;
  Errc reason = Errc::none;  ///< set when refused

  /// Accepted or dropped: the sender need not care.
  explicit operator bool() const noexcept { return admission != Admission::refused; }
  static SendResult refused(Errc why) noexcept { return {Admission::refused, why}; }
};

}  // namespace heddle::inline HEDDLE_ON
