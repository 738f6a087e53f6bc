// The words of trace files, and the guesses at what a wrong one was meant to be.
#include <heddle/sim/trace/names.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::sim::trace {
namespace {

TEST(trace_names, lead_back_to_what_they_name) {
  EXPECT_EQ(step_kind_names().size(), 15U);
  for (const std::string& name : step_kind_names()) {
    EXPECT_EQ(to_string(step_kind(name).value()), name);
  }
  EXPECT_EQ(failure_kind_names().size(), 12U);
  for (const std::string& name : failure_kind_names()) {
    EXPECT_EQ(to_string(failure_kind(name).value()), name);
  }
  EXPECT_EQ(memory_model("rc11"), MemoryModel::rc11);
  EXPECT_EQ(memory_model("sc"), MemoryModel::sc);
  EXPECT_EQ(verdict("internal_error"), Verdict::internal_error);
  EXPECT_EQ(step_kind("LOAD"), std::nullopt);
  EXPECT_EQ(failure_kind(""), std::nullopt);
}

TEST(trace_names, nearest_forgives_a_slip_and_no_more) {
  const std::vector<std::string> names = {"check", "replay", "show", "list", "--max-executions"};
  EXPECT_EQ(nearest("chekc", names), "check");
  EXPECT_EQ(nearest("Replay", names), "replay");
  EXPECT_EQ(nearest("reply", names), "replay");
  EXPECT_EQ(nearest("shwo", names), "show");
  EXPECT_EQ(nearest("--max_executions", names), "--max-executions");
  EXPECT_EQ(nearest("--max-execution", names), "--max-executions");
  EXPECT_EQ(nearest("frobnicate", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'x'), names), std::nullopt);
}

TEST(trace_names, did_you_mean_is_silent_without_a_guess) {
  const std::vector<std::string> names = {"store"};
  EXPECT_EQ(did_you_mean("stroe", names), "; did you mean 'store'?");
  EXPECT_EQ(did_you_mean("fence", names), "");
}

}  // namespace
}  // namespace heddle::sim::trace
