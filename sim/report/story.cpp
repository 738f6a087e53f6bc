#include <heddle/sim/report/story.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <heddle/sim/report/step_text.hpp>
#include <heddle/sim/report/text.hpp>
#include <heddle/sim/report/waits.hpp>

namespace heddle::sim::report {
namespace {

using Kind = TraceStep::Kind;

std::string_view title_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::check:
      return "A check failed";
    case FailureKind::exception:
      return "An exception was not caught";
    case FailureKind::data_race:
      return "Data race";
    case FailureKind::use_after_free:
      return "Use after free";
    case FailureKind::uninitialised_read:
      return "Uninitialised read";
    case FailureKind::double_free:
      return "Double free";
    case FailureKind::leak:
      return "Leak";
    case FailureKind::deadlock:
      return "Deadlock";
    case FailureKind::livelock:
      return "Livelock";
    case FailureKind::unjoined_thread:
      return "A thread was not joined";
    case FailureKind::misuse:
      return "Misuse";
    case FailureKind::nondeterminism:
      return "Nondeterminism";
  }
  return "Failure";
}

class Teller {
 public:
  Teller(const Trace& trace, const Relations& relations) : trace_(trace), relations_(relations) {}

  Story tell() {
    story_.title = title_of(trace_.failure);
    if (trace_.message.starts_with("not linearizable")) story_.title = "Not linearizable";
    const bool is_about_waiting =
        trace_.failure == FailureKind::deadlock || trace_.failure == FailureKind::livelock;
    if (is_about_waiting) {
      waiting();
    } else {
      stale();
    }
    return std::move(story_);
  }

 private:
  const TraceStep& step(std::size_t index) const { return trace_.steps[index]; }
  void say(std::string sentence) { story_.sentences.push_back(std::move(sentence)); }
  std::string site(std::size_t index) const {
    const std::string where = short_place(step(index).file, step(index).line);
    return where.empty() ? fmt::format("step {}", index)
                         : fmt::format("step {} ({})", index, where);
  }

  void waiting() {
    const std::vector<Wait> all = waits(trace_);
    if (all.size() > 1 &&
        std::all_of(all.begin(), all.end(), [](const Wait& wait) { return wait.on.has_value(); })) {
      story_.title = "Deadlock";
    }
    bool is_lost = false;
    for (const Wait& wait : all) {
      const TraceStep& waiting = step(wait.step);
      if (waiting.kind == Kind::blocked && waiting.location.empty()) continue;
      is_lost = is_lost || !wait.on;
      say(what_it_waits_for(wait));
      if (!wait.on) why_nobody_woke_it(wait);
    }
    // Who joins is a victim, and comes last.
    for (const Wait& wait : all) {
      const TraceStep& waiting = step(wait.step);
      if (waiting.kind != Kind::blocked || !waiting.location.empty()) continue;
      say(fmt::format("{} waits in turn for {} to end, in step {}.", thread_name(wait.thread),
                      thread_name(waiting.other_thread), wait.step));
    }
    if (const std::string round = ring(all); !round.empty()) {
      say(fmt::format("They wait for each other: {}.", round));
    }
    if (trace_.failure == FailureKind::deadlock && is_lost) story_.title = "Lost wakeup";
  }

  // The last access of the thread to an object with that role.
  std::optional<std::size_t> last_use(std::uint32_t thread, std::string_view role) const {
    for (std::size_t at = trace_.steps.size(); at-- > 0;) {
      if (step(at).thread == thread && step(at).role == role && is_access(step(at))) return at;
    }
    return std::nullopt;
  }

  // Since when: its last step before that is more than waiting.
  std::size_t began(std::size_t end) const {
    std::size_t begin = end;
    for (std::size_t at = end; at-- > 0;) {
      if (step(at).thread != step(end).thread) continue;
      const bool waits = step(at).kind == Kind::await_load && !step(at).text.empty();
      if (!waits) break;
      begin = at;
    }
    return begin;
  }

  std::string what_it_waits_for(const Wait& wait) const {
    const TraceStep& waiting = step(wait.step);
    const std::string thread = thread_name(wait.thread);
    const std::string since = site(began(wait.step));
    if (waiting.role == "ticket") {
      const auto use = last_use(wait.thread, "condition_variable");
      const std::string name = use ? " " + clean(step(*use).location) : "";
      return fmt::format(
          "{} has been asleep since {}: it waits for a notification of the condition variable{}, "
          "and none comes any more.",
          thread, since, name);
    }
    if (waiting.kind == Kind::spin) {
      return fmt::format("{} spins for ever since {}: nothing that it reads changes any more.",
                         thread, since);
    }
    const std::string object = fmt::format(
        "{}{}", waiting.role.empty() || waiting.role == "atomic" ? "" : clean(waiting.role) + " ",
        clean(waiting.location));
    return fmt::format("{} waits since {} for {}: {}.", thread, since, object,
                       wait.who.empty() ? "nothing more is known" : wait.who);
  }

  // What one thread last read of a location that the other one has written past it.
  struct Miss {
    std::size_t read = 0;
    std::size_t write = 0;
  };
  std::optional<Miss> miss(std::uint32_t reader, std::uint32_t writer) const {
    for (std::size_t read = trace_.steps.size(); read-- > 0;) {
      const TraceStep& looked = step(read);
      if (looked.thread != reader || looked.role != "atomic" || !looked.read) continue;
      const auto source = relations_.source(read);
      const std::uint32_t seen = source ? step(*source).co_position : 0;
      for (std::size_t write = 0; write < trace_.steps.size(); ++write) {
        const TraceStep& wrote = step(write);
        if (wrote.thread == writer && is_access(wrote) && wrote.written &&
            wrote.location == looked.location && wrote.co_position > seen) {
          return Miss{read, write};
        }
      }
    }
    return std::nullopt;
  }

  std::string missed(const Miss& miss) const {
    const TraceStep& looked = step(miss.read);
    const TraceStep& wrote = step(miss.write);
    const std::string read = fmt::format("in step {} it read {} = {}", miss.read,
                                         clean(looked.location), value_text(looked.read));
    const std::string write = fmt::format("{} in step {}", value_text(wrote.written), miss.write);
    return miss.write < miss.read
               ? fmt::format("{}, although {} had written {}", read, thread_name(wrote.thread),
                             write)
               : fmt::format("{}, before {} wrote {}", read, thread_name(wrote.thread), write);
  }

  void why_nobody_woke_it(const Wait& wait) {
    std::vector<std::string> others;
    for (const std::uint32_t other : relations_.threads()) {
      if (other == wait.thread) continue;
      const auto theirs = miss(other, wait.thread);
      const auto ours = miss(wait.thread, other);
      if (theirs) {
        // Belongs to the sentence that says who waits.
        story_.sentences.back() +=
            fmt::format(" {} could have woken it, but {}.", thread_name(other), missed(*theirs));
      }
      if (ours) {
        others.push_back(fmt::format("{} looked once more before it went to sleep, but {}.",
                                     thread_name(wait.thread), missed(*ours)));
      }
      if (theirs && ours) {
        others.emplace_back(
            "Each side wrote its own variable and then read the other's old value, so that neither "
            "saw the other.");
      }
    }
    for (std::string& one : others) say(std::move(one));
  }

  void stale() {
    std::size_t count = 0;
    for (std::size_t at = 0; at < trace_.steps.size(); ++at) {
      if (!step(at).stale) continue;
      ++count;
      if (count > 3) continue;
      const auto remarks = text_of(trace_, at).remarks;
      say(fmt::format("In {} {} reads an old value of {}: {}.", site(at),
                      thread_name(step(at).thread), clean(step(at).location), newer(at)));
    }
    if (count > 3) say(fmt::format("So do {} more reads.", count - 3));
    if (count == 0 && trace_.failure == FailureKind::check) {
      say("Every read has the newest value: the order in which the threads take turns is enough.");
    }
  }

  std::string newer(std::size_t read) const {
    const auto source = relations_.source(read);
    const std::uint32_t seen = source ? step(*source).co_position : 0;
    std::optional<std::size_t> newest;
    for (std::size_t at = 0; at < read; ++at) {
      const TraceStep& write = step(at);
      const bool counts = is_access(write) && write.written &&
                          write.location == step(read).location && write.co_position > seen;
      if (counts && (!newest || write.co_position >= step(*newest).co_position)) newest = at;
    }
    if (!newest) return fmt::format("{}", value_text(step(read).read));
    return fmt::format("{}, although {} had written {} in {}", value_text(step(read).read),
                       thread_name(step(*newest).thread), value_text(step(*newest).written),
                       site(*newest));
  }

  const Trace& trace_;
  const Relations& relations_;
  Story story_;
};

}  // namespace

Story tell(const Trace& trace, const Relations& relations) {
  return Teller(trace, relations).tell();
}

}  // namespace heddle::sim::report
