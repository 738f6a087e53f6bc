#include "literal_checker.hpp"

#include "candidates.hpp"

namespace heddle::litmus {

namespace {

/// Calls f with every way in which threads may have stopped: stops[t] is the length of thread t or
/// the index of one of its awaits.
template <class F>
void for_each_stop(const Program& program, std::vector<std::size_t>& stops, const F& f) {
  const std::size_t t = stops.size();
  if (t == program.threads.size()) {
    f();
    return;
  }
  const Thread& thread = program.threads[t];
  for (std::size_t i = 0; i <= thread.size(); ++i) {
    if (i < thread.size() && !waits(thread[i].kind)) continue;
    stops.push_back(i);
    for_each_stop(program, stops, f);
    stops.pop_back();
  }
}

}  // namespace

Behaviour literal_behaviour(const Program& program, Model model, Pruning pruning) {
  Behaviour result;
  std::vector<std::size_t> stops;
  for_each_stop(program, stops, [&] {
    bool complete = true;
    for (std::size_t t = 0; t < stops.size(); ++t) {
      complete = complete && stops[t] == program.threads[t].size();
    }
    Candidates candidates(program, stops, model, pruning);
    candidates.for_each([&] {
      result.race = result.race || has_race(candidates.graph(), model);
      if (complete) {
        ++result.executions;
        ++result.outcomes[candidates.outcome()];
      } else {
        result.deadlock = result.deadlock || candidates.stuck();
      }
    });
  });
  return result;
}

}  // namespace heddle::litmus
