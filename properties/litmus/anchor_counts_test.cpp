// Every known number of executions, exact. The numbers come from closed forms or from two other
// tools that agree; a change of one is a change of meaning.
//
//   HEDDLE_LITMUS_JOBS  OS threads of the exploration (default 1)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "anchor_structures.hpp"
#include "settings.hpp"

namespace heddle::litmus::anchors {
namespace {

constexpr std::uint64_t factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr std::uint64_t power(std::uint64_t base, unsigned n) {
  return n == 0 ? 1 : base * power(base, n - 1);
}
/// Orders of n threads' k operations each.
constexpr std::uint64_t interleavings(unsigned n, unsigned k) {
  return factorial(n * k) / power(factorial(k), n);
}
constexpr std::uint64_t coherent_reads(unsigned n) {
  const std::uint64_t pairs = (n + 2) * (n + 1) / 2;
  return factorial(n) * pairs * pairs;
}

struct Anchor {
  std::string name;
  Body body;
  std::uint64_t rc11;
  std::uint64_t sc;
  bool blocks = false;  ///< some executions end in sim::assume(false)
};

void PrintTo(const Anchor& anchor, std::ostream* stream) { *stream << anchor.name; }

std::vector<Anchor> closed_forms() {
  std::vector<Anchor> all;
  const auto add = [&](const std::string& name, int n, const Body& body, std::uint64_t rc11,
                       std::uint64_t sc) {
    all.push_back({fmt::format("{}_{}", name, n), body, rc11, sc, false});
  };
  for (const int n : {2, 3, 6, 15}) {
    const std::uint64_t all_ways = power(2, static_cast<unsigned>(n));
    add("store_buffering", n, store_buffering(n), all_ways, all_ways - 1);
    if (n == 15) break;
    add("store_buffering_seq_cst", n, store_buffering(n, seq_cst), all_ways - 1, all_ways - 1);
    add("store_buffering_fences", n, store_buffering(n, relaxed, true), all_ways - 1, all_ways - 1);
    add("write_ring", n, write_ring(n), all_ways, all_ways - 1);
    add("load_buffering", n, load_buffering(n), all_ways - 1, all_ways - 1);
  }
  for (const int n : {2, 5, 9}) {
    const std::uint64_t count = power(3, static_cast<unsigned>(n));
    add("message_passing", n, message_passing(n), count, count);
  }
  constexpr std::array<std::uint64_t, 4> independent_reads_sc{15, 57, 207, 765};
  for (int n = 2; n <= 5; ++n) {
    add("independent_reads", n, independent_reads(n), power(4, static_cast<unsigned>(n)),
        independent_reads_sc[static_cast<std::size_t>(n - 2)]);
  }
  for (const unsigned n : {1U, 2U, 3U, 5U}) {
    add("coherence", static_cast<int>(n), coherence(static_cast<int>(n)), coherent_reads(n),
        coherent_reads(n));
  }
  for (const int n : {1, 4, 13, 16}) {
    const std::uint64_t count = power(2, static_cast<unsigned>(n));
    add("readers", n, readers(n), count, count);
  }
  for (const int n : {2, 5, 10, 15}) {
    const std::uint64_t count =
        static_cast<std::uint64_t>(n + 3) * power(2, static_cast<unsigned>(n - 2));
    add("last_zero", n, last_zero(n), count, count);
  }
  for (const unsigned n : {1U, 2U, 4U, 7U}) {
    add("writers", static_cast<int>(n), writers(static_cast<int>(n)), factorial(n), factorial(n));
    add("independent_writers", static_cast<int>(n), independent_writers(static_cast<int>(n)), 1, 1);
  }
  const std::vector<std::pair<unsigned, unsigned>> shapes{{2, 1}, {2, 2}, {2, 4}, {3, 2},
                                                          {4, 1}, {3, 3}, {7, 1}};
  for (const auto& [n, k] : shapes) {
    const std::uint64_t count = interleavings(n, k);
    const auto threads = static_cast<int>(n);
    const auto times = static_cast<int>(k);
    add(fmt::format("additions_{}_times", k), threads, additions(threads, times), count, count);
    add(fmt::format("locked_increments_{}_times", k), threads, locked_increments(threads, times),
        count, count);
  }
  return all;
}

std::vector<Anchor> measured() {
  return {
      {"independent_reads_8", independent_reads(8), 65'536, 34'911, false},
      {"indexer_11", indexer(11), 1, 1, false},
      {"indexer_12", indexer(12), 8, 8, false},
      {"indexer_15", indexer(15), 4'096, 4'096, false},
      {"fibonacci_5", fibonacci(5, acquire, release), 525'630, 218'243, false},
      {"fibonacci_seq_cst_5", fibonacci(5, seq_cst, seq_cst), 218'243, 218'243, false},
      {"exchange_chain_9", exchange_chain(9), 8'597, 8'597, false},
      {"exchange_and_store_5", exchange_and_store(5), 32'880, 32'880, false},
      {"treiber_2", treiber(2, AfterLostPop::retry), 40, 40, false},
      {"treiber_3", treiber(3, AfterLostPop::retry), 25'680, 25'680, false},
      {"treiber_3_no_retry", treiber(3, AfterLostPop::give_up), 2'640, 2'640, true},
      {"chase_lev_1_thief", chase_lev(1), 18, 18, false},
      {"chase_lev_2_thieves", chase_lev(2), 659, 633, false},
      {"chase_lev_3_thieves", chase_lev(3), 24'451, 21'958, false},
      {"chase_lev_seq_cst_2_thieves", chase_lev(2, true), 457, 457, false},
      {"chase_lev_seq_cst_3_thieves", chase_lev(3, true), 13'882, 13'882, false},
      {"chase_lev_seq_cst_4_thieves", chase_lev(4, true), 442'445, 442'445, false},
  };
}

class anchor_counts : public testing::TestWithParam<Anchor> {
 protected:
  void expect(sim::MemoryModel model, std::uint64_t executions) {
    sim::Options options;
    options.memory_model = model;
    options.jobs = static_cast<unsigned>(setting("HEDDLE_LITMUS_JOBS", 1));
    const sim::Report report = sim::explore(options, GetParam().body);
    EXPECT_EQ(report.verdict, sim::Verdict::verified)
        << report.bound << (report.failure ? report.failure->message : "");
    EXPECT_EQ(report.executions, executions);
    EXPECT_EQ(report.blocked != 0, GetParam().blocks) << report.blocked;
    const double seconds = std::chrono::duration<double>(report.elapsed).count();
    fmt::print("{} {}: {} executions, {:.0f} per second\n", GetParam().name, sim::to_string(model),
               report.executions, static_cast<double>(report.executions) / seconds);
  }
};

TEST_P(anchor_counts, exact_under_rc11) { expect(sim::MemoryModel::rc11, GetParam().rc11); }
TEST_P(anchor_counts, exact_under_sc) { expect(sim::MemoryModel::sc, GetParam().sc); }

std::string name_of(const testing::TestParamInfo<Anchor>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(closed_form, anchor_counts, testing::ValuesIn(closed_forms()), name_of);
INSTANTIATE_TEST_SUITE_P(measured, anchor_counts, testing::ValuesIn(measured()), name_of);

}  // namespace
}  // namespace heddle::litmus::anchors
