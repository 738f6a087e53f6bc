// Binary relations over at most 32 events, as bit matrices, with the operators in which memory
// models are written: union, intersection, difference, composition, inverse, closure. Everything is
// done the plain way, so that axioms.cpp can be compared with the paper line by line.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace heddle::litmus {

/// A set of events, one bit each.
using EventSet = std::uint32_t;
inline constexpr int events_max = 32;

constexpr EventSet only(int event) noexcept { return EventSet{1} << event; }

class Relation {
 public:
  Relation() = default;

  /// [set]: every event of the set related to itself.
  static Relation identity(EventSet set) noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) result.rows_[e] = set & only(e);
    return result;
  }
  static Relation product(EventSet from, EventSet to) noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) result.rows_[e] = (from & only(e)) != 0 ? to : 0;
    return result;
  }

  void add(int from, int to) noexcept {
    assert(from >= 0 && from < events_max);
    assert(to >= 0 && to < events_max);
    rows_[from] |= only(to);
  }
  bool contains(int from, int to) const noexcept { return (rows_[from] & only(to)) != 0; }
  EventSet successors(int from) const noexcept { return rows_[from]; }

  friend Relation operator|(const Relation& a, const Relation& b) noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) result.rows_[e] = a.rows_[e] | b.rows_[e];
    return result;
  }
  friend Relation operator&(const Relation& a, const Relation& b) noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) result.rows_[e] = a.rows_[e] & b.rows_[e];
    return result;
  }
  friend Relation operator-(const Relation& a, const Relation& b) noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) result.rows_[e] = a.rows_[e] & ~b.rows_[e];
    return result;
  }
  /// a ; b
  friend Relation operator*(const Relation& a, const Relation& b) noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) {
      EventSet reached = 0;
      for (EventSet middle = a.rows_[e]; middle != 0; middle &= middle - 1) {
        reached |= b.rows_[std::countr_zero(middle)];
      }
      result.rows_[e] = reached;
    }
    return result;
  }

  Relation inverse() const noexcept {
    Relation result;
    for (int e = 0; e < events_max; ++e) {
      for (EventSet to = rows_[e]; to != 0; to &= to - 1) result.add(std::countr_zero(to), e);
    }
    return result;
  }
  /// r?
  Relation reflexive() const noexcept { return *this | identity(~EventSet{0}); }
  /// r+
  Relation closure() const noexcept {
    Relation result = *this;
    for (int middle = 0; middle < events_max; ++middle) {
      if (result.rows_[middle] == 0) continue;
      for (int e = 0; e < events_max; ++e) {
        if (result.contains(e, middle)) result.rows_[e] |= result.rows_[middle];
      }
    }
    return result;
  }

  bool empty() const noexcept {
    EventSet any = 0;
    for (const EventSet row : rows_) any |= row;
    return any == 0;
  }
  bool irreflexive() const noexcept {
    for (int e = 0; e < events_max; ++e) {
      if (contains(e, e)) return false;
    }
    return true;
  }
  bool acyclic() const noexcept { return closure().irreflexive(); }

  friend bool operator==(const Relation&, const Relation&) = default;

 private:
  std::array<EventSet, events_max> rows_{};
};

}  // namespace heddle::litmus
