// What a process's topics may hold, and what they hold now.
//
// A message that carries a limit is *accounted*: it takes a reservation for its topic and holds it
// until the receiver releases it. The tightest limit that any message brought wins. When a topic
// has no room left it is *exhausted* for the rest of the process's life: the receiver gets one
// event that says so and a terminal, and everything later on that topic is discarded.
//
// Threads:    admit() and the generation by senders, with the mutex held; release by any thread.
// State:      one table per slot, made on first use and kept; `generation` says for which occupant
//             the topics are.
// Invariants: I1 generation only grows
//             I2 a topic's items and bytes are those of its unreleased reservations of this
//                generation
//             I3 items <= items_max and bytes <= bytes_max as they were when each was admitted
//             I4 references = 1 for the slot + 1 per reservation
// Progress:   blocking, for a search of the process's topics.
// Checked by: properties/process/budget_scenarios.cpp, properties/process/budget_std_test.cpp
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <heddle/scheduler/process/message.hpp>
#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

class TopicBudgets;

/// A share of a topic's budget. Gives it back when released or destroyed.
class Reservation {
 public:
  Reservation() noexcept = default;
  Reservation(Reservation&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    if (this != &other) {
      release();
      record_ = std::exchange(other.record_, nullptr);
    }
    return *this;
  }
  ~Reservation() { release(); }

  explicit operator bool() const noexcept { return record_ != nullptr; }
  void release() noexcept {
    if (record_ != nullptr) [[unlikely]]
      give_back();
  }

 private:
  friend class TopicBudgets;
  struct Record {
    TopicBudgets* table;
    std::uint32_t generation;
    Topic topic;
    std::uint64_t bytes;
  };
  explicit Reservation(Record* record) noexcept : record_(record) {}
  void give_back() noexcept;
  Record* record_ = nullptr;
};

class TopicBudgets {
 public:
  enum class Answer : std::uint8_t {
    stale,     ///< the table already belongs to a later occupant
    admitted,  ///< deliver the message, with the reservation if there is one
    overflow,  ///< deliver "limit exceeded" and a terminal in its place
    discarded  ///< the topic is exhausted
  };
  struct Decision {
    Answer answer;
    Reservation reservation;
  };

  TopicBudgets() = default;
  TopicBudgets(const TopicBudgets&) = delete;
  TopicBudgets& operator=(const TopicBudgets&) = delete;

  /// Held by a sender from its decision to its push, so that the order of pushes is the order of
  /// decisions.
  sync::mutex& mutex() { return mutex_; }

  /// Decides about a message to the occupant `generation`, which was live a moment ago. Throws:
  /// std::bad_alloc, with nothing changed. Precondition: mutex() held.
  Decision admit(std::uint32_t generation, const Message& message);

  /// Takes an overflow back: it could not be told to the receiver. Precondition: mutex() held.
  void forget_overflow(std::uint32_t generation, Topic topic);

  /// Drops the slot's reference; the table goes with its last reservation.
  void retire() { unreference(); }

 private:
  friend class Reservation;
  ~TopicBudgets() = default;

  struct Entry {
    Topic topic = 0;
    TopicLimit limit;
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
    bool exhausted = false;
  };

  Entry* find(Topic topic);
  void give_back(const Reservation::Record& record);
  void unreference();

  sync::mutex mutex_;
  std::uint32_t generation_ = 0;  // guarded by mutex_
  std::vector<Entry> topics_;     // guarded by mutex_
  sync::atomic<std::uint32_t> references_{1};
};

}  // namespace heddle::inline HEDDLE_ON
