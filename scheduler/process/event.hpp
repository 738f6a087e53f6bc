// What a process is given to step on: messages and completed yields; and the nodes that carry them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include <heddle/scheduler/process/budget.hpp>
#include <heddle/scheduler/process/error.hpp>
#include <heddle/scheduler/process/message.hpp>
#include <heddle/scheduler/process/payload.hpp>
#include <heddle/scheduler/process/pid.hpp>
#include <heddle/scheduler/queues/pool.hpp>

namespace heddle::inline HEDDLE_ON {

enum class EventKind : std::uint8_t {
  none,
  message,         ///< topic(), payload(), from()
  limit_exceeded,  ///< in place of the message that found no room in its topic's budget: topic()
  terminal,        ///< nothing follows on topic(); with a payload if the sender gave one
  yield_complete,  ///< tag(), and payload() or error()
  watch            ///< internal: never delivered to a step
};

class Event {
 public:
  Event() noexcept = default;
  static Event of(Message&& message, Pid from, Reservation&& reservation) noexcept {
    Event event(message.terminal ? EventKind::terminal : EventKind::message);
    event.word_ = packed(from);
    event.topic_ = message.topic;
    event.payload_ = std::move(message.payload);
    event.reservation_ = std::move(reservation);
    return event;
  }
  /// Makes an event without content, as those of free nodes are, the message; no move of the whole.
  void become(Message&& message, Pid from) noexcept {
    payload_ = std::move(message.payload);
    word_ = packed(from);
    topic_ = message.topic;
    kind_ = message.terminal ? EventKind::terminal : EventKind::message;
    failed_ = false;
  }
  /// Gives away what the event holds: its payload and its share of a budget.
  void clear() noexcept {
    payload_.reset();
    reservation_.release();
    kind_ = EventKind::none;
  }
  static Event about(EventKind kind, Topic topic) noexcept {
    Event event(kind);
    event.topic_ = topic;
    return event;
  }
  static Event completion(std::uint64_t tag, Payload&& data) noexcept {
    Event event(EventKind::yield_complete);
    event.word_ = tag;
    event.payload_ = std::move(data);
    return event;
  }
  static Event completion(std::uint64_t tag, Error error) {
    Event event = completion(tag, Payload(std::move(error)));
    event.failed_ = true;
    return event;
  }
  /// `watcher` is to be told when the receiver has ended: a process, or what `waiter` points at.
  static Event watch(Pid watcher, Payload&& waiter) noexcept {
    Event event(EventKind::watch);
    event.word_ = packed(watcher);
    event.payload_ = std::move(waiter);
    return event;
  }

  EventKind kind() const noexcept { return kind_; }
  bool is_message() const noexcept { return kind_ == EventKind::message; }
  bool is_cancel() const noexcept { return is_message() && topic_ == topics::cancel; }
  /// A message's sender; not set when it came from outside of any process.
  Pid from() const noexcept {
    if (kind_ == EventKind::yield_complete) return {};
    return {static_cast<std::uint32_t>(word_ >> 32), static_cast<std::uint32_t>(word_)};
  }
  Topic topic() const noexcept { return topic_; }
  /// A completed yield's tag, as the process gave it.
  std::uint64_t tag() const noexcept { return kind_ == EventKind::yield_complete ? word_ : 0; }
  /// Why a yield failed; no error for everything else.
  Error error() const {
    const Error* const found = failed_ ? payload_.get<Error>() : nullptr;
    return found != nullptr ? *found : Error();
  }
  Payload& payload() noexcept { return payload_; }
  const Payload& payload() const noexcept { return payload_; }

  /// Gives the topic's budget back before the step ends, which does it otherwise. A process that
  /// wants to hold the budget longer moves the event, or just the reservation, out.
  void release() noexcept { reservation_.release(); }
  Reservation& reservation() noexcept { return reservation_; }

 private:
  explicit Event(EventKind kind) noexcept : kind_(kind) {}
  static std::uint64_t packed(Pid pid) noexcept {
    return std::uint64_t{pid.slot} << 32 | pid.generation;
  }

  Payload payload_;
  std::uint64_t word_ = 0;  // yield_complete: the tag; everything else: the sender
  Reservation reservation_;
  Topic topic_ = 0;
  EventKind kind_ = EventKind::none;
  bool failed_ = false;
};

/// An event in a mailbox. `next` links to the one that came before it.
struct alignas(64) EventNode {
  explicit EventNode(std::uint32_t index) : pool_index(index) {}

  sync::cell<std::uint32_t> pool_next{0};  // in the pool: the next free node
  sync::cell<std::uint32_t> next{0};
  sync::cell<Event> event{Event()};
  const std::uint32_t pool_index;
};

using EventPool = Pool<EventNode>;

/// The events of one step, oldest first. Valid during the step.
class Events {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Event;
    using difference_type = std::ptrdiff_t;
    using pointer = Event*;
    using reference = Event&;

    Event& operator*() const {
      return node_->event.with([](Event& event) -> Event& { return event; });
    }
    Event* operator->() const { return &**this; }
    iterator& operator++() {
      *this = iterator(pool_, node_->next.read());
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, const iterator& b) { return a.node_ == b.node_; }

    EventNode& node() const { return *node_; }

   private:
    friend class Events;
    iterator(const EventPool* pool, std::uint32_t index)
        : pool_(pool), node_(index == 0 ? nullptr : &pool->at(index)) {}
    const EventPool* pool_;
    EventNode* node_;
  };

  Events(const EventPool& pool, std::uint32_t oldest, std::size_t count)
      : pool_(&pool), oldest_(oldest), count_(count) {}

  iterator begin() const { return {pool_, oldest_}; }
  iterator end() const { return {pool_, 0}; }
  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }

 private:
  const EventPool* pool_;
  std::uint32_t oldest_;
  std::size_t count_;
};

}  // namespace heddle::inline HEDDLE_ON
