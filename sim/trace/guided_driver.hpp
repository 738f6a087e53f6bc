// Drives an execution in the plain way, except where decisions say otherwise. Lenient: what does
// not fit is left out and reported, and the execution goes on.
//
// The plain way: the running thread goes on for as long as it can, then the first one (by role)
// that can; reads see the newest value, writes come last in modification order, choose() gives 0. A
// thread that would stop at an await waits until nobody else can go.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/execution.hpp>
#include <heddle/sim/trace/event_name.hpp>

namespace heddle::sim::engine {

/// What became of a decision.
enum class Followed : std::uint8_t {
  unreached,  ///< the execution never came to its place
  misfit,     ///< the thread or the write is not there, there are fewer choices
  held,       ///< the thread is there and cannot go
  forbidden,  ///< the memory model does not allow it
  plain,      ///< it is what the plain way does
  yes
};

/// An event whose memory order is changed for one run.
struct OrderChange {
  TraceEventName at;
  std::memory_order order{};
};

struct Guidance {
  std::span<const TraceDecision> decisions{};
  std::span<const OrderChange> orders{};
  bool list_alternatives = false;  ///< fill GuidedDriver::alternatives()
  std::uint64_t noise = 0;         ///< not 0: the seed of random deviations from the plain way
};

/// Numbers for sites and roles, kept over many runs of one body.
class EventNumbers {
 public:
  std::uint32_t site(std::string_view name);
  std::uint32_t site_of(const graph::Event& event);
  const std::string& site_text(std::uint32_t site) const { return texts_[site]; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> by_text_;
  std::map<std::tuple<TraceStep::Kind, const char*, const char*>, std::uint32_t> by_place_;
  std::vector<std::string> texts_;
};

class GuidedDriver final : public Driver {
 public:
  GuidedDriver(const Guidance& guidance, EventNumbers& numbers);

  bool at_once(const Event&) const override { return false; }
  ModelThread* pick(Execution& execution) override;
  void complete(Execution& execution, event_id added) override;

  /// The decisions that made a difference, in the order in which they were taken: the same
  /// execution comes from them alone.
  const std::vector<TraceDecision>& taken() const noexcept { return taken_; }
  /// By index into Guidance::decisions.
  const std::vector<Followed>& followed() const noexcept { return followed_; }
  /// What could have been decided after the last decision that was taken.
  const std::vector<TraceDecision>& alternatives() const noexcept { return alternatives_; }

 private:
  // A place in the execution: thread, site, occurrence.
  struct Place {
    thread_id thread = 0;
    std::uint32_t site = 0;
    std::uint32_t occurrence = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct ThreadInfo {
    trace::Role role;
    std::string name;
    Place last;                         // its last event
    std::vector<std::uint32_t> counts;  // occurrences by site
  };

  void know_threads(Execution& execution);
  std::optional<std::size_t> decision_at(TraceDecision::Kind kind, const Place& place) const;
  TraceEventName name_of(const Place& place) const;
  Place next_place(const ModelThread& thread);
  bool before(thread_id a, thread_id b) const { return info_[a].role < info_[b].role; }

  bool ready(Execution& execution, ModelThread& thread);
  bool would_stop(Execution& execution, const ModelThread& thread);
  ModelThread* plain_choice(Execution& execution);
  ModelThread* with_noise(Execution& execution, ModelThread* plain);
  void take(TraceDecision decision);
  void offer(TraceDecision decision);

  void change_order(Event& event, const Place& place) const;
  void complete_read(Execution& execution, event_id id, const Place& place);
  void complete_store(Execution& execution, event_id id, const Place& place);
  void complete_choose(Event& event, const Place& place);
  Followed read_from(Execution& execution, event_id id, event_id source);
  Followed put_at(Execution& execution, event_id id, std::uint32_t position);
  std::optional<event_id> write_named(const TraceEventName& name) const;
  TraceEventName name_of_write(event_id write) const;
  std::uint32_t below(std::uint32_t bound);
  bool deviates();

  Guidance guidance_;
  EventNumbers& numbers_;
  std::vector<Followed> followed_;
  std::vector<TraceDecision> taken_;
  std::vector<TraceDecision> alternatives_;
  std::vector<ThreadInfo> info_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, TraceDecision::Kind>, std::size_t>
      by_place_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::memory_order> orders_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, event_id> writes_;
  std::vector<Place> place_of_event_;
  ModelThread* current_ = nullptr;
  std::mt19937_64 random_;
};

}  // namespace heddle::sim::engine
