#include <heddle/sim/explore/explore.hpp>

#include <stdexcept>

#include <heddle/sim/explore/exhaustive.hpp>
#include <heddle/sim/explore/sampling/pct.hpp>
#include <heddle/sim/explore/sampling/sampler.hpp>

namespace heddle::sim {

namespace {

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

void validate(const Options& options, const std::function<void()>& body) {
  require(static_cast<bool>(body), "sim::explore: the body is empty");
  require(runtime::current_core == nullptr, "sim::explore: called from inside of a body");
  require(options.time_limit.count() >= 0, "sim::explore: Options::time_limit is negative");
  require(options.jobs >= 1, "sim::explore: Options::jobs must be at least 1");
  require(options.stack_bytes >= 16 * 1024,
          "sim::explore: Options::stack_bytes must be at least 16384");
  require(options.max_steps >= 1, "sim::explore: Options::max_steps must be at least 1");
  const bool has_an_end =
      options.strategy == Strategy::exhaustive || options.strategy == Strategy::bounded;
  require(has_an_end || options.max_executions != 0 || options.time_limit.count() != 0,
          "sim::explore: sampling has no end of its own; set max_executions or time_limit");
  require(options.pct_depth >= 1 && options.pct_depth <= engine::Pct::depth_max,
          "sim::explore: Options::pct_depth must be from 1 to 1000");
  require(options.checkpoint_every.count() >= 0,
          "sim::explore: Options::checkpoint_every is negative");
  require(!options.resume || !options.checkpoint.empty(),
          "sim::explore: Options::resume needs Options::checkpoint, the file to go on from");
  require(options.shards == 0 || (options.shard >= 1 && options.shard <= options.shards),
          "sim::explore: Options::shard must be from 1 to Options::shards");
  const bool in_parts = !options.checkpoint.empty() || options.shards != 0;
  require(!in_parts || options.strategy == Strategy::exhaustive,
          "sim::explore: only Strategy::exhaustive has checkpoints and shards");
  require(
      !in_parts || options.sites == nullptr,
      "sim::explore: a site observer cannot go with checkpoints and shards: it would see a part "
      "of the executions only");
}

}  // namespace

Report explore(const Options& options, const std::function<void()>& body) {
  validate(options, body);
  try {
    if (options.strategy == Strategy::exhaustive) {
      return engine::Exhaustive(options, body).explore();
    }
    return engine::Sampler(options, body, engine::make_scheduler(options)).explore();
  } catch (const std::invalid_argument&) {
    throw;  // a checkpoint that does not fit
  } catch (const std::logic_error& error) {
    Report report;
    report.verdict = Verdict::internal_error;
    report.bound = error.what();
    return report;
  }
}

}  // namespace heddle::sim
