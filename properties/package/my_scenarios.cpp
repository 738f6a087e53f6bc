// A user's own lock-free code under the simulator: once as it should be, and once with an order
// that is too weak, which the scenario expects to be caught.
#include <atomic>

#include <heddle/sim.hpp>

namespace sim = heddle::sim;

namespace {

void pass_a_message(std::memory_order publish) {
  sim::cell<int> message(0);
  sim::atomic<bool> ready(false);
  sim::thread writer([&] {
    message.write(42);
    ready.store(true, publish);
  });
  if (ready.load(std::memory_order_acquire)) {
    sim::check(message.read() == 42, "the message has arrived");
  }
  writer.join();
}

}  // namespace

HEDDLE_SCENARIO(release_publishes, "a release store publishes what was written before it") {
  pass_a_message(std::memory_order_release);
}

HEDDLE_SCENARIO(relaxed_publishes_nothing, "a relaxed store lets the reader race with the writer",
                {.expect = sim::FailureKind::data_race, .caught_by = "race check of cells"}) {
  pass_a_message(std::memory_order_relaxed);
}
