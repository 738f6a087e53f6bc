#include <heddle/sim/runtime/api.hpp>

#include <cstdio>
#include <cstdlib>

#include <heddle/sim/runtime/arena.hpp>
#include <heddle/sim/runtime/atomic.hpp>

namespace heddle::sim {

namespace runtime {

core& require_core(std::string_view object, source_location site) {
  std::fprintf(stderr,
               "heddle: %.*s used at %s:%u outside of sim::explore(): objects of heddle::sim live "
               "inside of a simulated execution only\n",
               static_cast<int>(object.size()), object.data(), site.file_name(),
               static_cast<unsigned>(site.line()));
  std::abort();
}

outside_scope::outside_scope() noexcept : arena_(allocation_hook.arena) {
  allocation_hook.arena = nullptr;
}

outside_scope::~outside_scope() { allocation_hook.arena = static_cast<Arena*>(arena_); }

}  // namespace runtime

void check(bool condition, std::string_view message, source_location site) {
  if (condition) return;
  runtime::here("sim::check", site)
      .fail(FailureKind::check, message.empty() ? std::string_view("check failed") : message, site);
}

void assume(bool condition) {
  if (condition) return;
  runtime::here("sim::assume", source_location::current()).block_execution();
}

void observe(std::string_view name, std::int64_t value) {
  runtime::here("sim::observe", source_location::current()).observe(name, value);
}

unsigned choose(unsigned n, source_location site) {
  return runtime::here("sim::choose", site).choose(n, {}, site);
}

void spin_hint(source_location site) { runtime::here("sim::spin_hint", site).spin_hint(site); }

void yield(source_location site) { runtime::here("sim::yield", site).yield(site); }

bool in_execution() noexcept { return runtime::current_core != nullptr; }

void atomic_thread_fence(std::memory_order order, source_location site) {
  runtime::here("sim::atomic_thread_fence", site).fence(order, site);
}

operation::operation(std::string_view text, source_location site)
    : called_(runtime::here("sim::operation", site).now()) {
  runtime::current_core->note_operation(text, true, site);
}

void operation::returns(std::string_view text, source_location site) {
  returned_ = runtime::here("sim::operation", site).now();
  runtime::current_core->note_operation(text, false, site);
}

runtime::moment now_moment() {
  return runtime::here("sim::now_moment", source_location::current()).now();
}

bool happens_before(const runtime::moment& a, const runtime::moment& b) {
  return runtime::here("sim::happens_before", source_location::current()).happens_before(a, b);
}

std::string_view to_string(FailureKind kind) noexcept {
  switch (kind) {
    case FailureKind::check:
      return "check";
    case FailureKind::exception:
      return "exception";
    case FailureKind::data_race:
      return "data_race";
    case FailureKind::use_after_free:
      return "use_after_free";
    case FailureKind::uninitialised_read:
      return "uninitialised_read";
    case FailureKind::double_free:
      return "double_free";
    case FailureKind::leak:
      return "leak";
    case FailureKind::deadlock:
      return "deadlock";
    case FailureKind::livelock:
      return "livelock";
    case FailureKind::unjoined_thread:
      return "unjoined_thread";
    case FailureKind::misuse:
      return "misuse";
    case FailureKind::nondeterminism:
      return "nondeterminism";
  }
  return "unknown";
}

}  // namespace heddle::sim
