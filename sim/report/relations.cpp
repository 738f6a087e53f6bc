#include <heddle/sim/report/relations.hpp>

#include <algorithm>
#include <map>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

// More release sides of one sequence than this are not told apart.
constexpr std::size_t heads_max = 4;

void join_into(Relations::Clock& clock, const Relations::Clock& other) {
  for (std::size_t at = 0; at < other.size(); ++at) clock[at] = std::max(clock[at], other[at]);
}

bool contains(const Relations::Clock& clock, std::size_t thread, std::uint32_t position) noexcept {
  return clock[thread] >= position;
}

}  // namespace

bool is_acquire(std::string_view order) noexcept {
  return order == "acquire" || order == "consume" || order == "acq_rel" || order == "seq_cst";
}

bool is_release(std::string_view order) noexcept {
  return order == "release" || order == "acq_rel" || order == "seq_cst";
}

bool is_access(const TraceStep& step) noexcept {
  switch (step.kind) {
    case Kind::load:
    case Kind::store:
    case Kind::rmw:
    case Kind::await_load:
    case Kind::await_rmw:
      return true;
    default:
      return false;
  }
}

// How far each thread has got.
struct Relations::Progress {
  std::vector<std::optional<std::size_t>> last;                 // step of each thread
  std::map<std::uint32_t, std::size_t> spawned_by;              // step, by thread
  std::vector<std::optional<std::size_t>> release_fence;        // the latest of each thread
  std::vector<std::vector<std::size_t>> reads_since_the_fence;  // what an acquire fence acts on
};

Relations::Relations(const Trace& trace)
    : trace_(trace),
      everything_synchronises_(trace.memory_model == "sc"),
      position_(trace.steps.size()),
      previous_(trace.steps.size()),
      joined_(trace.steps.size()),
      hb_(trace.steps.size()),
      porf_(trace.steps.size()),
      released_(trace.steps.size()),
      heads_(trace.steps.size()) {
  number_threads();
  const std::size_t count = threads_.size();
  Progress progress;
  progress.last.resize(count);
  progress.release_fence.resize(count);
  progress.reads_since_the_fence.resize(count);
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    const TraceStep& step = trace.steps[at];
    follow_program_order(at, progress);
    if (source(at)) read(at, progress);
    if (step.kind == Kind::fence) fence(at, progress);
    if (step.written && is_access(step)) write(at, progress);
    if (step.kind == Kind::spawn) progress.spawned_by.emplace(step.other_thread, at);
    progress.last[thread_of_[at]] = at;
  }
}

void Relations::number_threads() {
  std::map<std::uint32_t, std::size_t> numbers;
  for (const TraceStep& step : trace_.steps) numbers.emplace(step.thread, 0);
  for (auto& [thread, number] : numbers) {
    number = threads_.size();
    threads_.push_back(thread);
  }
  for (const TraceStep& step : trace_.steps) thread_of_.push_back(numbers[step.thread]);
}

std::optional<std::size_t> Relations::source(std::size_t read) const noexcept {
  const TraceStep& step = trace_.steps[read];
  if (!is_access(step) || step.source < 0) return std::nullopt;
  const auto found = static_cast<std::size_t>(step.source);
  if (found >= read || !trace_.steps[found].written) return std::nullopt;
  return found;
}

void Relations::follow_program_order(std::size_t at, Progress& progress) {
  const TraceStep& step = trace_.steps[at];
  const std::size_t thread = thread_of_[at];
  const auto last = progress.last[thread];
  const auto spawned = progress.spawned_by.find(step.thread);
  position_[at] = last ? position_[*last] + 1 : 1;
  if (last) {
    previous_[at] = last;
  } else if (spawned != progress.spawned_by.end()) {
    previous_[at] = spawned->second;
  }
  hb_[at] = previous_[at] ? hb_[*previous_[at]] : Clock(threads_.size());
  porf_[at] = previous_[at] ? porf_[*previous_[at]] : Clock(threads_.size());
  if (step.kind == Kind::join) {
    const auto child = std::find(threads_.begin(), threads_.end(), step.other_thread);
    if (child != threads_.end()) {
      joined_[at] = progress.last[static_cast<std::size_t>(child - threads_.begin())];
    }
    if (joined_[at]) {
      join_into(hb_[at], hb_[*joined_[at]]);
      join_into(porf_[at], porf_[*joined_[at]]);
    }
  }
  hb_[at][thread] = position_[at];
  porf_[at][thread] = position_[at];
}

// `step` acquires what the release sequence of `write` has.
void Relations::acquire(std::size_t step, std::size_t write) {
  if (heads_[write].empty()) return;
  join_into(hb_[step], released_[write]);
  for (const std::size_t head : heads_[write]) {
    const Synchronisation found{head, step};
    // What is in program order anyway is no edge worth telling.
    if (thread_of_[head] == thread_of_[step]) continue;
    if (std::find(synchronisations_.begin(), synchronisations_.end(), found) ==
        synchronisations_.end()) {
      synchronisations_.push_back(found);
    }
  }
}

void Relations::read(std::size_t at, Progress& progress) {
  const std::size_t write = *source(at);
  join_into(porf_[at], porf_[write]);
  if (everything_synchronises_ || is_acquire(trace_.steps[at].order)) acquire(at, write);
  progress.reads_since_the_fence[thread_of_[at]].push_back(write);
}

void Relations::fence(std::size_t at, Progress& progress) {
  const TraceStep& step = trace_.steps[at];
  const std::size_t thread = thread_of_[at];
  if (is_acquire(step.order)) {
    for (const std::size_t write : progress.reads_since_the_fence[thread]) acquire(at, write);
    progress.reads_since_the_fence[thread].clear();
  }
  if (is_release(step.order)) progress.release_fence[thread] = at;
}

void Relations::write(std::size_t at, const Progress& progress) {
  const TraceStep& step = trace_.steps[at];
  const auto fence = progress.release_fence[thread_of_[at]];
  std::vector<std::size_t>& heads = heads_[at];
  released_[at].resize(threads_.size());
  // Only a read-modify-write continues the sequence of what it read.
  const auto continued = source(at);
  if (continued && !heads_[*continued].empty()) {
    heads = heads_[*continued];
    join_into(released_[at], released_[*continued]);
  }
  if (everything_synchronises_ || is_release(step.order)) {
    heads.push_back(at);
    join_into(released_[at], hb_[at]);
  } else if (fence) {
    heads.push_back(*fence);
    join_into(released_[at], hb_[*fence]);
  }
  if (heads.size() > heads_max) heads.erase(heads.begin(), heads.end() - heads_max);
}

bool Relations::po(std::size_t before, std::size_t after) const noexcept {
  return before < after && thread_of_[before] == thread_of_[after];
}

bool Relations::hb(std::size_t before, std::size_t after) const noexcept {
  return before != after && contains(hb_[after], thread_of_[before], position_[before]);
}

bool Relations::porf(std::size_t before, std::size_t after) const noexcept {
  return before != after && contains(porf_[after], thread_of_[before], position_[before]);
}

}  // namespace heddle::sim::report
