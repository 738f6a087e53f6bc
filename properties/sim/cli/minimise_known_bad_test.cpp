// Every known-bad scenario that fails: found, minimised, replayed, and compared with what was
// found. HEDDLE_APPROVE=1 writes the table of docs/minimised-traces.md anew.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <heddle/sim/trace/same_failure.hpp>
#include <heddle/sim/trace/store.hpp>
#include <heddle/sim/trace/story.hpp>

#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using support::ScratchFolder;
using trace::Lines;
using trace::StorySize;

struct Outcome {
  int code = -1;
  std::string output;
};

Outcome heddle(const std::string& arguments) {
  Outcome outcome;
  const std::string line = std::string(HEDDLE_COMMAND) + " " + arguments + " 2>&1 < /dev/null";
  FILE* const pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> bytes{};
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) {
    outcome.output.append(bytes.data(), count);
  }
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

constexpr const char* table_head =
    "# Minimised traces\n\n"
    "The known-bad variants: the first failing execution that the search finds, and what\n"
    "`heddle minimise` makes of it. `HEDDLE_APPROVE=1` with the test `minimise_known_bad` writes "
    "this\nfile anew. *Stale* counts reads of an old value: what weak memory is needed for.\n\n"
    "| scenario | steps | threads | switches | stale | the decisive step "
    "|\n|---|---|---|---|---|---|\n";

std::string change(std::size_t before, std::size_t after) {
  return before == after ? fmt::format("{}", before) : fmt::format("{} → {}", before, after);
}

std::string row(const Trace& trace, const StorySize& before, const StorySize& after) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", trace.scenario,
                     change(before.steps, after.steps), change(before.threads, after.threads),
                     change(before.switches, after.switches), change(before.stale, after.stale),
                     trace.decisive);
}

TEST(minimise_known_bad, makes_each_simpler_and_none_another_failure) {
  const ScratchFolder folder;
  const std::string found = folder.file("found");
  const std::string small = folder.file("small");
  std::filesystem::create_directories(small);
  const Outcome checked = heddle("check --group known_bad --quiet --no-minimise --record " + found);
  ASSERT_EQ(checked.code, 0) << checked.output;
  std::string table = table_head;
  std::size_t traces = 0;
  std::size_t explained = 0;
  for (const auto& file : trace::find(found)) {
    const Trace given = trace::read(file);
    const std::string output = small + "/" + file.filename().string();
    if (given.failure == FailureKind::nondeterminism) continue;  // it never does the same again
    const Outcome outcome = heddle("minimise --quiet " + file.string() + " --output " + output);
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const Trace result = trace::read(output);
    EXPECT_TRUE(trace::same_failure(given, result, Lines::compare))
        << given.scenario << ": " << result.message;
    EXPECT_LE(trace::cost_of(result, 0), trace::cost_of(given, 0)) << given.scenario;
    // Where no neighbour tells, nothing is said; that must be the exception.
    ++traces;
    if (!result.decisive.empty()) ++explained;
    table += row(result, trace::size_of(given), trace::size_of(result));
  }
  EXPECT_GE(explained * 10, traces * 8);
  const Outcome replayed = heddle("replay --quiet " + small);
  EXPECT_EQ(replayed.code, 0) << replayed.output;
  EXPECT_EQ(replayed.output.find("repaired"), std::string::npos) << replayed.output;

  const std::string document = std::string(HEDDLE_SOURCE_DIR) + "/docs/minimised-traces.md";
  if (std::getenv("HEDDLE_APPROVE") != nullptr) std::ofstream(document) << table;
  const std::string approved = ScratchFolder::read(document);
  for (const auto& file : trace::find(small)) {
    const std::string name = trace::read(file).scenario;
    EXPECT_NE(approved.find("| " + name + " |"), std::string::npos)
        << name << " is not in " << document;
  }
}

TEST(minimise_known_bad, is_what_check_records) {
  const ScratchFolder folder;
  const std::string first = folder.file("first");
  const std::string second = folder.file("second");
  const std::string check =
      "check known_bad_batch_twice known_bad_park_handshake --quiet --record ";
  ASSERT_EQ(heddle(check + first).code, 0);
  ASSERT_EQ(heddle(check + second + " --jobs 1").code, 0);
  for (const auto& file : trace::find(first)) {
    EXPECT_FALSE(trace::read(file).decisions.empty()) << file;
    EXPECT_EQ(ScratchFolder::read(file.string()),
              ScratchFolder::read(second + "/" + file.filename().string()))
        << "the same failure is the same file";
  }
}

}  // namespace
}  // namespace heddle::sim::cli
