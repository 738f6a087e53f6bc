// Notices threads that go in circles: that read the same write at the same place again and again
// and write nothing. For loops that say so themselves there is sim::spin_hint().
#pragma once

#include <vector>

#include <heddle/sim/graph/graph.hpp>

namespace heddle::sim::engine {

class SpinWatch {
 public:
  /// Reads of one write at one place before a thread is said to spin.
  static constexpr unsigned repeats_max = 16;

  void clear() noexcept {
    for (auto& thread : threads_) thread.clear();
  }

  /// True when this event shows that its thread spins.
  bool add(const graph::Event& event) {
    if (event.thread >= threads_.size()) threads_.resize(event.thread + 1);
    auto& places = threads_[event.thread];
    if (!event.reads() || event.writes) {
      if (event.kind != graph::EventKind::fence) places.clear();
      return false;
    }
    for (Place& place : places) {
      if (place.location != event.location || !same_site(place.site, event.site)) continue;
      if (place.source != event.source) place.repeats = 0;
      place.source = event.source;
      if (++place.repeats < repeats_max) return false;
      place.repeats = 0;
      return true;
    }
    // A loop over many places is not spinning, or is found by another of its reads.
    if (places.size() < places_max) places.push_back({event.site, event.location, event.source, 1});
    return false;
  }

 private:
  struct Place {
    source_location site;
    graph::location_id location;
    graph::event_id source;
    unsigned repeats;
  };
  static constexpr std::size_t places_max = 8;

  static bool same_site(const source_location& a, const source_location& b) noexcept {
    return a.line() == b.line() && a.column() == b.column() && a.file_name() == b.file_name();
  }

  std::vector<std::vector<Place>> threads_;
};

}  // namespace heddle::sim::engine
