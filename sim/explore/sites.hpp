// Atomic operations, fences and locks by their place in the source: which outcomes of each a body
// reached, and running one of them with another memory order.
//
// Outcomes are told from the execution graph, not from the order in which the explorer built it, so
// they are the same for every strategy:
//   load               fresh: the newest of all writes that do not happen after it
//                      stale: an older one, so the newer write and the load are concurrent
//   compare_exchange   succeeded, failed
//   wait               passed: what it waited for had happened before; waited: it came meanwhile
//   lock               free, contended: as for wait
//   try_lock           taken, refused
//   everything else    done
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <heddle/sim/explore/site_observer.hpp>
#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim {

/// One place and what is done there. A lock is known by where its mutex was constructed: the calls
/// are often made in the standard library's headers.
struct Site {
  std::string file;  ///< relative to the source root where that is known
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< 0: the compiler does not say
  std::string operation;     ///< "load", "compare_exchange", "fetch_add", "fence", "lock", …
  std::string order;         ///< empty for locks
  std::string failure;       ///< compare_exchange only
  std::string function;      ///< the enclosing one, not part of the identity

  std::string place() const;  ///< "scheduler/queues/deque.hpp:88:12"
  bool is_lock() const { return order.empty(); }
  std::strong_ordering operator<=>(const Site& other) const;
  bool operator==(const Site& other) const { return (*this <=> other) == 0; }
};

/// How often each outcome of each site was seen, in executions.
using SiteOutcomes = std::map<Site, std::map<std::string, std::uint64_t>>;

/// The outcomes that an operation can have.
std::vector<std::string> possible_outcomes(std::string_view operation);

class SiteRecorder final : public SiteObserver {
 public:
  void orders(graph::EventKind, const source_location&, std::memory_order&,
              std::memory_order&) override {}
  void ran(const engine::Execution& execution, engine::RunEnd end) override;

  SiteOutcomes outcomes() const;

 private:
  // A site as the graph has it: what can be compared without looking at text.
  struct Key {
    const char* file;
    std::uint32_t line;
    std::uint32_t column;
    graph::EventKind kind;
    runtime::rmw_kind operation;
    bool is_mutex;
    bool waits;
    std::memory_order order;
    std::memory_order failure;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept {
      const std::size_t place = std::hash<const void*>{}(key.file) + key.line * 0x9e37'79b9ULL;
      return place + key.column * 0x85eb'ca6bULL + static_cast<std::size_t>(key.order) * 31;
    }
  };
  struct Seen {
    const char* function = "";
    std::array<std::uint64_t, 2> executions{};  // by outcome, in the order of possible_outcomes()
    std::array<std::uint64_t, 2> last_run{};    // the run that was counted last
  };
  static Site site_of(const Key& key, const Seen& seen);

  std::unordered_map<Key, Seen, Hash> seen_;
  std::uint64_t runs_ = 0;
};

/// Runs what `weakening` says with its other orders.
class SiteWeakener final : public SiteObserver {
 public:
  explicit SiteWeakener(const std::vector<TraceWeakening>& weakenings);

  void orders(graph::EventKind kind, const source_location& site, std::memory_order& order,
              std::memory_order& failure) override;
  void ran(const engine::Execution&, engine::RunEnd) override {}

 private:
  struct Rule {
    graph::EventKind kind;
    std::string file;
    std::uint32_t line;
    std::uint32_t column;
    std::memory_order order, failure, to_order, to_failure;
    const char* same_file = nullptr;  // a pointer that is known to be the name of `file`
  };
  std::vector<Rule> rules_;
};

/// The other way round of the word in traces. Errors: std::invalid_argument.
std::memory_order order_named(std::string_view name);

}  // namespace heddle::sim
