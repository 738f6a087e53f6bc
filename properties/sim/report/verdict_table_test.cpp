// What results mean, and the table at the end of `heddle check`.
#include <heddle/sim/report/verdict_table.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <heddle/sim/report/table.hpp>

#include "../support/approval.hpp"
#include "../support/check_results.hpp"

namespace heddle::sim::report {
namespace {

using support::every_result;
using support::failing;
using support::known_bad;
using support::result_of;

TEST(judge, ordinary_scenarios) {
  CheckResult result = result_of("x", "y", Verdict::verified, 26);
  EXPECT_EQ(judge(result), Judgement::verified);
  result.golden_executions = 26;
  EXPECT_EQ(judge(result), Judgement::verified);
  result.golden_executions = 27;
  EXPECT_EQ(judge(result), Judgement::wrong_count);
  result.report.executions = 0;
  EXPECT_EQ(judge(result), Judgement::vacuous);
  EXPECT_EQ(judge(failing(result, support::race().trace())), Judgement::failed);
  result.report.verdict = Verdict::incomplete;
  EXPECT_EQ(judge(result), Judgement::incomplete);
  result.strategy = Strategy::bounded;
  EXPECT_EQ(judge(result), Judgement::sampled) << "completeness was not asked for";
  result.report.verdict = Verdict::internal_error;
  EXPECT_EQ(judge(result), Judgement::internal_error);
  result.crash = "died";
  EXPECT_EQ(judge(result), Judgement::crashed);
}

TEST(judge, known_bad_variants) {
  CheckResult result =
      known_bad(result_of("x", "y", Verdict::verified, 26), FailureKind::data_race, "z");
  EXPECT_EQ(judge(result), Judgement::not_caught);
  result.memory_model = MemoryModel::sc;
  EXPECT_EQ(judge(result), Judgement::not_shown);
  result.memory_model = MemoryModel::rc11;
  EXPECT_EQ(judge(failing(result, support::race().trace())), Judgement::caught);
  EXPECT_EQ(judge(failing(result, support::message_passing().trace())), Judgement::wrong_failure);
  result.report.verdict = Verdict::incomplete;
  EXPECT_EQ(judge(result), Judgement::incomplete);
  result.strategy = Strategy::random;
  EXPECT_EQ(judge(result), Judgement::not_caught);
  result.report.verdict = Verdict::internal_error;
  EXPECT_EQ(judge(result), Judgement::internal_error);
}

TEST(judge, the_exit_code_of_several_is_the_worst) {
  const CheckResult fine = result_of("x", "y", Verdict::verified, 1);
  CheckResult incomplete = result_of("x", "y", Verdict::incomplete, 1);
  CheckResult failed = failing(fine, support::race().trace());
  CheckResult broken = result_of("x", "y", Verdict::internal_error, 1);
  const auto code = [](std::vector<CheckResult> results) {
    std::vector<CheckResult> backwards(results.rbegin(), results.rend());
    EXPECT_EQ(exit_code(results), exit_code(backwards));
    return exit_code(results);
  };
  EXPECT_EQ(code({}), 0);
  EXPECT_EQ(code({fine, fine}), 0);
  EXPECT_EQ(code({fine, incomplete}), 4);
  EXPECT_EQ(code({fine, incomplete, failed}), 1);
  EXPECT_EQ(code({fine, incomplete, failed, broken}), 3);
}

TEST(judge, explains_exactly_what_is_not_fine) {
  for (const CheckResult& result : every_result()) {
    EXPECT_EQ(explain(result).empty(), is_fine(judge(result))) << result.name;
  }
}

TEST(verdict_table, shows_everything_that_can_happen) {
  const auto all = every_result();
  support::expect_approved(
      "verdict_table.txt",
      "-- 120 columns\n" + verdict_table(support::every_run(), all, 120, false) +
          "\n-- 60 columns\n" + verdict_table(support::every_run(), all, 60, false));
}

TEST(verdict_table, has_one_line_of_sum) {
  RunInfo run;
  EXPECT_EQ(verdict_line(run, {}), "Nothing was checked. (rc11, exhaustive, 0.00 s)");
  run.strategy = Strategy::random;
  run.seed = 42;
  const std::array<CheckResult, 1> one = {result_of("x", "y", Verdict::verified, 1)};
  EXPECT_EQ(verdict_line(run, one), "1 scenario: 1 verified. (rc11, random, seed 42, 0.00 s)");
}

TEST(duration_text, picks_a_unit) {
  using namespace std::chrono_literals;
  EXPECT_EQ(duration_text(0s), "0.00 s");
  EXPECT_EQ(duration_text(-1s), "0.00 s");
  EXPECT_EQ(duration_text(2340ms), "2.3 s");
  EXPECT_EQ(duration_text(125s), "2 min 5 s");
  EXPECT_EQ(duration_text(3 * 3600s + 60s), "3 h 1 min");
}

TEST(table, refuses_a_row_of_another_table) {
  Table table({{"one"}, {"two"}});
  EXPECT_THROW(table.add({{"x"}}), std::logic_error);
}

}  // namespace
}  // namespace heddle::sim::report
