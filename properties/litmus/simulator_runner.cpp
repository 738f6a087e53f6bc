#include "simulator_runner.hpp"

#include <fmt/format.h>

#include <deque>
#include <memory>

namespace heddle::litmus {

namespace {

/// An integer that can also be awaited. The public atomic has no await without notification; the
/// mutex and the condition variable use the same core operation.
class AwaitableInteger {
 public:
  explicit AwaitableInteger(int initial)
      : location_(sim::runtime::to_value(initial), sizeof(int), sim::runtime::location_role::atomic,
                  {}, sim::source_location::current()) {}

  int load(std::memory_order order) const {
    return sim::runtime::from_value<int>(location_.load(order, sim::source_location::current()));
  }
  void store(int value, std::memory_order order) {
    location_.store(sim::runtime::to_value(value), order, sim::source_location::current());
  }
  int exchange(int value, std::memory_order order) {
    return modify(
        {sim::runtime::rmw_kind::exchange, sizeof(int), sim::runtime::to_value(value), {}}, order);
  }
  int fetch_add(int value, std::memory_order order) {
    return modify({sim::runtime::rmw_kind::add, sizeof(int), sim::runtime::to_value(value), {}},
                  order);
  }
  bool compare_exchange_strong(int& expected, int desired, std::memory_order order) {
    const sim::runtime::rmw_operation operation{sim::runtime::rmw_kind::compare_exchange,
                                                sizeof(int), sim::runtime::to_value(desired),
                                                sim::runtime::to_value(expected)};
    const sim::runtime::rmw_result result = location_.rmw(
        operation, order, sim::runtime::failure_order(order), sim::source_location::current());
    if (!result.written) expected = sim::runtime::from_value<int>(result.old);
    return result.written;
  }
  int await(bool equal, int value, std::memory_order order) const {
    using sim::runtime::await_predicate;
    const await_predicate predicate{
        equal ? await_predicate::test::equal : await_predicate::test::not_equal,
        sim::runtime::to_value(value)};
    return sim::runtime::from_value<int>(location_.await_load(
        predicate, order, sim::runtime::wait_reason::value, sim::source_location::current()));
  }

 private:
  int modify(const sim::runtime::rmw_operation& operation, std::memory_order order) {
    return sim::runtime::from_value<int>(location_
                                             .rmw(operation, order,
                                                  sim::runtime::failure_order(order),
                                                  sim::source_location::current())
                                             .old);
  }

  sim::runtime::atomic_location location_;
};

int await(const AwaitableInteger& integer, const Operation& operation) {
  return integer.await(operation.kind == Kind::await_equal, operation.value, operation.order);
}

/// Chosen only for programs without awaits.
int await(const sim::atomic<int>&, const Operation&) {
  sim::check(false, "litmus: await on an integer that cannot be awaited");
  return 0;
}

/// The objects of one execution.
template <class Integer>
struct Objects {
  std::deque<Integer> integers;
  std::deque<sim::mutex> mutexes;
  std::deque<sim::cell<int>> cells;
};

/// What does not change from execution to execution, and so is prepared outside of them.
struct Plan {
  Program program;
  std::string integers;
  std::string mutexes;
  std::string cells;
  std::vector<std::vector<std::string>> names;  ///< observe() name of each result
  std::vector<std::string> final_names;         ///< of each of `integers`
};

Plan plan_for(const Program& program) {
  Plan plan{program,
            used_locations(program, integer_locations),
            used_locations(program, mutex_locations),
            used_locations(program, cell_locations),
            {},
            {}};
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    std::vector<std::string>& names = plan.names.emplace_back();
    for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
      names.push_back(fmt::format("{}.{}", t, i));
    }
  }
  for (const char where : plan.integers) plan.final_names.push_back(std::string(1, where));
  return plan;
}

template <class Integer>
int perform(Integer& integer, const Operation& operation) {
  switch (operation.kind) {
    case Kind::load:
      return integer.load(operation.order);
    case Kind::assume_equal: {
      const int seen = integer.load(operation.order);
      sim::assume(seen == operation.value);
      return seen;
    }
    case Kind::exchange:
      return integer.exchange(operation.value, operation.order);
    case Kind::fetch_add:
      return integer.fetch_add(operation.value, operation.order);
    case Kind::compare_exchange: {
      int old = operation.expected;
      integer.compare_exchange_strong(old, operation.value, operation.order);
      return old;
    }
    case Kind::await_equal:
    case Kind::await_not_equal:
      return await(integer, operation);
    default:
      integer.store(operation.value, operation.order);
      return 0;
  }
}

template <class Integer>
void run_thread(const Plan& plan, std::size_t t, Objects<Integer>& objects) {
  const Thread& thread = plan.program.threads[t];
  for (std::size_t i = 0; i < thread.size(); ++i) {
    const Operation& operation = thread[i];
    switch (operation.kind) {
      case Kind::fence:
        sim::atomic_thread_fence(operation.order);
        break;
      case Kind::lock:
        objects.mutexes[plan.mutexes.find(operation.location)].lock();
        break;
      case Kind::unlock:
        objects.mutexes[plan.mutexes.find(operation.location)].unlock();
        break;
      case Kind::cell_read:
        objects.cells[plan.cells.find(operation.location)].read();
        break;
      case Kind::cell_write:
        objects.cells[plan.cells.find(operation.location)].write(1);
        break;
      default: {
        const int result =
            perform(objects.integers[plan.integers.find(operation.location)], operation);
        if (returns_value(operation.kind)) sim::observe(plan.names[t][i], result);
      }
    }
  }
}

template <class Integer>
void run_body(const Plan& plan) {
  Objects<Integer> objects;
  for (std::size_t i = 0; i < plan.integers.size(); ++i) objects.integers.emplace_back(0);
  for (std::size_t i = 0; i < plan.mutexes.size(); ++i) objects.mutexes.emplace_back();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) objects.cells.emplace_back(0);
  std::vector<sim::thread> threads;
  for (std::size_t t = 0; t < plan.program.threads.size(); ++t) {
    threads.emplace_back([&plan, t, &objects] { run_thread(plan, t, objects); });
  }
  for (sim::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < plan.integers.size(); ++i) {
    sim::observe(plan.final_names[i], objects.integers[i].load(std::memory_order_relaxed));
  }
}

std::string outcome_of(const Plan& plan, const sim::Outcome& observed) {
  std::vector<std::vector<std::int64_t>> results;
  for (std::size_t t = 0; t < plan.program.threads.size(); ++t) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < plan.program.threads[t].size(); ++i) {
      const auto found = observed.find(plan.names[t][i]);
      if (found != observed.end()) values.push_back(found->second);
    }
    results.push_back(std::move(values));
  }
  std::map<char, std::int64_t> finals;
  for (std::size_t i = 0; i < plan.integers.size(); ++i) {
    const auto found = observed.find(plan.final_names[i]);
    if (found != observed.end()) finals[plan.integers[i]] = found->second;
  }
  return outcome_text(results, finals);
}

std::string trouble_of(const sim::Report& report) {
  switch (report.verdict) {
    case sim::Verdict::verified:
      return {};
    case sim::Verdict::incomplete:
      return "incomplete: " + report.bound;
    case sim::Verdict::internal_error:
      return "internal error: " + report.bound;
    case sim::Verdict::failed:
      break;
  }
  if (!report.failure) return "failed without a failure";
  const sim::FailureKind kind = report.failure->kind;
  if (kind == sim::FailureKind::deadlock || kind == sim::FailureKind::data_race) return {};
  return fmt::format("{}: {}", sim::to_string(kind), report.failure->message);
}

}  // namespace

sim::MemoryModel to_sim(Model model) noexcept {
  return model == Model::sc ? sim::MemoryModel::sc : sim::MemoryModel::rc11;
}

sim::Options options_for(const Program& program, Model model, const RunSettings& settings) {
  sim::Options options;
  options.memory_model = to_sim(model);
  options.jobs = settings.jobs;
  // A deadlock in one execution says nothing about the count of the others. After a race there is
  // nothing to count.
  options.stop_at_first_failure = has(program, is_cell);
  return options;
}

std::function<void()> body_for(const Program& program) {
  const auto plan = std::make_shared<const Plan>(plan_for(program));
  if (has(program, waits)) return [plan] { run_body<AwaitableInteger>(*plan); };
  return [plan] { run_body<sim::atomic<int>>(*plan); };
}

SimulatorResult simulate(const Program& program, Model model, const RunSettings& settings) {
  const Plan plan = plan_for(program);
  const sim::Options options = options_for(program, model, settings);
  SimulatorResult result;
  result.report = sim::explore(options, body_for(program));
  result.stopped_early =
      options.stop_at_first_failure && result.report.verdict == sim::Verdict::failed;
  result.trouble = trouble_of(result.report);
  result.behaviour.executions = result.report.executions;
  for (const auto& [outcome, count] : result.report.outcomes) {
    result.behaviour.outcomes[outcome_of(plan, outcome)] += count;
  }
  if (result.report.outcomes.empty() && result.report.executions > 0) {
    // A program with nothing to observe has one outcome.
    result.behaviour.outcomes[outcome_of(plan, {})] = result.report.executions;
  }
  if (result.report.failure) {
    result.behaviour.deadlock = result.report.failure->kind == sim::FailureKind::deadlock;
    result.behaviour.race = result.report.failure->kind == sim::FailureKind::data_race;
  }
  return result;
}

}  // namespace heddle::litmus
