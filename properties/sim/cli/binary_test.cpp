// The heddle command as a user runs it: a process with arguments, an exit code and two streams.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using support::ScratchFolder;

struct Outcome {
  int code = -1;
  std::string output;  ///< both streams
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

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* scenario = "known_bad_batch_twice";

TEST(binary, lists_scenarios) {
  const Outcome outcome = heddle("list");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(mentions(outcome.output, scenario)) << outcome.output;
  EXPECT_FALSE(mentions(outcome.output, "\x1b")) << "no colours in a pipe";
}

TEST(binary, records_a_failure_and_replays_it) {
  const ScratchFolder folder;
  const std::string directory = folder.path().string();
  const Outcome checked = heddle(std::string("check ") + scenario + " --record " + directory +
                                 " --json " + directory + "/report.json --junit " + directory +
                                 "/report.xml --sarif " + directory + "/report.sarif");
  EXPECT_EQ(checked.code, 0) << checked.output;
  EXPECT_TRUE(mentions(checked.output, "caught")) << checked.output;
  EXPECT_EQ(folder.files(), 4U);
  const std::string trace = directory + "/" + scenario + ".trace.json";
  const Outcome replayed = heddle("replay " + trace);
  EXPECT_EQ(replayed.code, 0) << replayed.output;
  EXPECT_TRUE(mentions(replayed.output, "reproduced")) << replayed.output;
  EXPECT_FALSE(mentions(ScratchFolder::read(trace), HEDDLE_SOURCE_DIR))
      << "places are relative to the source root";
  const Outcome shown = heddle("show " + trace);
  EXPECT_EQ(shown.code, 0) << shown.output;

  folder.write("broken.trace.json", ScratchFolder::read(trace).substr(0, 1000));
  EXPECT_EQ(heddle("replay " + directory + "/broken.trace.json").code, 2);
  EXPECT_EQ(heddle("show " + directory + "/broken.trace.json").code, 2);
}

TEST(binary, refuses_wrong_usage) {
  EXPECT_EQ(heddle("").code, 2);
  const Outcome unknown = heddle("check known_bad_batch_twize");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(mentions(unknown.output, "did you mean 'known_bad_batch_twice'?")) << unknown.output;
  EXPECT_EQ(heddle("check --jobs 0").code, 2);
}

TEST(binary, says_incomplete_at_a_limit) {
  const Outcome outcome = heddle(std::string("check ") + scenario + " --max-executions 1");
  EXPECT_EQ(outcome.code, 4) << outcome.output;
  EXPECT_TRUE(mentions(outcome.output, "incomplete: stopped by max_executions")) << outcome.output;
}

// What a debugger sees of --break-at: a stop by SIGTRAP, after which the replay goes on.
TEST(binary, stops_a_debugger_at_a_step) {
  const ScratchFolder folder;
  const std::string directory = folder.path().string();
  ASSERT_EQ(heddle(std::string("check ") + scenario + " --record " + directory).code, 0);
  const std::string trace = directory + "/" + scenario + ".trace.json";
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // which does not work under a debugger
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(99);
    ::execl(HEDDLE_COMMAND, "heddle", "replay", trace.c_str(), "--break-at", "3",
            static_cast<char*>(nullptr));
    ::_exit(98);
  }
  int stops = 0;
  int status = 0;
  while (::waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    if (WSTOPSIG(status) == SIGTRAP) ++stops;
    ASSERT_LT(stops, 10);
    ::ptrace(PTRACE_CONT, child, nullptr, nullptr);
  }
  EXPECT_EQ(stops, 2) << "one for exec, one for the step";
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace heddle::sim::cli
