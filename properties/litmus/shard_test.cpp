// Shards together are the whole: every execution in exactly one of them.
#include <gtest/gtest.h>

#include "anchor_programs.hpp"
#include "anchor_structures.hpp"
#include "oracle.hpp"
#include "parts.hpp"
#include "simulator_runner.hpp"

namespace heddle::litmus {
namespace {

struct Sum {
  std::uint64_t executions = 0, blocked = 0, failures = 0;
  std::map<sim::Outcome, std::uint64_t> outcomes;
  unsigned shards_with_work = 0;
  friend bool operator==(const Sum&, const Sum&) = default;
};

void add(Sum& sum, const sim::Report& report) {
  sum.executions += report.executions;
  sum.blocked += report.blocked;
  sum.failures += report.failures;
  for (const auto& [outcome, count] : report.outcomes) sum.outcomes[outcome] += count;
  if (report.executions > 0) ++sum.shards_with_work;
}

Sum of_shards(sim::Options options, const std::function<void()>& body, unsigned shards) {
  Sum sum;
  options.shards = shards;
  for (options.shard = 1; options.shard <= shards; ++options.shard) {
    const sim::Report report = sim::explore(options, body);
    EXPECT_TRUE(report.shard_complete);
    if (!report.failure) {
      EXPECT_EQ(report.verdict, sim::Verdict::incomplete);
      EXPECT_EQ(report.bound, fmt::format("shard {} of {}", options.shard, shards));
    }
    add(sum, report);
  }
  return sum;
}

TEST(shard_test, shards_of_every_program_of_the_oracle_are_the_whole) {
  for (const OracleEntry& entry : read_oracle(HEDDLE_LITMUS_ORACLE)) {
    sim::Options options = options_for(entry.program, Model::rc11);
    Sum whole;
    add(whole, sim::explore(options, body_for(entry.program)));
    for (const unsigned shards : {1U, 2U, 5U}) {
      Sum sum = of_shards(options, body_for(entry.program), shards);
      sum.shards_with_work = whole.shards_with_work;
      EXPECT_EQ(sum, whole) << entry.program.name << " in " << shards;
    }
  }
}

TEST(shard_test, every_shard_has_its_share_of_a_large_program) {
  for (unsigned shards = 1; shards <= 5; ++shards) {
    const Sum sum = of_shards({}, anchors::chase_lev(3), shards);
    EXPECT_EQ(sum.executions, 24'451U);
    EXPECT_EQ(sum.shards_with_work, shards);
  }
}

TEST(shard_test, a_shard_can_be_interrupted_and_shared_out) {
  const ScratchFolder folder;
  sim::Options options;
  options.shards = 2;
  options.shard = 2;
  const std::string whole = text_of(sim::explore(options, anchors::additions(6, 1)));
  options.checkpoint = folder.file("state");
  options.max_executions = 10;
  EXPECT_FALSE(sim::explore(options, anchors::additions(6, 1)).shard_complete);
  options.max_executions = 0;
  options.resume = true;
  options.jobs = 2;
  EXPECT_EQ(text_of(explore_at_once(options, anchors::additions(6, 1))), whole);
}

TEST(shard_test, a_failure_is_found_by_one_of_them) {
  sim::Options options;
  options.shards = 3;
  unsigned failed = 0;
  for (options.shard = 1; options.shard <= 3; ++options.shard) {
    if (sim::explore(options, sometimes_fails).verdict == sim::Verdict::failed) ++failed;
  }
  EXPECT_GT(failed, 0U);
}

}  // namespace
}  // namespace heddle::litmus
