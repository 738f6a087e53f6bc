#include <heddle/sim/cli/questions.hpp>

namespace heddle::sim::cli {

using report::CheckResult;

namespace {

// Of sampling, when neither a time nor a number is given.
constexpr std::uint64_t sampled_executions_default = 10'000;

Strategy strategy_for(const Scenario& scenario, const CheckArguments& arguments) {
  const bool too_large = !scenario.options.exhaustive;
  if (too_large && arguments.strategy == Strategy::exhaustive) return Strategy::random;
  return arguments.strategy;
}

}  // namespace

Options options_for(const Scenario& scenario, const CheckArguments& arguments, unsigned jobs) {
  Options options;
  options.memory_model = arguments.memory_model;
  options.strategy = strategy_for(scenario, arguments);
  options.max_executions = arguments.max_executions;
  options.time_limit = arguments.time_limit;
  const bool draws =
      options.strategy != Strategy::exhaustive && options.strategy != Strategy::bounded;
  if (draws && options.max_executions == 0 && options.time_limit.count() == 0) {
    options.max_executions = sampled_executions_default;
  }
  options.seed = arguments.seed;
  options.jobs = jobs;
  options.preemption_bound = arguments.preemption_bound;
  options.pct_depth = arguments.pct_depth;
  options.timeouts = scenario.options.timeouts;
  options.spurious_wakeups = scenario.options.spurious_wakeups;
  if (scenario.options.max_steps != 0) options.max_steps = scenario.options.max_steps;
  options.scenario = scenario.name;
  options.checkpoint = arguments.checkpoint_file;
  options.resume = arguments.resume;
  // What is sampled is no whole that could be divided: every shard samples it.
  if (options.strategy == Strategy::exhaustive) {
    options.shard = arguments.shard;
    options.shards = arguments.shards;
  }
  return options;
}

CheckResult question(const Scenario& scenario, const Options& options) {
  CheckResult result;
  result.name = scenario.name;
  result.shows = scenario.shows;
  result.group = scenario.options.group;
  result.caught_by = scenario.options.caught_by;
  result.file = scenario.site.file_name();
  result.line = static_cast<std::uint32_t>(scenario.site.line());
  result.threads = scenario.options.threads;
  result.expect = scenario.options.expect;
  result.strategy = options.strategy;
  result.memory_model = options.memory_model;
  // Golden counts are counts under rc11.
  if (options.memory_model == MemoryModel::rc11 && options.strategy == Strategy::exhaustive) {
    result.golden_executions = scenario.options.executions;
  }
  return result;
}

}  // namespace heddle::sim::cli
