// `heddle check --checkpoint`, `--shard` and `heddle merge` over the real engine.
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <heddle/sim.hpp>
#include <heddle/sim/cli/program.hpp>
#include <heddle/sim/explore/explore.hpp>

#include "../support/scratch_folder.hpp"

namespace heddle::sim::cli {
namespace {

using support::ScratchFolder;

void add_concurrently(int threads) {
  atomic<int> x{0};
  std::vector<thread> crew;
  for (int i = 0; i < threads; ++i) {
    crew.emplace_back([&] { x.fetch_add(1, std::memory_order_relaxed); });
  }
  for (thread& one : crew) one.join();
  sim::check(x.load() == threads, "an addition is lost");
}

void lose_an_addition() {
  atomic<int> x{0};
  thread other([&] { x.store(x.load() + 1); });
  x.store(x.load() + 1);
  other.join();
  sim::check(x.load() == 2, "an addition is lost");
}

class Command {
 public:
  Command() {
    program_.explore = &explore;
    add("five", [] { add_concurrently(5); }, {.executions = 120});
    add("six", [] { add_concurrently(6); }, {});
  }
  void add(const std::string& name, std::function<void()> body, ScenarioOptions options) {
    program_.scenarios.push_back(
        {name, "additions", options, std::move(body), source_location::current()});
  }
  int run(std::vector<std::string> arguments) {
    out.str("");
    err.str("");
    Console console{out, err};
    console.width = 100;
    return cli::run(program_, arguments, console);
  }
  std::string folder_file(const std::string& name) { return (folder_.path() / name).string(); }
  std::vector<std::string> shards(unsigned count, std::vector<std::string> more = {}) {
    std::vector<std::string> reports;
    for (unsigned i = 1; i <= count; ++i) {
      reports.push_back(folder_file("shard" + std::to_string(i) + ".json"));
      std::vector<std::string> arguments = {
          "check",  "--quiet",     "--shard", std::to_string(i) + "/" + std::to_string(count),
          "--json", reports.back()};
      arguments.insert(arguments.end(), more.begin(), more.end());
      last_code = run(arguments);
    }
    return reports;
  }
  int merge(std::vector<std::string> reports) {
    reports.insert(reports.begin(), {"merge", "--json", folder_file("whole.json")});
    return run(reports);
  }
  nlohmann::json whole() {
    std::ifstream in(folder_file("whole.json"));
    return nlohmann::json::parse(in);
  }
  bool says(const std::string& part) const {
    return (out.str() + err.str()).find(part) != std::string::npos;
  }

  std::ostringstream out;
  std::ostringstream err;
  int last_code = -1;

 private:
  ScratchFolder folder_;
  Program program_;
};

TEST(shards, all_together_are_the_verdict) {
  Command command;
  for (unsigned count = 1; count <= 5; ++count) {
    const auto reports = command.shards(count);
    EXPECT_EQ(command.last_code, not_complete) << "one shard alone is no verdict";
    EXPECT_TRUE(command.says("shard " + std::to_string(count) + " of")) << command.out.str();
    EXPECT_EQ(command.merge(reports), success) << command.out.str() << command.err.str();
    const auto document = command.whole();
    EXPECT_EQ(document["scenarios"][0]["judgement"], "verified");
    EXPECT_EQ(document["scenarios"][0]["report"]["executions"], 120);
    EXPECT_EQ(document["scenarios"][1]["report"]["executions"], 720);
  }
}

TEST(shards, a_missing_one_leaves_it_incomplete) {
  Command command;
  auto reports = command.shards(3);
  reports.erase(reports.begin() + 1);
  EXPECT_EQ(command.merge(reports), not_complete);
  EXPECT_TRUE(command.says("the want of shard 2 of 3")) << command.out.str();
}

TEST(shards, an_interrupted_one_leaves_it_incomplete) {
  Command command;
  auto reports = command.shards(2);
  command.run(
      {"check", "--quiet", "--shard", "2/2", "--json", reports[1], "--max-executions", "20"});
  EXPECT_EQ(command.merge(reports), not_complete);
  EXPECT_TRUE(command.says("max_executions (20)")) << command.out.str();
}

TEST(shards, a_double_one_is_refused) {
  Command command;
  auto reports = command.shards(2);
  reports.push_back(reports[0]);
  EXPECT_EQ(command.merge(reports), usage);
  EXPECT_TRUE(command.says("each has to be there once")) << command.err.str();
}

TEST(shards, foreign_ones_are_refused) {
  Command command;
  const auto reports = command.shards(2);
  const auto change = [&](const std::string& key, const nlohmann::json& value) {
    std::ifstream in(reports[1]);
    nlohmann::json document = nlohmann::json::parse(in);
    document[key] = value;
    const std::string file = command.folder_file("foreign.json");
    std::ofstream(file) << document.dump();
    return file;
  };
  EXPECT_EQ(command.merge({reports[0], change("build", "0123456789abcdef")}), usage);
  EXPECT_TRUE(command.says("another build")) << command.err.str();
  EXPECT_EQ(command.merge({reports[0], change("memory_model", "sc")}), usage);
  EXPECT_TRUE(command.says("another memory model")) << command.err.str();
  EXPECT_EQ(command.merge({reports[0], change("scenarios", nlohmann::json::array())}), usage);
  EXPECT_TRUE(command.says("other scenarios")) << command.err.str();
  EXPECT_EQ(command.merge({reports[0], change("shard", {{"index", 3}, {"of", 3}})}), usage);
  EXPECT_TRUE(command.says("a shard of 3, not of 2")) << command.err.str();
  EXPECT_EQ(command.merge({reports[0], change("format", "other")}), usage);
  const std::string whole = command.folder_file("all.json");
  command.run({"check", "--quiet", "--json", whole});
  EXPECT_EQ(command.merge({whole}), usage);
  EXPECT_TRUE(command.says("not of a shard")) << command.err.str();
  EXPECT_EQ(command.merge({command.folder_file("absent.json")}), usage);
}

TEST(shards, a_failure_in_one_is_the_failure_of_all) {
  Command command;
  command.add("losing", lose_an_addition, {});
  command.add("known", lose_an_addition, {.expect = FailureKind::check, .caught_by = "the sum"});
  EXPECT_EQ(command.merge(command.shards(3)), failure);
  const auto document = command.whole();
  std::map<std::string, std::string> judgements;
  for (const auto& one : document["scenarios"]) judgements[one["name"]] = one["judgement"];
  EXPECT_EQ(judgements["losing"], "failed");
  EXPECT_EQ(judgements["known"], "caught");
}

TEST(shards, options_that_make_no_sense_are_refused) {
  Command command;
  for (const char* shard : {"0/2", "3/2", "1", "1/", "a/b", "1/2/3", "1/1001"}) {
    EXPECT_EQ(command.run({"check", "--shard", shard}), usage) << shard;
  }
  EXPECT_EQ(command.run({"check", "five", "--resume"}), usage);
  EXPECT_EQ(command.run({"check", "--checkpoint", command.folder_file("state")}), usage);
  EXPECT_TRUE(command.says("name one")) << command.err.str();
  EXPECT_EQ(command.run({"check", "--shard", "1/2", "--strategy", "random"}), usage);
}

TEST(checkpoints, are_taken_up_again) {
  Command command;
  const std::string state = command.folder_file("state");
  const std::vector<std::string> arguments = {"check", "six", "--quiet", "--checkpoint", state};
  auto first = arguments;
  first.insert(first.end(), {"--max-executions", "100"});
  EXPECT_EQ(command.run(first), not_complete);
  EXPECT_EQ(command.run(arguments), usage) << "what is not finished would be lost";
  auto resumed = arguments;
  resumed.push_back("--resume");
  EXPECT_EQ(command.run(resumed), success) << command.out.str() << command.err.str();
  EXPECT_TRUE(command.says("720")) << command.out.str();
  auto other =
      std::vector<std::string>{"check", "five", "--quiet", "--checkpoint", state, "--resume"};
  EXPECT_EQ(command.run(other), usage);
  EXPECT_TRUE(command.says("scenario 'six'")) << command.err.str();
}

}  // namespace
}  // namespace heddle::sim::cli
