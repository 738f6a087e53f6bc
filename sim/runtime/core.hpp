// The event core as the sync objects see it. Everything that happens in the code under test is one
// of these calls; mutex, condition_variable, thread_slot and the clock are small programs on top.
// The engines (exhaustive, sampling, replay) implement the interface; nothing in runtime/ knows
// which one runs.
//
// Threads: called by model threads only, which are fibers of one OS thread. A call may switch to
// another model thread and come back later, or never (an abandoned execution).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <heddle/sim/runtime/failure_kind.hpp>
#include <heddle/sim/runtime/source_location.hpp>
#include <heddle/sim/runtime/value.hpp>

namespace heddle::sim::runtime {

using thread_id = std::uint32_t;
using location_id = std::uint32_t;
inline constexpr location_id no_location = 0;

enum class rmw_kind : std::uint8_t {
  exchange,
  add,
  subtract,
  bit_and,
  bit_or,
  bit_xor,
  maximum,
  compare_exchange,
  exchange_nonzero,  ///< writes only when the old value is not zero
  clear_bits         ///< old & ~operand; writes only when that changes something
};

struct rmw_operation {
  rmw_kind kind = rmw_kind::exchange;
  std::uint8_t size = 8;  ///< bytes of the object; arithmetic wraps at this width
  value operand{};        ///< compare_exchange: the desired value
  value expected{};       ///< compare_exchange only
  friend bool operator==(const rmw_operation&, const rmw_operation&) = default;
};

struct rmw_result {
  value old{};
  bool written = false;
};

/// What a waiting read needs to see before its thread goes on.
struct await_predicate {
  enum class test : std::uint8_t { always, equal, not_equal } kind = test::always;
  value operand{};
  bool holds(const value& seen) const noexcept {
    return kind == test::always || ((seen == operand) == (kind == test::equal));
  }
};

/// Why a thread waits; decides how a thread that waits for ever is reported.
enum class wait_reason : std::uint8_t {
  none,
  mutex,
  condition_variable,
  atomic_wait,
  park,
  value,
  timed  ///< a wait that may also end by time, in another branch
};

/// What a location is for; shown in traces, and decides the words of a failure.
enum class location_role : std::uint8_t { atomic, mutex, condition_variable, ticket, park, clock };

/// Race-checking state of one non-atomic object. Lives inside the object, so it vanishes with it.
struct cell_shadow {
  std::uint32_t magic = 0;
  thread_id writer = 0;
  std::uint32_t write_epoch = 0;
  thread_id reader = 0;          ///< the last reader, or `many_readers`
  std::uint32_t read_epoch = 0;  ///< or the index of the reader table of this execution
  bool initialised = false;
  source_location write_site;
  source_location read_site;
};

/// What a model thread runs: run(object) once, which also destroys the object. It lies in memory
/// from body_memory(): when the execution is abandoned it is dropped with that.
struct ThreadBody {
  void (*run)(void* object) = nullptr;
  void* object = nullptr;
};

/// A thread that waits on a condition_variable or an atomic, on its own stack.
struct Waiter {
  thread_id thread = 0;
  const void* ticket_address = nullptr;
  location_id ticket = no_location;
  Waiter* next = nullptr;
};

struct LocationRef {
  const void* address = nullptr;
  location_id id = no_location;
};

/// One thread's object in a thread_slot.
struct SlotEntry {
  void* object = nullptr;
  void (*destroy)(void*) = nullptr;
};

/// A position in a thread's execution that can be compared by happens-before afterwards.
struct moment {
  thread_id thread = 0;
  std::uint32_t epoch = 0;  ///< events of `thread` before this moment
  std::uint32_t clock = 0;  ///< handle of the stored happens-before clock
  std::uint64_t order = 0;  ///< position in this execution's run order
};

class core {
 public:
  virtual ~core() = default;

  // Locations. `name` must outlive the exploration (a literal) or be empty.
  virtual location_id construct(const void* address, std::uint8_t size, const value& initial,
                                location_role role, std::string_view name, source_location) = 0;
  virtual void destroy(const void* address, location_id, source_location) = 0;

  /// The set of threads that wait on an atomic: a location that lives with it.
  virtual LocationRef waiters_of(const void* address, location_id, source_location) = 0;
  /// The waiters that are registered at a location, in ordinary memory. In a run's linear extension
  /// of porf a registered waiter is in the list whenever its bit has been read.
  virtual Waiter*& waiting_at(location_id) = 0;
  /// The location of the virtual clock.
  virtual LocationRef clock() = 0;

  // Events.
  virtual value load(const void* address, location_id, std::memory_order, source_location) = 0;
  virtual void store(const void* address, location_id, const value&, std::memory_order,
                     source_location) = 0;
  virtual rmw_result rmw(const void* address, location_id, const rmw_operation&,
                         std::memory_order success, std::memory_order failure, source_location) = 0;
  /// A load that lets its thread continue only with a value for which the predicate holds.
  virtual value await_load(const void* address, location_id, const await_predicate&,
                           std::memory_order, wait_reason, source_location) = 0;
  /// The same for a read-modify-write.
  virtual rmw_result await_rmw(const void* address, location_id, const await_predicate&,
                               const rmw_operation&, std::memory_order, wait_reason,
                               source_location) = 0;
  virtual void fence(std::memory_order, source_location) = 0;
  /// One of 0..n-1; every value is explored, 0 first. `what` is shown in traces.
  virtual unsigned choose(unsigned n, std::string_view what, source_location) = 0;
  /// Memory that lasts as long as the execution and is not freed.
  virtual void* body_memory(std::size_t size, std::size_t alignment) = 0;
  virtual thread_id spawn(ThreadBody body, source_location) = 0;
  virtual void join(thread_id, source_location) = 0;
  /// Ends one iteration of a spin loop: nothing changes unless another thread acts.
  virtual void spin_hint(source_location) = 0;
  virtual void yield(source_location) = 0;

  // Non-atomic objects.
  virtual void cell_construct(cell_shadow&, bool initialised, source_location) = 0;
  virtual void cell_read(cell_shadow&, source_location) = 0;
  virtual void cell_write(cell_shadow&, source_location) = 0;
  virtual void cell_destroy(cell_shadow&, source_location) = 0;

  // Verdicts and notes.
  [[noreturn]] virtual void fail(FailureKind, std::string_view message, source_location) = 0;
  [[noreturn]] virtual void block_execution() = 0;
  virtual void observe(std::string_view name, std::int64_t) = 0;
  virtual moment now() = 0;
  virtual bool happens_before(const moment& a, const moment& b) = 0;
  virtual thread_id this_thread() = 0;
  virtual bool timeouts_may_fire() = 0;
  /// Takes one from the calling thread's budget of spurious wakeups; false when it is used up.
  virtual bool take_spurious_wakeup() = 0;
  virtual bool may_wake_spuriously() = 0;
  // Thread-local objects: a number per slot, an entry per (slot, calling thread). Entries that are
  // left when their thread ends are destroyed by it; drop_slot destroys those of all threads.
  virtual std::uint32_t new_slot() = 0;
  virtual SlotEntry& slot(std::uint32_t number) = 0;
  virtual void drop_slot(std::uint32_t number) = 0;
  /// A line of the operation history in traces: call and return of the object under test.
  virtual void note_operation(std::string_view text, bool begins, source_location) = 0;
};

/// The engine that runs the calling model thread; null outside of a simulated execution.
inline thread_local core* current_core = nullptr;

/// The same, or an end of the program with a message that says what was used outside of explore().
core& require_core(std::string_view object, source_location site);

inline core& here(std::string_view object, source_location site) {
  core* const found = current_core;
  return found != nullptr ? *found : require_core(object, site);
}

}  // namespace heddle::sim::runtime
