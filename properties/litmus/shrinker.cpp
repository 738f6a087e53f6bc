#include "shrinker.hpp"

#include <cassert>
#include <optional>

namespace heddle::litmus {

namespace {

/// The program without operation i of thread t; a lock goes with the unlock that belongs to it, and
/// an unlock alone cannot go.
std::optional<Program> without(const Program& program, std::size_t t, std::size_t i) {
  Program smaller = program;
  Thread& thread = smaller.threads[t];
  const Operation removed = thread[i];
  if (removed.kind == Kind::unlock) return std::nullopt;
  thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(i));
  if (removed.kind == Kind::lock) {
    for (std::size_t j = i; j < thread.size(); ++j) {
      if (thread[j].kind == Kind::unlock && thread[j].location == removed.location) {
        thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(j));
        break;
      }
    }
  }
  return smaller;
}

std::vector<std::memory_order> weaker_orders(const Operation& operation) {
  using enum std::memory_order;
  std::vector<std::memory_order> result;
  const bool integer = integer_locations.find(operation.location) != std::string_view::npos;
  if (!integer && operation.kind != Kind::fence) return result;
  const bool may_acquire = operation.kind == Kind::fence || reads(operation.kind);
  const bool may_release = operation.kind == Kind::fence || may_write(operation.kind);
  const std::memory_order now = operation.order;
  if (operation.kind != Kind::fence && now != relaxed) result.push_back(relaxed);
  const bool strong = now == acq_rel || now == seq_cst;
  if (may_acquire && strong) result.push_back(acquire);
  if (may_release && strong) result.push_back(release);
  if (may_acquire && may_release && now == seq_cst) result.push_back(acq_rel);
  return result;
}

/// Plainer forms of an operation.
std::vector<Operation> simpler(const Operation& operation) {
  std::vector<Operation> result;
  const auto as = [&](Kind kind) {
    Operation changed = operation;
    changed.kind = kind;
    changed.expected = 0;
    if (kind == Kind::load) changed.value = 0;
    if (kind == Kind::load && (changed.order == std::memory_order_release ||
                               changed.order == std::memory_order_acq_rel)) {
      changed.order = std::memory_order_acquire;
    }
    if (kind == Kind::store && (changed.order == std::memory_order_acquire ||
                                changed.order == std::memory_order_acq_rel)) {
      changed.order = std::memory_order_release;
    }
    result.push_back(changed);
  };
  switch (operation.kind) {
    case Kind::exchange:
    case Kind::fetch_add:
    case Kind::compare_exchange:
      as(Kind::load);
      as(Kind::store);
      break;
    case Kind::await_equal:
    case Kind::assume_equal:
    case Kind::await_not_equal:
      as(Kind::load);
      break;
    default:
      break;
  }
  for (const std::memory_order order : weaker_orders(operation)) {
    result.push_back(operation);
    result.back().order = order;
  }
  return result;
}

/// The first smaller program that still fails; nothing when there is none.
std::optional<Program> step(const Program& program,
                            const std::function<bool(const Program&)>& fails) {
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    Program smaller = program;
    smaller.threads.erase(smaller.threads.begin() + static_cast<std::ptrdiff_t>(t));
    if (!smaller.threads.empty() && fails(smaller)) return smaller;
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
      std::optional<Program> smaller = without(program, t, i);
      if (smaller && fails(*smaller)) return smaller;
    }
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
      for (const Operation& plainer : simpler(program.threads[t][i])) {
        Program smaller = program;
        smaller.threads[t][i] = plainer;
        if (fails(smaller)) return smaller;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  assert(fails(program));
  while (std::optional<Program> smaller = step(program, fails)) program = std::move(*smaller);
  return program;
}

}  // namespace heddle::litmus
