// A search that is interrupted and taken up again comes to the report of one that was not, wherever
// the interruption was; and a checkpoint that does not fit is refused.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include <heddle/sim/explore/build_id.hpp>
#include <heddle/sim/explore/checkpoint.hpp>

#include "anchor_programs.hpp"
#include "anchor_structures.hpp"
#include "oracle.hpp"
#include "parts.hpp"
#include "simulator_runner.hpp"

namespace heddle::litmus {
namespace {

// One process after the other, each for `step` executions.
sim::Report in_steps(sim::Options options, const std::function<void()>& body, std::uint64_t step) {
  options.checkpoint_every = std::chrono::hours(1);
  for (std::uint64_t limit = step;; limit += step) {
    options.max_executions = limit;
    sim::Report report = explore_at_once(options, body);
    if (report.bound.empty()) return report;
    options.resume = true;
  }
}

void expect_same_in_steps(sim::Options options, const std::function<void()>& body,
                          std::uint64_t step, const std::string& what) {
  const ScratchFolder folder;
  const std::string whole = text_of(sim::explore(options, body));
  options.checkpoint = folder.file("state");
  EXPECT_EQ(text_of(in_steps(options, body, step)), whole) << what << " in steps of " << step;
  // What is finished stays finished, and says the same again.
  options.resume = true;
  EXPECT_EQ(text_of(sim::explore(options, body)), whole) << what;
}

TEST(checkpoint_test, programs_of_the_oracle_are_the_same_after_an_interruption_anywhere) {
  const std::vector<OracleEntry> entries = read_oracle(HEDDLE_LITMUS_ORACLE);
  for (std::size_t i = 0; i < entries.size(); i += 7) {
    const Program& program = entries[i].program;
    const sim::Options options = options_for(program, i % 2 == 0 ? Model::rc11 : Model::sc);
    for (const std::uint64_t step : {1U, 7U}) {
      expect_same_in_steps(options, body_for(program), step, program.name);
    }
  }
}

TEST(checkpoint_test, a_failure_is_the_same_after_interruptions) {
  for (const bool stop : {true, false}) {
    sim::Options options;
    options.stop_at_first_failure = stop;
    for (const std::uint64_t step : {1U, 2U, 5U}) {
      expect_same_in_steps(options, sometimes_fails, step, "failing");
    }
  }
}

// The number of processes may change from one interruption to the next.
TEST(checkpoint_test, another_number_of_processes_goes_on) {
  const ScratchFolder folder;
  sim::Options options;
  options.checkpoint = folder.file("state");
  for (unsigned jobs = 1; jobs <= 4; ++jobs) {
    options.jobs = jobs;
    options.max_executions = jobs == 4 ? 0 : 1000 * jobs;
    const sim::Report report = explore_at_once(options, anchors::additions(7, 1));
    EXPECT_EQ(report.executions, jobs == 4 ? 5040 : options.max_executions);
    options.resume = true;
  }
}

void explore_in_a_child(const sim::Options& options, const std::function<void()>& body,
                        std::chrono::microseconds kill_after) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    explore_at_once(options, body);
    ::_exit(0);
  }
  std::this_thread::sleep_for(kill_after);
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

void expect_same_after_kills(unsigned jobs, std::uint64_t seed) {
  const ScratchFolder folder;
  const auto body = anchors::chase_lev(3);
  const std::string whole = text_of(sim::explore({}, body));
  sim::Options options;
  options.jobs = jobs;
  options.checkpoint = folder.file("state");
  options.checkpoint_every = std::chrono::milliseconds(5);
  std::mt19937_64 random(seed);
  for (int kill = 0; kill < 20; ++kill) {
    const std::chrono::microseconds after(
        std::uniform_int_distribution<std::int64_t>(0, 150'000)(random));
    explore_in_a_child(options, body, after);
    options.resume = std::filesystem::exists(options.checkpoint);
  }
  EXPECT_EQ(text_of(explore_at_once(options, body)), whole) << "with " << jobs << " processes";
}

TEST(checkpoint_test, twenty_kills_at_random_moments_change_nothing) {
  expect_same_after_kills(1, 11);
  expect_same_after_kills(2, 12);
}

TEST(checkpoint_test, sigterm_leaves_the_state) {
  const ScratchFolder folder;
  sim::Options options;
  options.checkpoint = folder.file("state");
  options.time_limit = std::chrono::minutes(2);
  options.on_progress = [](const sim::Progress&) { ::raise(SIGTERM); };
  const sim::Report report = sim::explore(options, anchors::additions(12, 1));
  EXPECT_EQ(report.verdict, sim::Verdict::incomplete);
  EXPECT_EQ(report.bound, "an interrupt (SIGTERM)");
  options.resume = true;
  options.max_executions = 1;
  EXPECT_EQ(sim::explore(options, anchors::additions(12, 1)).executions, report.executions);
}

std::string refusal(const sim::Options& options, const std::function<void()>& body) {
  try {
    sim::explore(options, body);
  } catch (const sim::CheckpointError& error) {
    return error.what();
  }
  return "not refused";
}

class refused_checkpoint_test : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.checkpoint = folder_.file("state");
    options_.scenario = "adding";
    options_.max_executions = 10;
    ASSERT_EQ(sim::explore(options_, body_).verdict, sim::Verdict::incomplete);
    options_.resume = true;
    options_.max_executions = 0;
  }
  void expect_refusal(const std::string& part) const {
    const std::string text = refusal(options_, body_);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find(options_.checkpoint), std::string::npos) << text;
  }
  std::string content() const {
    std::ifstream in(options_.checkpoint, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void replace(const std::string& bytes) const {
    std::ofstream(options_.checkpoint, std::ios::binary) << bytes;
  }

  ScratchFolder folder_;
  anchors::Body body_ = anchors::additions(4, 1);
  sim::Options options_;
};

TEST_F(refused_checkpoint_test, fits_what_it_was_made_for) {
  EXPECT_EQ(sim::explore(options_, body_).executions, 24U);
}

TEST_F(refused_checkpoint_test, of_another_scenario) {
  options_.scenario = "subtracting";
  expect_refusal("scenario 'adding'");
}

TEST_F(refused_checkpoint_test, of_other_options) {
  options_.memory_model = sim::MemoryModel::sc;
  expect_refusal("memory model 'rc11'");
}

// In the same binary, under the same name: the body does not go along with the state.
TEST_F(refused_checkpoint_test, of_another_body) {
  body_ = [] { sim::atomic<int>{0}.load(); };
  expect_refusal("the body does not do again what was explored");
}

// As it would be with another binary: the file names its build, and is whole.
TEST_F(refused_checkpoint_test, of_another_build) {
  std::string other = sim::build_id();
  other[0] = other[0] == '0' ? '1' : '0';
  std::string bytes = content();
  const std::size_t head = bytes.find('\n') + 1;
  bytes.replace(bytes.find(sim::build_id()), other.size(), other);
  sim::engine::ByteReader framed(std::string_view(bytes).substr(head));
  const std::string body(framed.text());
  sim::engine::ByteWriter out;
  out.text(body);
  out.number(sim::engine::checksum_of(body));
  replace(bytes.substr(0, head) + out.bytes());
  expect_refusal("another build");
}

TEST_F(refused_checkpoint_test, damaged_in_any_byte) {
  const std::string good = content();
  for (std::size_t i = 0; i < good.size(); i += 13) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    replace(bad);
    EXPECT_NE(refusal(options_, body_), "not refused") << "byte " << i;
    replace(good.substr(0, i));
    EXPECT_NE(refusal(options_, body_), "not refused") << "cut at " << i;
  }
}

TEST_F(refused_checkpoint_test, not_there) {
  std::filesystem::remove(options_.checkpoint);
  expect_refusal("there is no such file");
}

TEST_F(refused_checkpoint_test, that_would_be_lost) {
  options_.resume = false;
  expect_refusal("not finished");
}

}  // namespace
}  // namespace heddle::litmus
