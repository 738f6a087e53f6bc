#include <heddle/sim/explore/execution.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <heddle/sim/explore/describe.hpp>
#include <heddle/sim/explore/inside.hpp>
#include <heddle/sim/explore/site_observer.hpp>

namespace heddle::sim::engine {

namespace {

// Called by operator new and delete while user code runs.
void arena_exhausted(std::size_t size) {
  runtime::current_core->fail(FailureKind::check,
                              "a model thread needs more memory than its arena has (" +
                                  std::to_string(size) + " bytes more)",
                              source_location{});
}

void bad_free(runtime::FreeResult result, void*) {
  const bool twice = result == runtime::FreeResult::already_free;
  runtime::current_core->fail(
      twice ? FailureKind::double_free : FailureKind::misuse,
      twice ? "memory is freed a second time" : "operator delete of a pointer that is not a block",
      source_location{});
}

}  // namespace

Execution::Execution(const Options& options, const std::function<void()>& body)
    : options_(options), body_(body), model_(memory::make_model(options.memory_model)) {
  runtime::link_allocation_hooks();
  runtime::prepare_stack_guard();
  stack_guard_.owner = this;
  stack_guard_.is_overflow = [](void* owner, const void* address) {
    const auto& self = *static_cast<const Execution*>(owner);
    return self.current_ != nullptr && self.current_->fiber.is_overflow(address);
  };
  stack_guard_.in_user_code = [] { return runtime::allocation_hook.arena != nullptr; };
}

Execution::~Execution() = default;

ModelThread& Execution::thread(thread_id t) {
  while (t >= threads_.size()) {
    auto made = std::make_unique<ModelThread>();
    made->id = static_cast<thread_id>(threads_.size());
    made->fiber = runtime::Fiber(options_.stack_bytes);
    made->execution = this;
    arenas_.of_thread(made->id);
    threads_.push_back(std::move(made));
    // The table of arenas may have moved.
    for (auto& known : threads_) known->arena = &arenas_.of_thread(known->id);
  }
  return *threads_[t];
}

void Execution::reset_run(Graph& graph, Driver& driver) {
  graph_ = &graph;
  driver_ = &driver;
  ++run_number_;
  replaying_ = 0;
  waiting_.clear();
  failed_ = false;
  end_ = RunEnd::complete;
  observed_.clear();
  failure_ = {};
  readers_used_ = 0;
  moments_used_ = 0;
  slots_ = 0;
  after_all_ = {};
  order_.clear();
  notes_.clear();
  graph.ensure_thread(0);
  const bool may_be_fast = !recording_ && options_.sites == nullptr;
  const std::size_t known_threads = graph.threads();
  const std::size_t count = std::max(live_threads_, known_threads);
  for (std::size_t t = 0; t < count; ++t) {
    ModelThread& thread =
        t < threads_.size() ? *threads_[t] : this->thread(static_cast<thread_id>(t));
    thread.state = ModelThread::State::absent;
    thread.position = thread.spawned = thread.constructed = thread.iteration = 0;
    thread.known_count = thread.fast_count = 0;
    thread.spurious = thread.probes = 0;
    thread.entered = thread.probing = thread.spins_for_ever = false;
    if (!thread.slots.empty()) thread.slots.clear();
    thread.arena->reset();
    if (t >= known_threads || graph.thread(static_cast<thread_id>(t)).events.empty()) continue;
    const auto& events = graph.thread(static_cast<thread_id>(t)).events;
    thread.known = events.data();
    thread.known_count = static_cast<std::uint32_t>(events.size());
    if (may_be_fast) thread.fast_count = thread.known_count;
    ++replaying_;
  }
  ModelThread& first = *threads_[0];
  first.state = ModelThread::State::runnable;
  live_threads_ = 1;
}

RunEnd Execution::run(Graph& graph, Driver& driver) {
  reset_run(graph, driver);
  // Outside of an execution there is neither a hook nor a core, so there is nothing to restore.
  runtime::current_core = this;
  runtime::allocation_hook = {nullptr, &arenas_, false, arena_exhausted, bad_free};
  current_ = threads_[0].get();
  current_->entered = true;
  current_->fiber.start(enter_thread, current_);
  runtime::active_stack_guard = &stack_guard_;
  const int fault = sigsetjmp(stack_guard_.jump, 0);
  if (fault == 0) {
    runtime::Fiber::switch_to(main_, current_->fiber);
  } else {
    runtime::allocation_hook.arena = nullptr;
    runtime::Fiber::resumed_by_jump(main_);
    if (fault == runtime::StackGuard::wild_access) {
      fail_wild_access();
    } else {
      end_ = RunEnd::limit;
      limit_ = "stack_bytes (thread " + std::to_string(current_->id) + " needs more than " +
               std::to_string(options_.stack_bytes) + " bytes of stack)";
    }
  }
  runtime::active_stack_guard = nullptr;
  runtime::allocation_hook = {};
  runtime::current_core = nullptr;
  if (options_.sites != nullptr) options_.sites->ran(*this, end_);
  return end_;
}

// The running thread's own code has accessed memory that is not there. Its place is not known; the
// event before it is.
void Execution::fail_wild_access() {
  end_ = RunEnd::failed;
  if (failed_) return;
  const std::uintptr_t address = stack_guard_.fault_address;
  const std::uintptr_t high = address >> 32;
  failure_.thread = current_->id;
  failure_.kind = FailureKind::misuse;
  std::string what = "invalid memory access (SIGSEGV)";
  if (high == 0xa5a5'a5a5) {
    failure_.kind = FailureKind::uninitialised_read;
    what = "access through a pointer that was read from memory nobody has written (SIGSEGV)";
  } else if (high == 0xdddd'dddd) {
    failure_.kind = FailureKind::use_after_free;
    what = "access through a pointer that was read from freed memory (SIGSEGV)";
  } else if (address < 4096) {
    what = "access through a null pointer (SIGSEGV)";
  }
  failure_.message = what + " in thread " + std::to_string(current_->id);
  if (current_->position > 0) {
    const event_id last = graph_->before(current_->id, current_->position);
    failure_.site = (*graph_)[last].site;
    failure_.message += ", after the operation at " + source_name(failure_.site.file_name()) + ":" +
                        std::to_string(failure_.site.line());
  }
  failure_.message += "; a debugger shows the place: heddle replay TRACE --break-at N";
}

void Execution::enter_thread(void* argument) {
  auto& self = *static_cast<ModelThread*>(argument);
  Execution& execution = *self.execution;
  try {
    runtime::allocation_hook.arena = self.arena;
    if (self.id == 0) {
      execution.clock_ =
          execution.construct(&execution.clock_object_, sizeof(std::int64_t), {},
                              runtime::location_role::clock, "clock", source_location{});
      execution.body_();
    } else {
      self.body.run(self.body.object);
    }
    for (runtime::SlotEntry& entry : self.slots) {
      if (entry.object != nullptr) entry.destroy(std::exchange(entry.object, nullptr));
    }
  } catch (const std::exception& error) {
    const std::string message = outside([&] { return std::string(error.what()); });
    execution.fail(FailureKind::exception, "uncaught exception: " + message, source_location{});
  } catch (...) {
    execution.fail(FailureKind::exception, "uncaught exception that is no std::exception",
                   source_location{});
  }
  runtime::allocation_hook.arena = nullptr;
  execution.finish_thread(self);
}

void Execution::finish_thread(ModelThread& self) {
  if (replays(self)) {
    fail(FailureKind::nondeterminism,
         "the thread ended earlier than when the same execution was run before", source_location{});
  }
  if (self.probing) probe_left_loop(self, source_location{});
  self.state = ModelThread::State::finished;
  schedule(self);
}

void Execution::end_run(RunEnd end) {
  end_ = end;
  runtime::allocation_hook.arena = nullptr;
  runtime::Fiber::abandon_for(main_);
}

// Only the running thread ends here.
void Execution::drop_current() {
  current_->state = ModelThread::State::dropped;
  schedule(*current_);
  std::terminate();  // nothing makes a dropped thread run again
}

bool Execution::any_dropped() const noexcept {
  for (std::size_t t = 0; t < live_threads_; ++t) {
    if (threads_[t]->state == ModelThread::State::dropped) return true;
  }
  return false;
}

// No thread can go: the run ends here, unless a spinner has to show that it spins for ever.
ModelThread& Execution::end_of_threads() {
  if (failed_) end_run(RunEnd::failed);
  if (replaying_ > 0) {
    fail(FailureKind::nondeterminism,
         "the body cannot repeat an execution that was run before: events are missing",
         source_location{});
  }
  for (std::size_t t = 0; t < live_threads_; ++t) {
    if (threads_[t]->state == ModelThread::State::finished) continue;
    if (any_dropped()) end_run(RunEnd::blocked);
    if (ModelThread* const spinner = next_to_probe()) return *spinner;
    classify_stuck();
  }
  check_leaks();
  end_run(RunEnd::complete);
}

// The run ends here, unless every failure is asked for: then only this thread does, because what
// the others still write may revisit the reads that led to the failure.
void Execution::fail(FailureKind kind, std::string_view message, source_location site) {
  runtime::allocation_hook.arena = nullptr;
  if (!failed_) {
    failure_.kind = kind;
    failure_.message.assign(message);
    failure_.site = site;
    failure_.thread = current_->id;
  }
  const bool others_go_on = !options_.stop_at_first_failure && !recording_ &&
                            kind != FailureKind::nondeterminism && !current_->probing &&
                            current_->state == ModelThread::State::runnable && !replays(*current_);
  if (!others_go_on) end_run(RunEnd::failed);
  failed_ = true;
  drop_current();
}

// Only this thread ends here. The others go on, because what they still write may revisit the reads
// on which the assumption failed. It may not when the thread's last event is fixed by a revisit, or
// was not added in the most boring way: then every graph that is made from this one keeps it, see
// maximal_extension(), and with it the thread's end.
void Execution::block_execution() {
  runtime::allocation_hook.arena = nullptr;
  if (current_->probing) end_run(RunEnd::blocked);
  if (replays(*current_)) {
    fail(FailureKind::nondeterminism,
         "an assumption fails that held when the same execution was run before", source_location{});
  }
  if (current_->position > 0) {
    const Event& last = (*graph_)[graph_->before(current_->id, current_->position)];
    if (!last.maximal || !last.revisitable) end_run(RunEnd::blocked);
  }
  drop_current();
}

void Execution::observe(std::string_view name, std::int64_t value) {
  const Inside inside(*this);
  observed_.emplace_back(name, value);
}

bool Execution::may_wake_spuriously() { return current_->spurious < options_.spurious_wakeups; }

bool Execution::take_spurious_wakeup() {
  if (!may_wake_spuriously()) return false;
  ++current_->spurious;
  return true;
}

std::uint32_t Execution::new_slot() { return slots_++; }

runtime::SlotEntry& Execution::slot(std::uint32_t number) {
  const Inside inside(*this);
  auto& slots = current_->slots;
  if (number >= slots.size()) slots.resize(number + 1);
  return slots[number];
}

void Execution::drop_slot(std::uint32_t number) {
  for (std::size_t t = 0; t < live_threads_; ++t) {
    auto& slots = threads_[t]->slots;
    if (number >= slots.size() || slots[number].object == nullptr) continue;
    runtime::SlotEntry& entry = slots[number];
    entry.destroy(std::exchange(entry.object, nullptr));
  }
}

}  // namespace heddle::sim::engine
