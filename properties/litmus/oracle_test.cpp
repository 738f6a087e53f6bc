// The simulator against the oracle: 450 programs, executions and outcomes exact under both models.
//
//   HEDDLE_LITMUS_JOBS  OS threads of the exploration (default 1)
#include <gtest/gtest.h>

#include "comparison.hpp"
#include "oracle.hpp"
#include "settings.hpp"

namespace heddle::litmus {
namespace {

constexpr int mismatches_shown_max = 5;

std::string disagreement_with(const OracleEntry& entry, Model model, const RunSettings& settings) {
  const SimulatorResult result = simulate(entry.program, model, settings);
  if (!result.trouble.empty()) return "  " + result.trouble + "\n";
  return difference(entry.expected(model), result.behaviour);
}

void expect_exact(Model model, const RunSettings& settings) {
  const std::vector<OracleEntry> entries = read_oracle(HEDDLE_LITMUS_ORACLE);
  ASSERT_EQ(entries.size(), 450U);
  int mismatches = 0;
  for (const OracleEntry& entry : entries) {
    const std::string problem = disagreement_with(entry, model, settings);
    if (problem.empty()) continue;
    if (++mismatches > mismatches_shown_max) continue;
    ADD_FAILURE() << entry.program.name << ": " << to_text(entry.program) << "\n"
                  << problem << explain_disagreement(entry.program, model, settings);
  }
  EXPECT_EQ(mismatches, 0) << "of 450 programs under " << to_text(model) << " with "
                           << settings.jobs << " jobs";
}

RunSettings from_environment() {
  return {.jobs = static_cast<unsigned>(setting("HEDDLE_LITMUS_JOBS", 1))};
}

TEST(oracle_test, every_program_is_exact_under_sc) { expect_exact(Model::sc, from_environment()); }

TEST(oracle_test, every_program_is_exact_under_rc11) {
  expect_exact(Model::rc11, from_environment());
}

TEST(oracle_test, counts_636_where_seq_cst_meets_read_modify_writes) {
  const Program program = parse_program(
      "store x 1 rel; fence sc; store y 2 rlx || store x 1 rel; load y acq; load x sc ||"
      "add y 1 sc; load x sc || store y 1 sc; store x 1 sc");
  EXPECT_EQ(simulate(program, Model::rc11, from_environment()).behaviour.executions, 636U);
}

// The comparison itself must be able to fail.
TEST(oracle_test, a_wrong_expectation_is_noticed) {
  OracleEntry entry = read_oracle(HEDDLE_LITMUS_ORACLE).front();
  EXPECT_EQ(disagreement_with(entry, Model::rc11, {}), "");
  entry.rc11.executions += 1;
  EXPECT_NE(disagreement_with(entry, Model::rc11, {}), "");
  entry.rc11.executions -= 1;
  entry.rc11.outcomes.erase(entry.rc11.outcomes.begin());
  EXPECT_NE(disagreement_with(entry, Model::rc11, {}), "");
}

}  // namespace
}  // namespace heddle::litmus
