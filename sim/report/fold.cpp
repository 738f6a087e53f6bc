#include <heddle/sim/report/fold.hpp>

#include <algorithm>
#include <map>

namespace heddle::sim::report {
namespace {

// A loop body with more steps than this is shown round for round.
constexpr std::size_t period_max = 32;

class Folder {
 public:
  explicit Folder(const Trace& trace)
      : trace_(trace),
        is_source_(trace.steps.size()),
        rows_(all_steps(trace)),
        hidden_(trace.steps.size()) {
    for (const TraceStep& step : trace.steps) {
      if (step.source >= 0 && static_cast<std::size_t>(step.source) < is_source_.size()) {
        is_source_[static_cast<std::size_t>(step.source)] = true;
      }
    }
  }

  std::vector<Row> run() {
    std::map<std::uint32_t, std::vector<std::size_t>> threads;
    for (std::size_t index = 0; index < trace_.steps.size(); ++index) {
      threads[trace_.steps[index].thread].push_back(index);
    }
    for (const auto& [thread, steps] : threads) fold_thread(steps);
    std::vector<Row> shown;
    for (const Row& row : rows_) {
      if (!hidden_[row.step]) shown.push_back(row);
    }
    return shown;
  }

 private:
  // `steps`: the numbers of one thread's steps.
  void fold_thread(const std::vector<std::size_t>& steps) {
    std::size_t at = 0;
    while (at < steps.size()) {
      std::size_t best_period = 0;
      std::size_t best_rounds = 0;
      for (std::size_t period = 1; period <= std::min(period_max, (steps.size() - at) / 3);
           ++period) {
        const std::size_t rounds = rounds_at(steps, at, period);
        if (rounds >= 3 && rounds * period > best_rounds * best_period) {
          best_period = period;
          best_rounds = rounds;
        }
      }
      if (best_rounds == 0) {
        ++at;
        continue;
      }
      hide(steps, at, best_period, best_rounds);
      at += best_period * best_rounds;
    }
  }

  std::size_t rounds_at(const std::vector<std::size_t>& steps, std::size_t at,
                        std::size_t period) const {
    std::size_t same = 0;  // steps after the first round that repeat it
    while (at + period + same < steps.size() &&
           repeats(steps[at + same % period], steps[at + period + same])) {
      ++same;
    }
    return 1 + same / period;
  }

  bool repeats(std::size_t first, std::size_t again) const {
    return !is_source_[again] && trace_.steps[first] == trace_.steps[again];
  }

  void hide(const std::vector<std::size_t>& steps, std::size_t at, std::size_t period,
            std::size_t rounds) {
    const std::size_t begin = at + period;
    const std::size_t end = at + period * rounds;
    rows_[steps[begin]] =
        Row{steps[begin], rounds - 1, steps[at], steps[begin - 1], steps[end - 1]};
    for (std::size_t index = begin + 1; index < end; ++index) hidden_[steps[index]] = true;
  }

  const Trace& trace_;
  std::vector<bool> is_source_;
  std::vector<Row> rows_;
  std::vector<bool> hidden_;
};

}  // namespace

std::vector<Row> all_steps(const Trace& trace) {
  std::vector<Row> rows(trace.steps.size());
  for (std::size_t index = 0; index < rows.size(); ++index) rows[index].step = index;
  return rows;
}

std::vector<Row> fold_loops(const Trace& trace) { return Folder(trace).run(); }

}  // namespace heddle::sim::report
