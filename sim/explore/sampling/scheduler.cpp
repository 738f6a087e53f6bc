#include <heddle/sim/explore/sampling/scheduler.hpp>

#include <stdexcept>

#include <heddle/sim/explore/sampling/bounded.hpp>
#include <heddle/sim/explore/sampling/pct.hpp>
#include <heddle/sim/explore/sampling/pos.hpp>
#include <heddle/sim/explore/sampling/random_walk.hpp>

namespace heddle::sim::engine {

std::unique_ptr<Scheduler> make_scheduler(const Options& options) {
  switch (options.strategy) {
    case Strategy::random:
      return std::make_unique<RandomWalk>(options.seed);
    case Strategy::pct:
      return std::make_unique<Pct>(options.seed, options.pct_depth);
    case Strategy::pos:
      return std::make_unique<Pos>(options.seed);
    case Strategy::bounded:
      return std::make_unique<Bounded>(options.preemption_bound);
    case Strategy::exhaustive:
      break;
  }
  throw std::logic_error("make_scheduler: the exhaustive search has none");
}

}  // namespace heddle::sim::engine
