#include <heddle/sim/runtime/thread.hpp>

#include <string>

namespace heddle::sim {

void thread::start(runtime::ThreadBody body, source_location site) {
  number_ = runtime::here("sim::thread", site).spawn(body, site);
}

thread& thread::operator=(thread&& other) {
  if (joinable()) {
    runtime::here("sim::thread", {})
        .fail(FailureKind::unjoined_thread, "a joinable thread object is assigned to", {});
  }
  number_ = std::exchange(other.number_, none);
  return *this;
}

thread::~thread() {
  if (!joinable() || runtime::current_core == nullptr) return;
  runtime::current_core->fail(FailureKind::unjoined_thread,
                              "the object of thread " + std::to_string(number_) +
                                  " is destroyed before the thread was joined or detached",
                              source_location{});
}

void thread::join(source_location site) {
  runtime::core& core = runtime::here("sim::thread", site);
  if (!joinable()) core.fail(FailureKind::misuse, "join of a thread that is not joinable", site);
  if (number_ == core.this_thread()) {
    core.fail(FailureKind::misuse, "a thread joins itself", site);
  }
  core.join(number_, site);
  number_ = none;
}

void thread::detach(source_location site) {
  if (!joinable()) {
    runtime::here("sim::thread", site)
        .fail(FailureKind::misuse, "detach of a thread that is not joinable", site);
  }
  number_ = none;
}

thread::id this_thread_id() {
  return thread::id(runtime::here("sim::thread", source_location::current()).this_thread());
}

}  // namespace heddle::sim
