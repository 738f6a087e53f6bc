// RC11: C++20's memory model without load buffering.
//
//   rs  = W;(rf;rmw)*                      (only read-modify-writes continue a release sequence)
//   sw  = release side;([F];po)?;rs;rf;(po;[F])?;acquire side
//   hb  = (po ∪ sw ∪ create ∪ join)+
// Coherence, atomicity and the absence of porf cycles are kept by construction: by what a read may
// see and where a write may go. What is left is the SC axiom, acyclic(psc_base ∪ psc_F).
//
// Source: Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11
//         (PLDI 2017), with C++20's release sequences.
#pragma once

#include <cstdint>
#include <vector>

#include <heddle/sim/memory/model.hpp>

namespace heddle::sim::memory {

class Rc11 final : public Model {
 public:
  void compute_clocks(Graph& graph, event_id event) const override;
  bool consistent(const Graph& graph, event_id changed) const override;

 private:
  // Scratch space of the SC axiom, reused between calls.
  struct Fence {
    struct Ranks {
      std::uint32_t low, low_write;         // least rank hb-after
      std::uint32_t high_write, high_read;  // greatest rank hb-before
    };
    std::vector<Ranks> ranks;  // per written location
    bool summarised = false;
  };
  struct Node {
    event_id event;
    std::uint32_t rank;    // accesses: place in modification order
    event_id first_after;  // first po-successor at another location
    event_id last_before;  // last po-predecessor at another location
    std::uint32_t fence;   // index into fences_, or not_a_fence
  };
  static constexpr std::uint32_t not_a_fence = 0xffff'ffff;
  static constexpr std::uint32_t not_written = 0xffff'ffff;

  void collect(const Graph& graph) const;
  void collect_written(const Graph& graph) const;
  const Fence& summary(const Graph& graph, const Node& node) const;
  bool edge(const Graph& graph, const Node& from, const Node& to) const;
  bool cycle_from(const Graph& graph, std::uint32_t root) const;

  mutable std::vector<graph::location_id> written_;  // locations that somebody writes
  mutable std::vector<std::uint32_t> place_;         // of a location in written_, or not_written
  mutable std::vector<Node> nodes_;
  mutable std::vector<Fence> fences_;
  mutable std::vector<std::uint32_t> stack_;
  mutable std::vector<std::uint8_t> colour_;
};

}  // namespace heddle::sim::memory
