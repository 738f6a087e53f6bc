#include <heddle/sim/report/waits.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

// The last write to `location` in modification order.
std::optional<std::size_t> last_write(const Trace& trace, const std::string& location) {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    const TraceStep& step = trace.steps[at];
    if (!step.written || step.location != location) continue;
    if (!found || step.co_position >= trace.steps[*found].co_position) found = at;
  }
  return found;
}

std::string at_step(const Trace& trace, std::size_t index) {
  const TraceStep& step = trace.steps[index];
  const std::string where = short_place(step.file, step.line);
  return fmt::format("step {}{}", index, where.empty() ? "" : fmt::format(" ({})", where));
}

// The step that says what the thread waits for: the blocked one itself, or the waiting read before
// it, which saw no value that lets the thread go on.
const TraceStep& waiting_step(const Trace& trace, std::size_t blocked) {
  const TraceStep& step = trace.steps[blocked];
  if (!step.location.empty()) return step;
  for (std::size_t at = blocked; at-- > 0;) {
    const TraceStep& before = trace.steps[at];
    if (before.thread != step.thread) continue;
    const bool waits = before.kind == Kind::await_load || before.kind == Kind::await_rmw;
    return waits && !before.written ? before : step;
  }
  return step;
}

void explain_location(const Trace& trace, const TraceStep& step, Wait& wait) {
  const auto write = last_write(trace, step.location);
  const std::string name = clean(step.location);
  if (!write) {
    wait.who = fmt::format("no thread ever writes {} in this execution", name);
    return;
  }
  const std::uint32_t writer = trace.steps[*write].thread;
  const bool held = step.role == "mutex" && trace.steps[*write].kind != Kind::store;
  if (!held) {
    wait.who = fmt::format("the last write to {} was {}'s in {}, and none comes after it", name,
                           thread_name(writer), at_step(trace, *write));
    return;
  }
  wait.on = writer;
  wait.who = fmt::format("{} holds it since {}",
                         writer == step.thread ? "the thread itself" : thread_name(writer),
                         at_step(trace, *write));
}

}  // namespace

std::vector<Wait> waits(const Trace& trace) {
  std::vector<Wait> all;
  for (std::size_t index = 0; index < trace.steps.size(); ++index) {
    const TraceStep& step = trace.steps[index];
    // A spin with a text is one that goes on for ever.
    const bool spins = step.kind == Kind::spin && !step.text.empty();
    if (step.kind != Kind::blocked && !spins) continue;
    Wait wait{step.thread, index, text_of(trace, index).action, {}, {}};
    const TraceStep& waiting = waiting_step(trace, index);
    if (!waiting.location.empty()) {
      wait.what += fmt::format(" ({}{})", waiting.role.empty() ? "" : clean(waiting.role) + " ",
                               clean(waiting.location));
      explain_location(trace, waiting, wait);
    } else if (!spins && step.other_thread != step.thread) {
      // A join: it names the thread that must end.
      wait.on = step.other_thread;
    }
    all.push_back(std::move(wait));
  }
  for (Wait& wait : all) {
    if (!wait.on) continue;
    const bool waits_too = std::any_of(all.begin(), all.end(), [&](const Wait& other) {
      return other.thread == *wait.on && other.thread != wait.thread;
    });
    if (!waits_too) continue;
    wait.who += wait.who.empty() ? fmt::format("{} waits itself", thread_name(*wait.on))
                                 : ", and waits itself";
  }
  return all;
}

std::string ring(const std::vector<Wait>& all) {
  std::map<std::uint32_t, std::uint32_t> waits_for;
  for (const Wait& wait : all) {
    if (wait.on) waits_for.emplace(wait.thread, *wait.on);
  }
  for (const auto& [start, first] : waits_for) {
    std::string path = thread_name(start);
    std::uint32_t at = first;
    for (std::size_t length = 0; length < waits_for.size(); ++length) {
      path += " → " + thread_name(at);
      if (at == start) return path;
      const auto next = waits_for.find(at);
      if (next == waits_for.end()) break;
      at = next->second;
    }
  }
  return "";
}

}  // namespace heddle::sim::report
