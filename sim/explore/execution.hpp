// Runs one execution of the body: model threads as fibers, driven first by an execution graph (the
// known part is replayed) and then by a Driver (new events are added to the graph).
//
// Threads:    one OS thread per Execution.
// Protocol:   1. Replay. A thread may pass its next event when the event's source (or the joined
//                thread) has been passed: the run follows a linear extension of porf, because plain
//                memory is real. The thread that is waited for runs next.
//             2. Extension, once every event of the graph has been passed. A thread stops at its
//                next operation until the driver picks it.
//             3. The run ends when no thread can go, at a failure, or at the step limit. Fibers
//                that are left over are dropped, not unwound.
// Invariants: E1 allocation_hook.arena is set exactly while user code of a model thread runs
//             E2 replaying_ is the number of threads that have known events (of the graph as it was
//                when the run began) which they have not passed
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <heddle/sim/explore/driver.hpp>
#include <heddle/sim/explore/naming.hpp>
#include <heddle/sim/explore/options.hpp>
#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/graph/graph.hpp>
#include <heddle/sim/memory/model.hpp>
#include <heddle/sim/runtime/arena.hpp>
#include <heddle/sim/runtime/fiber.hpp>
#include <heddle/sim/runtime/stack_guard.hpp>

namespace heddle::sim::engine {

using graph::Event;
using graph::event_id;
using graph::EventKind;
using graph::Graph;
using graph::thread_id;

inline constexpr thread_id nobody = 0xffff'ffff;

struct ModelThread {
  enum class State : std::uint8_t {
    absent,    ///< not spawned in this run
    runnable,  ///< its next operation is not known before it runs
    pending,   ///< stopped before the operation `next`
    stuck,     ///< stopped at an unsatisfied await (in the graph)
    spinning,  ///< stopped at a spin hint
    dropped,   ///< stopped for good by assume(false)
    finished
  };

  thread_id id = 0;
  State state = State::absent;
  std::uint32_t position = 0;       ///< events passed in this run
  std::uint32_t known_count = 0;    ///< its events in the graph when the run began
  std::uint32_t fast_count = 0;     ///< of these, how many may be passed without a second look
  const event_id* known = nullptr;  ///< those events; valid while position < known_count
  std::uint32_t spawned = 0;        ///< children so far
  std::uint32_t constructed = 0;    ///< locations so far
  std::uint32_t iteration = 0;      ///< position at the last spin hint
  bool entered = false;             ///< its fiber has been started in this run
  unsigned spurious = 0;            ///< spurious wakeups taken
  bool probing = false;             ///< repeats a spin iteration after the end, see liveness.cpp
  unsigned probes = 0;              ///< repetitions so far
  bool spins_for_ever = false;      ///< the repetition came back to the hint
  Event next;                       ///< pending: the operation
  source_location hint_site;
  runtime::Fiber fiber;
  runtime::Arena* arena = nullptr;
  class Execution* execution = nullptr;
  runtime::ThreadBody body;
  std::vector<runtime::SlotEntry> slots;
};

struct FailureInfo {
  FailureKind kind{};
  std::string message;
  source_location site{};
  thread_id thread = 0;
  std::vector<std::string> conflict;
};

enum class RunEnd : std::uint8_t {
  complete,
  blocked,  ///< some thread waits for what another branch does, or assume(false)
  failed,
  limit,   ///< step, memory or stack limit; see Execution::limit()
  stopped  ///< the driver ended the run
};

class Execution final : public runtime::core {
 public:
  Execution(const Options& options, const std::function<void()>& body);
  ~Execution() override;

  RunEnd run(Graph& graph, Driver& driver);

  // For drivers.
  Graph& graph() noexcept { return *graph_; }
  const Graph& graph() const noexcept { return *graph_; }
  const memory::Model& model() const noexcept { return *model_; }
  const Options& options() const noexcept { return options_; }
  Naming& naming() noexcept { return naming_; }
  std::vector<std::unique_ptr<ModelThread>>& threads() noexcept { return threads_; }
  ModelThread* current() noexcept { return current_; }
  /// A pending operation that is not held back by another thread (join).
  bool can_go(const ModelThread& thread) const noexcept {
    if (thread.state == ModelThread::State::runnable) return true;
    if (thread.state != ModelThread::State::pending) return false;
    return thread.next.kind != EventKind::join ||
           threads_[thread.next.argument]->state == ModelThread::State::finished;
  }
  /// An await was given a satisfying source while its thread was stopped there.
  void unblock(thread_id thread) noexcept;

  // Results of the last run.
  const FailureInfo& failure() const noexcept { return failure_; }
  const std::string& limit() const noexcept { return limit_; }
  const std::vector<std::pair<std::string, std::int64_t>>& observed() const noexcept {
    return observed_;
  }
  runtime::location_role role_of(runtime::location_id id) const noexcept {
    return locations_[id].role;
  }
  source_location constructed_at(runtime::location_id id) const noexcept {
    return locations_[id].site;
  }
  /// Lets a thread that stopped at a spin hint go on when something that it read is no longer the
  /// newest. For drivers that do not branch on what it read.
  void wake_spinner(ModelThread& spinner) noexcept;
  /// Ends the run from inside of a driver's call.
  [[noreturn]] void stop() { end_run(RunEnd::stopped); }
  void set_recording(bool on) noexcept { recording_ = on; }
  /// Parking: a thread whose event has just been added gives way at once, and user code goes on
  /// after it only when the driver picks the thread again.
  void set_parking(bool on) noexcept { parking_ = on; }
  /// The last run as a trace; complete only after a run with recording on.
  Trace trace() const;

  // runtime::core
  runtime::location_id construct(const void*, std::uint8_t, const runtime::value&,
                                 runtime::location_role, std::string_view,
                                 source_location) override;
  void destroy(const void*, runtime::location_id, source_location) override;
  runtime::value load(const void*, runtime::location_id, std::memory_order,
                      source_location) override;
  void store(const void*, runtime::location_id, const runtime::value&, std::memory_order,
             source_location) override;
  runtime::rmw_result rmw(const void*, runtime::location_id, const runtime::rmw_operation&,
                          std::memory_order, std::memory_order, source_location) override;
  runtime::value await_load(const void*, runtime::location_id, const runtime::await_predicate&,
                            std::memory_order, runtime::wait_reason, source_location) override;
  runtime::rmw_result await_rmw(const void*, runtime::location_id, const runtime::await_predicate&,
                                const runtime::rmw_operation&, std::memory_order,
                                runtime::wait_reason, source_location) override;
  void fence(std::memory_order, source_location) override;
  unsigned choose(unsigned, std::string_view, source_location) override;
  void* body_memory(std::size_t size, std::size_t alignment) override;
  runtime::thread_id spawn(runtime::ThreadBody, source_location) override;
  void join(runtime::thread_id, source_location) override;
  void spin_hint(source_location) override;
  void yield(source_location) override;
  void cell_construct(runtime::cell_shadow&, bool, source_location) override;
  void cell_read(runtime::cell_shadow&, source_location) override;
  void cell_write(runtime::cell_shadow&, source_location) override;
  void cell_destroy(runtime::cell_shadow&, source_location) override;
  [[noreturn]] void fail(FailureKind, std::string_view, source_location) override;
  [[noreturn]] void block_execution() override;
  void observe(std::string_view, std::int64_t) override;
  runtime::moment now() override;
  bool happens_before(const runtime::moment&, const runtime::moment&) override;
  runtime::thread_id this_thread() override { return current_->id; }
  bool timeouts_may_fire() override { return options_.timeouts; }
  bool may_wake_spuriously() override;
  bool take_spurious_wakeup() override;
  runtime::LocationRef waiters_of(const void*, runtime::location_id, source_location) override;
  runtime::Waiter*& waiting_at(runtime::location_id) override;
  runtime::LocationRef clock() override { return {&clock_object_, clock_}; }
  std::uint32_t new_slot() override;
  runtime::SlotEntry& slot(std::uint32_t) override;
  void drop_slot(std::uint32_t) override;
  void note_operation(std::string_view, bool, source_location) override;

 private:
  struct Location {
    const void* address = nullptr;
    std::uint64_t run = 0;  // the run in which it was constructed last
    thread_id creator = 0;
    std::uint32_t epoch = 0;  // events of the creator before the construction
    bool destroyed = false;
    std::uint8_t size = 0;
    runtime::location_role role{};
    source_location site{};
    runtime::Waiter* waiting = nullptr;
  };
  struct Note {           // recording only
    std::uint64_t order;  // events passed before it
    TraceStep step;
  };

  // execution.cpp
  static void enter_thread(void* thread);
  void finish_thread(ModelThread& thread);
  [[noreturn]] void end_run(RunEnd end);
  [[noreturn]] void drop_current();
  ModelThread& end_of_threads();
  void reset_run(Graph& graph, Driver& driver);
  bool any_dropped() const noexcept;
  void fail_wild_access();
  ModelThread& thread(thread_id t);

  // schedule.cpp
  void schedule(ModelThread& self);
  void switch_to(ModelThread& self, ModelThread& next);
  ModelThread* pick_replay();
  bool wait_behind(thread_id other);
  void wait_for(thread_id other);
  thread_id unmet_dependency(const ModelThread& thread) const noexcept;

  // events.cpp
  bool replays(const ModelThread& t) const noexcept { return t.position < t.known_count; }
  /// The orders that options_.sites gives to an operation on an atomic, or to a fence.
  void ask_sites(EventKind kind, runtime::location_id id, source_location site,
                 std::memory_order& order, std::memory_order& failure) const;
  Event& prepare(ModelThread& t, EventKind kind, source_location site) const;
  const Event* known(EventKind kind, runtime::location_id location, bool waits = false);
  event_id perform(ModelThread& t);
  event_id replay_event(ModelThread& t);
  event_id extend(ModelThread& t);
  void pass(ModelThread& t);
  void note_passed(const ModelThread& t);
  void wait_at(ModelThread& t, event_id id);
  void require_location(const void* address, runtime::location_id id, source_location site);

  // races.cpp
  const graph::tick* clock_of(const ModelThread& t) const noexcept;
  bool ordered(const ModelThread& t, thread_id other, std::uint32_t epoch) const noexcept;
  void require_cell(runtime::cell_shadow& shadow, source_location site, std::string_view what);
  [[noreturn]] void fail_race(std::string_view what, source_location earlier_site,
                              thread_id earlier, std::string_view earlier_what,
                              source_location site);
  bool is_after_everything();
  void check_leaks();

  // liveness.cpp
  runtime::value probe_read(const Event& event);
  bool sees_only_newest(const ModelThread& spinner) const;
  bool tries_exchange(const ModelThread& spinner) const;
  ModelThread* next_to_probe();
  [[noreturn]] void probe_left_loop(ModelThread& spinner, source_location site);
  [[noreturn]] void classify_stuck();
  bool may_still_be_satisfied(event_id await) const;

  // recording, recorder.cpp
  void note(TraceStep::Kind kind, source_location site, std::string text);
  void add_locations(Trace& trace) const;

  Options options_;
  const std::function<void()>& body_;
  std::unique_ptr<memory::Model> model_;
  Naming naming_;
  runtime::ArenaSet arenas_;
  runtime::Fiber main_;
  runtime::StackGuard stack_guard_;
  std::vector<std::unique_ptr<ModelThread>> threads_;
  std::vector<Location> locations_;
  std::uint32_t slots_ = 0;
  char clock_object_ = 0;
  runtime::location_id clock_ = runtime::no_location;

  // The run.
  Graph* graph_ = nullptr;
  Driver* driver_ = nullptr;
  ModelThread* current_ = nullptr;
  std::uint64_t run_number_ = 0;
  std::size_t replaying_ = 0;
  std::vector<thread_id> waiting_;  // replay: each waits for the one above it
  std::size_t live_threads_ = 0;    // threads in use in this run: 0..live_threads_-1
  RunEnd end_ = RunEnd::complete;
  FailureInfo failure_;
  std::string limit_;
  std::vector<std::pair<std::string, std::int64_t>> observed_;
  std::vector<std::vector<std::uint32_t>> readers_;  // cells with several readers: epoch + 1
  std::size_t readers_used_ = 0;
  std::vector<std::vector<graph::tick>> moments_;
  std::size_t moments_used_ = 0;
  std::uint64_t moment_order_ = 0;
  struct {
    thread_id thread = nobody;
    std::uint32_t position = 0;
    std::size_t size = 0;
    bool answer = false;
  } after_all_;  // see is_after_everything()
  std::vector<event_id> order_;
  bool recording_ = false;
  bool failed_ = false;  // a thread has failed; the others go on, see fail()
  bool parking_ = false;
  std::vector<Note> notes_;
};

}  // namespace heddle::sim::engine
