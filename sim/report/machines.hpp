// Which machines can run a recorded execution. The question is about its graph, not about the order
// in which the trace lists the steps:
//
//   sc    po ∪ rf ∪ co ∪ fr is acyclic: the execution is an interleaving
//   tso   x86: the same, where a load may overtake an earlier store of its own thread, unless a
//         seq_cst fence, a read-modify-write or a seq_cst store (xchg) stands between them, and a
//         thread sees its own stores before others do
//   rc11  coherence, atomicity and acyclic(psc_base ∪ psc_F)
//
// It is written with matrices, after the definitions and without the engine's short cuts: what the
// engine has run must be rc11 here too, and the tests say so.
//
// Sources: Lahav et al.: Repairing Sequential Consistency in C/C++11 (PLDI 2017); Owens, Sarkar,
//          Sewell: A Better x86 Memory Model: x86-TSO (TPHOLs 2009).
// Complexity: O(events³ / 64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/bit_matrix.hpp>
#include <heddle/sim/report/relations.hpp>

namespace heddle::sim::report {

/// One edge of an execution graph.
struct Link {
  enum class Kind : std::uint8_t { program_order, reads_from, modification_order, from_read };

  std::size_t from = 0;  ///< steps
  std::size_t to = 0;
  Kind kind{};

  friend bool operator==(const Link&, const Link&) = default;
};

class Machines {
 public:
  /// Longer executions would take too long for a page.
  static constexpr std::size_t events_max = 600;
  static bool can_judge(const Trace& trace);

  /// Both must outlive it.
  Machines(const Trace& trace, const Relations& relations);

  bool rc11() const;
  bool sc() const { return sc_.acyclic(); }
  bool tso() const { return tso_.acyclic(); }

  /// The shortest way between two steps that every interleaving (every x86 execution) must respect;
  /// empty when there is none.
  std::vector<Link> sc_path(std::size_t from, std::size_t to) const { return path(sc_, from, to); }
  std::vector<Link> tso_path(std::size_t from, std::size_t to) const {
    return path(tso_, from, to);
  }
  /// Whether x86 keeps these two steps of one thread in order.
  bool tso_orders(std::size_t first, std::size_t second) const;

 private:
  const TraceStep& step(std::size_t event) const { return trace_.steps[events_[event]]; }
  std::optional<std::size_t> number(std::size_t step) const;
  bool same_location(std::size_t a, std::size_t b) const;
  std::uint32_t read_rank(std::size_t event) const;
  void order_by_communication();
  void order_by_program();
  bool coherent() const;
  BitMatrix happens_before() const;
  std::vector<Link> path(const BitMatrix& edges, std::size_t from, std::size_t to) const;
  Link link(std::size_t from, std::size_t to) const;

  const Trace& trace_;
  const Relations& relations_;
  std::vector<std::size_t> events_;  // steps: accesses, fences, spawns and joins
  BitMatrix rf_;
  BitMatrix co_;
  BitMatrix fr_;
  BitMatrix sc_;
  BitMatrix tso_;
};

}  // namespace heddle::sim::report
