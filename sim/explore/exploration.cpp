#include <heddle/sim/explore/exploration.hpp>

#include <deque>
#include <utility>

#include <fmt/format.h>

#include <heddle/sim/explore/checkpoint.hpp>
#include <heddle/sim/explore/crew.hpp>
#include <heddle/sim/explore/rebind.hpp>
#include <heddle/sim/explore/termination.hpp>

namespace heddle::sim::engine {

namespace {

// Runs between looks at the clock.
constexpr std::uint64_t between_looks = 16;
constexpr std::chrono::milliseconds between_words{100};
// Tasks per shard at least: the more there are, the more alike the shards are.
constexpr std::size_t tasks_per_shard = 32;

}  // namespace

Exploration::Exploration(const Options& options, const std::function<void()>& body,
                         Exhaustive& search, std::chrono::nanoseconds alone)
    : options_(options), body_(body), search_(search), alone_(alone) {}

std::chrono::nanoseconds Exploration::elapsed() const {
  return elapsed_before_ + (Clock::now() - started_);
}

Report Exploration::explore() {
  started_ = Clock::now();
  std::optional<TerminationGuard> guard;
  if (!options_.checkpoint.empty()) guard.emplace();
  prepare();
  // Who watches the operations of all executions has to be in the process that runs them.
  const bool crew = options_.jobs > 1 && options_.sites == nullptr && !search_.on_complete;
  if (crew) {
    if (alone_.count() > 0) explore_alone(started_ + alone_);
    if (bound_.empty() && !ledger_.finished(options_.stop_at_first_failure)) explore_with_crew();
  }
  // With a crew only what it left at the limit of executions: is there anything more?
  if (bound_.empty()) explore_alone(std::nullopt);
  if (!options_.checkpoint.empty()) write_state();
  return report();
}

void Exploration::prepare() {
  if (options_.resume) {
    Checkpoint checkpoint = read_checkpoint(options_);
    ledger_ = std::move(checkpoint.ledger);
    elapsed_before_ = checkpoint.elapsed;
  } else {
    if (!options_.checkpoint.empty()) require_no_unfinished_checkpoint(options_);
    if (options_.shards == 0) {
      ledger_ = Ledger::whole();
    } else {
      split_for_shards();
    }
    // At once: that the file cannot be written should not be found out after hours.
    if (!options_.checkpoint.empty()) write_state();
  }
  saved_ = told_ = elapsed();
  whole_share_ = 0;
  for (const Part& part : ledger_.parts()) {
    whole_share_ += part.tally.share;
    if (!part.rest.empty()) whole_share_ += weight_of(read_task(part.rest));
  }
}

// Breadth first, until there are tasks enough to be dealt out. Every shard does the same here, and
// what is met on the way belongs to the first one.
void Exploration::split_for_shards() {
  std::deque<Task> tasks(1);
  tasks.front().whole = true;
  Tally met;
  while (!tasks.empty() && tasks.size() < tasks_per_shard * options_.shards) {
    const Task task = std::move(tasks.front());
    tasks.pop_front();
    search_.load(task);
    if (!search_.advance()) continue;
    search_.run(met);
    if (met.failure && options_.stop_at_first_failure) {
      tasks.clear();
      break;
    }
    for (Task& one : search_.take_apart()) tasks.push_back(std::move(one));
  }
  if (options_.shard == 1) ledger_.parts().push_back({std::move(met), {}, false});
  std::size_t ordinal = 0;
  for (const Task& task : tasks) {
    if (ordinal++ % options_.shards != options_.shard - 1) continue;
    ledger_.parts().push_back({{}, write_task(task), false});
  }
}

bool Exploration::at_limit(std::uint64_t runs) const {
  return options_.max_executions != 0 && runs >= options_.max_executions;
}

void Exploration::explore_alone(std::optional<Clock::time_point> until) {
  for (;;) {
    const Ledger::Position part = ledger_.next(options_.stop_at_first_failure);
    if (part == ledger_.parts().end()) return;
    const bool go_on = explore_part(part, until);
    part->running = false;
    ledger_.merge_around(part);
    if (!go_on) return;
  }
}

// False: the search stops here, with the part as far as it is.
bool Exploration::explore_part(Ledger::Position part, std::optional<Clock::time_point> until) {
  const std::uint64_t other_runs = ledger_.runs() - part->tally.runs();
  Tally& tally = part->tally;
  part->running = true;
  try {
    search_.load(read_task(part->rest));
  } catch (const RebindError& error) {
    throw CheckpointError(fmt::format("checkpoint {}: {}", options_.checkpoint, error.what()));
  }
  const auto keep = [&] { part->rest = write_task(search_.save()); };
  for (std::uint64_t runs = 1;; ++runs) {
    if (at_limit(other_runs + tally.runs())) {
      keep();
      if (search_.advance()) {
        bound_ = fmt::format("max_executions ({})", options_.max_executions);
        return false;
      }
      break;
    }
    if (!search_.advance()) break;
    const bool failed_before = tally.failure.has_value();
    search_.run(tally);
    if (tally.failure && !failed_before) {
      const bool first = ledger_.first_failure() == part;
      if (first && options_.checkpoint.empty()) recorded_ = search_.record();
      if (options_.stop_at_first_failure) break;
    }
    if (runs % between_looks != 0 && !TerminationGuard::requested()) continue;
    if (until && Clock::now() >= *until) {
      keep();
      return false;
    }
    if (wants_checkpoint()) {
      keep();
      write_state();
    }
    if (look(ledger_.counts())) {
      keep();
      return false;
    }
  }
  part->rest.clear();
  return true;
}

void Exploration::explore_with_crew() {
  const std::uint64_t left =
      options_.max_executions == 0 ? 0 : options_.max_executions - ledger_.runs();
  Crew crew(search_, options_.jobs, options_.stop_at_first_failure, left);
  crew.run(ledger_, {[this](const Tally& so_far) { return look(so_far); },
                     [this] { return wants_checkpoint(); }, [this] { write_state(); }});
  if (options_.resume && !crew.not_repeated().empty()) {
    throw CheckpointError(
        fmt::format("checkpoint {}: {}", options_.checkpoint, crew.not_repeated()));
  }
}

// True: stop.
bool Exploration::look(const Tally& so_far) {
  const auto now = Clock::now() - started_;
  if (TerminationGuard::requested() && !options_.checkpoint.empty()) {
    bound_ = "an interrupt (SIGTERM)";
    return true;
  }
  if (options_.time_limit.count() != 0 && now >= options_.time_limit) {
    bound_ = fmt::format(
        "time_limit ({} ms)",
        std::chrono::duration_cast<std::chrono::milliseconds>(options_.time_limit).count());
    return true;
  }
  if (options_.on_progress && elapsed() - told_ > between_words) tell(so_far);
  return false;
}

void Exploration::tell(const Tally& so_far) {
  told_ = elapsed();
  const double share = whole_share_ > 0 ? so_far.share / whole_share_ : 1;
  Progress progress;
  progress.executions = so_far.executions;
  progress.blocked = so_far.blocked;
  progress.elapsed = told_;
  progress.executions_per_second =
      static_cast<double>(so_far.runs()) / std::chrono::duration<double>(told_).count();
  progress.share = share;
  if (options_.shards == 0) estimate_.probe(options_, body_);
  const Estimate estimate = estimate_.after(so_far.executions, share);
  progress.estimated_total = estimate.executions;
  progress.estimated_error = estimate.error;
  options_.on_progress(progress);
}

bool Exploration::wants_checkpoint() const {
  return !options_.checkpoint.empty() && elapsed() - saved_ >= options_.checkpoint_every;
}

void Exploration::write_state() {
  write_checkpoint(options_, {elapsed(), ledger_});
  saved_ = elapsed();
}

Failure Exploration::record(const FailureSpot& spot) {
  if (!spot.task.empty()) {
    try {
      return search_.record(spot);
    } catch (const RebindError& error) {
      FailureSpot unknown;
      unknown.run = spot.run;
      unknown.message = fmt::format("an execution failed ({}), and could not be run again: {}",
                                    spot.message, error.what());
      return record(unknown);
    }
  }
  Failure failure{FailureKind::nondeterminism, spot.message, {}};
  failure.trace.memory_model = to_string(options_.memory_model);
  failure.trace.timeouts = options_.timeouts;
  failure.trace.spurious_wakeups = options_.spurious_wakeups;
  failure.trace.failure = failure.kind;
  failure.trace.message = failure.message;
  failure.trace.execution = spot.run;
  return failure;
}

Report Exploration::report() {
  Tally total = ledger_.total(options_.stop_at_first_failure);
  Report report;
  report.executions = total.executions;
  report.blocked = total.blocked;
  report.failures = total.failures;
  report.outcomes = std::move(total.outcomes);
  report.bound = bound_.empty() ? std::move(total.bound) : bound_;
  if (total.failure) {
    report.failure = recorded_ ? std::move(*recorded_) : record(*total.failure);
    report.failure->trace.execution = total.failure->run;
  }
  if (options_.shards != 0) {
    report.shard_complete =
        report.bound.empty() && ledger_.finished(options_.stop_at_first_failure);
    const std::string shard = fmt::format("shard {} of {}", options_.shard, options_.shards);
    report.bound = report.bound.empty() ? shard : report.bound + ", in " + shard;
  }
  report.elapsed = elapsed();
  report.verdict = report.failure         ? Verdict::failed
                   : report.bound.empty() ? Verdict::verified
                                          : Verdict::incomplete;
  return report;
}

Report Exhaustive::explore() { return Exploration(options_, body_, *this).explore(); }

}  // namespace heddle::sim::engine
