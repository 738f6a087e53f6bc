// `heddle merge`: the reports of all shards of a check become its verdict. Verified only if every
// shard is there, once, of the same build and the same options.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <heddle/sim/cli/commands.hpp>
#include <heddle/sim/cli/output_files.hpp>
#include <heddle/sim/report/check_result.hpp>
#include <heddle/sim/report/report_value.hpp>
#include <heddle/sim/report/verdict_table.hpp>
#include <heddle/sim/trace/atomic_file.hpp>
#include <heddle/sim/trace/names.hpp>

namespace heddle::sim::cli {
namespace {

using nlohmann::json;
using report::CheckResult;

constexpr std::size_t report_bytes_max = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", file, why));
}

struct ShardReport {
  std::string file;
  report::RunInfo run;
  std::vector<CheckResult> results;
};

Strategy strategy_of(const std::string& name) {
  for (const Strategy one :
       {Strategy::exhaustive, Strategy::bounded, Strategy::random, Strategy::pct, Strategy::pos}) {
    if (name == report::strategy_name(one)) return one;
  }
  throw std::invalid_argument("an unknown strategy");
}

CheckResult result_from(const json& value, const report::RunInfo& run) {
  CheckResult result;
  result.name = value.at("name").get<std::string>();
  result.shows = value.at("shows").get<std::string>();
  result.group = value.value("group", "");
  result.file = value.at("file").get<std::string>();
  result.line = value.at("line").get<std::uint32_t>();
  result.threads = value.value("threads", 0U);
  result.golden_executions = value.value("golden_executions", std::uint64_t{0});
  result.strategy = strategy_of(value.at("strategy").get<std::string>());
  result.memory_model = run.memory_model;
  result.crash = value.value("crash", "");
  result.trace_file = value.value("trace_file", "");
  if (value.contains("known_bad")) {
    const json& bad = value["known_bad"];
    result.expect = trace::failure_kind(bad.at("expected_failure").get<std::string>());
    if (!result.expect) throw std::invalid_argument("an unknown kind of failure");
    result.caught_by = bad.value("caught_by", "");
  }
  result.report = report::report_from_value(value.at("report"));
  return result;
}

ShardReport read_shard(const std::string& file) {
  ShardReport shard;
  shard.file = file;
  try {
    const json document = json::parse(trace::read_file(file, report_bytes_max));
    if (!document.is_object() || document.value("format", "") != "heddle-report") {
      refuse(file, "is not a report of `heddle check --json`");
    }
    if (!document.contains("shard")) {
      refuse(file,
             "is the report of a whole check, not of a shard; shards are made by `heddle "
             "check --shard I/N --json FILE`");
    }
    shard.run.shard = document["shard"].at("index").get<unsigned>();
    shard.run.shards = document["shard"].at("of").get<unsigned>();
    shard.run.build = document.at("build").get<std::string>();
    shard.run.seed = document.at("seed").get<std::uint64_t>();
    const auto model = trace::memory_model(document.at("memory_model").get<std::string>());
    if (!model) throw std::invalid_argument("an unknown memory model");
    shard.run.memory_model = *model;
    shard.run.strategy = strategy_of(document.at("strategy").get<std::string>());
    shard.run.elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(document.at("seconds").get<double>()));
    for (const json& one : document.at("scenarios")) {
      shard.results.push_back(result_from(one, shard.run));
    }
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    refuse(file, fmt::format("cannot be used: {}", error.what()));
  }
  const bool numbered = shard.run.shard >= 1 && shard.run.shard <= shard.run.shards;
  if (!numbered) refuse(file, "has a number of a shard that cannot be");
  return shard;
}

std::vector<std::string> names_in(const ShardReport& shard) {
  std::vector<std::string> names;
  for (const CheckResult& result : shard.results) names.push_back(result.name);
  return names;
}

void require_same(const ShardReport& first, const ShardReport& other) {
  const auto differ = [&](const std::string& what) {
    refuse(other.file, fmt::format("does not go with {}: {}", first.file, what));
  };
  if (other.run.build != first.run.build) {
    differ(
        fmt::format("it is of another build ({}, not {}); all shards have to be run by the same "
                    "binary",
                    other.run.build, first.run.build));
  }
  if (other.run.shards != first.run.shards) {
    differ(fmt::format("it is a shard of {}, not of {}", other.run.shards, first.run.shards));
  }
  if (other.run.memory_model != first.run.memory_model) differ("another memory model");
  if (other.run.strategy != first.run.strategy || other.run.seed != first.run.seed) {
    differ("another strategy or seed");
  }
  if (names_in(other) != names_in(first)) differ("other scenarios");
}

// Of the same scenario; the shard comes after those that are in `whole`.
void add(CheckResult& whole, CheckResult&& shard, bool& complete) {
  Report& sum = whole.report;
  Report& part = shard.report;
  const bool sampled = whole.strategy != Strategy::exhaustive;
  complete = complete && (part.shard_complete || sampled);
  sum.executions += part.executions;
  sum.blocked += part.blocked;
  sum.failures += part.failures;
  sum.elapsed += part.elapsed;
  for (const auto& [outcome, count] : part.outcomes) sum.outcomes[outcome] += count;
  if (!sum.failure && part.failure) {
    sum.failure = std::move(part.failure);
    whole.trace_file = shard.trace_file;
  }
  if (whole.crash.empty()) whole.crash = shard.crash;
  const bool broken = part.verdict == Verdict::internal_error;
  if (!part.shard_complete && !part.failure && (sum.bound.empty() || broken)) {
    sum.bound = part.bound;
  }
  if (broken) sum.verdict = Verdict::internal_error;
}

std::string missing_text(const std::map<unsigned, const ShardReport*>& present, unsigned shards) {
  std::vector<unsigned> missing;
  for (unsigned i = 1; i <= shards; ++i) {
    if (present.count(i) == 0) missing.push_back(i);
  }
  if (missing.empty()) return "";
  return fmt::format("the want of shard{} {} of {}", missing.size() == 1 ? "" : "s",
                     fmt::join(missing, ", "), shards);
}

}  // namespace

int merge(const MergeArguments& arguments, Console& console) {
  const OutputFiles outputs{arguments.json_file, arguments.junit_file, arguments.sarif_file};
  check_outputs(outputs, "");
  std::vector<ShardReport> shards;
  for (const std::string& file : arguments.reports) shards.push_back(read_shard(file));
  std::map<unsigned, const ShardReport*> present;
  for (const ShardReport& shard : shards) {
    require_same(shards.front(), shard);
    const auto [known, fresh] = present.emplace(shard.run.shard, &shard);
    if (!fresh) {
      refuse(shard.file, fmt::format("is shard {} of {}, as is {}; each has to be there once",
                                     shard.run.shard, shard.run.shards, known->second->file));
    }
  }
  const std::string missing = missing_text(present, shards.front().run.shards);
  std::sort(shards.begin(), shards.end(),
            [](const ShardReport& a, const ShardReport& b) { return a.run.shard < b.run.shard; });

  report::RunInfo run = shards.front().run;
  run.shard = run.shards = 0;
  run.elapsed = {};
  for (const ShardReport& shard : shards) run.elapsed += shard.run.elapsed;
  std::vector<CheckResult> results;
  for (std::size_t i = 0; i < shards.front().results.size(); ++i) {
    CheckResult whole = shards.front().results[i];
    whole.report = Report{};
    whole.report.verdict = Verdict::verified;
    whole.crash.clear();
    whole.trace_file.clear();
    bool complete = missing.empty();
    for (ShardReport& shard : shards) add(whole, std::move(shard.results[i]), complete);
    Report& sum = whole.report;
    if (sum.verdict == Verdict::internal_error) {
      // The search itself is in doubt, whatever it found.
    } else if (sum.failure) {
      sum.verdict = Verdict::failed;
    } else if (!complete || whole.strategy != Strategy::exhaustive) {
      sum.verdict = Verdict::incomplete;
      if (!missing.empty()) sum.bound = missing;
    }
    results.push_back(std::move(whole));
  }
  console.out << report::verdict_table(run, results, console.width, console.colour);
  const bool written = write_outputs(outputs, run, results, console);
  const int code = report::exit_code(results);
  const bool milder = code == success || code == not_complete;
  return !written && milder ? static_cast<int>(usage) : code;
}

}  // namespace heddle::sim::cli
