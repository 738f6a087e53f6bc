// Records the operations of one execution for the linearizability checker.
//
//   history_recorder<model::Deque> recorder;
//   …any thread:  recorder.record(model::push(1), [&] { deque.push(&task); return model::done();
//   }); …at the end:  recorder.check_linearizable();
//
// Threads: any model thread records; the thread that checks has joined the others. An operation
//          that ended by an exception counts as pending.
// State:   a list of records in plain memory. Each record is allocated by the thread that makes it,
//          as its addresses must depend on that thread alone; the links are no part of the program
//          under test, and model threads take turns.
// Order:   an operation is before another when its return happens before the other's call. What an
//          operation releases before it returns does not order its return: the checker asks of the
//          object only what a client can know.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <heddle/model.hpp>
#include <heddle/sim.hpp>

namespace heddle::properties {

/// What "before" means in a recorded history. Real time is only there when the run is one
/// interleaving (Strategy::bounded, random, pct, pos); the position of a moment in an exhaustive
/// run says nothing.
enum class history_order { happens_before, real_time };

template <model::Specification S>
class history_recorder {
 public:
  using call_type = typename S::Call;
  using result_type = typename S::Result;

  explicit history_recorder(S spec = {}) : spec_(std::move(spec)) {}
  history_recorder(const history_recorder&) = delete;
  history_recorder& operator=(const history_recorder&) = delete;

  /// Runs `operation` as one call of the object under test, and gives back its result.
  template <class Operation>
  result_type record(call_type call, Operation operation, std::uint64_t object = 0,
                     sim::source_location site = sim::source_location::current()) {
    recorded& mine = begin(std::move(call), object, site);
    mine.seen.result.emplace(operation());
    const std::string text =
        sim::outside([&] { return spec_.result_text(mine.seen.call, *mine.seen.result); });
    mine.marks.returns(text, site);
    return *mine.seen.result;
  }

  /// Fails the execution when no order of the operations is allowed by the specification, with the
  /// fewest operations that show it; also when the search budget ended before that was known.
  void check_linearizable(history_order order = history_order::happens_before,
                          const model::CheckOptions& options = {},
                          sim::source_location site = sim::source_location::current()) const {
    std::string message;  // belongs to the execution, which does not come back from a failure
    {
      const std::string verdict = sim::outside([&] { return complaint(order, options); });
      message = verdict.c_str();
    }
    sim::check(message.empty(), message, site);
  }

  /// Fails the execution when an operation lost a race although no other was under way: a
  /// collection may answer so at any time, and be of no use.
  void check_lost_races(sim::source_location site = sim::source_location::current())
      const requires std::same_as<call_type, model::Request> {
    const bool all_had_rivals = sim::outside([&] {
      const auto past = history();
      return model::lost_races_without_rival(past.operations(), past.order()).empty();
    });
    sim::check(all_had_rivals, "a race was lost without a rival", site);
  }

  /// What was recorded, in the order of the calls in this run.
  model::History<S> history(history_order order = history_order::happens_before) const {
    std::vector<const recorded*> operations;
    for (const recorded* each = newest_.get(); each != nullptr; each = each->older.get()) {
      operations.push_back(each);
    }
    std::sort(operations.begin(), operations.end(), [](const recorded* a, const recorded* b) {
      return a->marks.called().order < b->marks.called().order;
    });
    model::History<S> history;
    for (const recorded* const each : operations) {
      history.add(each->seen, {each->marks.called().order, each->marks.returned().order});
    }
    if (order == history_order::happens_before) {
      history.order_by([&](model::OperationId a, model::OperationId b) {
        return sim::happens_before(operations[a]->marks.returned(), operations[b]->marks.called());
      });
    }
    return history;
  }

 private:
  struct recorded {
    recorded(model::OperationOf<S> what, std::string_view text, sim::source_location site)
        : seen(std::move(what)), marks(text, site) {}
    model::OperationOf<S> seen;
    sim::operation marks;
    std::unique_ptr<recorded> older{};
  };

  recorded& begin(call_type call, std::uint64_t object, sim::source_location site) {
    model::OperationOf<S> seen{std::move(call), std::nullopt, 0, object};
    const std::string text = sim::outside([&] { return spec_.call_text(seen.call); });
    auto mine = std::make_unique<recorded>(std::move(seen), text, site);
    mine->seen.thread = mine->marks.called().thread;
    mine->older = std::move(newest_);
    newest_ = std::move(mine);
    return *newest_;
  }

  std::string complaint(history_order order, const model::CheckOptions& options) const {
    const model::CheckResult result = model::check_linearizable(spec_, history(order), options);
    switch (result.verdict) {
      case model::Verdict::linearizable:
        return {};
      case model::Verdict::not_linearizable:
        return result.conflict->text;
      case model::Verdict::unknown:
        break;
    }
    return "the search for a linearization used up its budget: not known whether there is one";
  }

  S spec_;
  std::unique_ptr<recorded> newest_;
};

}  // namespace heddle::properties
