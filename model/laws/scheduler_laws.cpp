#include <heddle/model/laws/scheduler_laws.hpp>

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::model {
namespace {

using Kind = SchedulerEvent::Kind;

struct Process {
  bool ready = false;
  bool running = false;
  bool closed = false;
  std::uint64_t overtaken = 0;
};

class Checker {
 public:
  explicit Checker(const LawOptions& options) : options_(options) {}

  std::optional<Violation> run(std::span<const SchedulerEvent> log) {
    for (; at_ < log.size(); ++at_) {
      step(log[at_]);
      if (found_) {
        found_->text += ": " + to_string(log[at_]);
        return found_;
      }
    }
    if (options_.complete) finish();
    return found_;
  }

 private:
  using Message = std::pair<std::uint32_t, std::uint64_t>;  // producer, number

  void violated(unsigned law, std::string text) {
    if (!found_) found_ = Violation{law, at_, std::move(text)};
  }

  void step(const SchedulerEvent& event) {
    if (stopped_) after_stop(event);
    switch (event.kind) {
      case Kind::spawned:
        processes_[event.process];
        break;
      case Kind::sent:
        sent_[{event.who, event.number}] = event.process;
        break;
      case Kind::refused:
        if (arrived_.count({event.who, event.number}) != 0) violated(4, "refused, and delivered");
        sent_.erase({event.who, event.number});
        break;
      case Kind::delivered:
        delivered(event);
        break;
      case Kind::ready:
        processes_[event.process].ready = true;
        processes_[event.process].overtaken = 0;
        break;
      case Kind::stepped:
        stepped(event);
        break;
      case Kind::rested:
      case Kind::continued: {
        Process& process = processes_[event.process];
        if (!process.running) violated(1, "a step ends that did not begin");
        process.running = false;
        if (event.kind == Kind::continued) process.ready = true;
        process.overtaken = 0;
        break;
      }
      case Kind::closed: {
        Process& process = processes_[event.process];
        if (process.closed) violated(3, "a process is closed twice");
        process.closed = true;
        process.ready = process.running = false;
        break;
      }
      case Kind::waited:
        if (!processes_[event.process].closed) violated(8, "a wait ends before the process");
        break;
      case Kind::asleep:
        asleep_.insert(event.who);
        break;
      case Kind::awake:
        asleep_.erase(event.who);
        break;
      case Kind::stopped:
        stopped_ = true;
        if (event.number != 0) violated(11, "the shutdown is over, and processes are counted");
        break;
    }
  }

  void after_stop(const SchedulerEvent& event) {
    if (event.kind == Kind::stepped || event.kind == Kind::closed) {
      violated(11, "something happens to a process after the shutdown");
    }
  }

  void stepped(const SchedulerEvent& event) {
    const auto found = processes_.find(event.process);
    if (found == processes_.end()) return violated(1, "a process is stepped that is not there");
    Process& process = found->second;
    if (process.running) violated(1, "a process is stepped twice at once");
    if (process.closed) violated(1, "a process is stepped after its end");
    if (options_.readiness && !process.ready) violated(2, "a process is stepped that is not ready");
    process.running = true;
    process.ready = false;
    if (!options_.readiness) return;
    for (auto& [id, other] : processes_) {
      if (other.ready && ++other.overtaken > options_.overtaken_max) {
        violated(10, "process " + std::to_string(id.slot) + " is overtaken for ever");
      }
    }
  }

  void delivered(const SchedulerEvent& event) {
    const Message message{event.who, event.number};
    const auto found = sent_.find(message);
    if (found == sent_.end())
      return violated(4, "an event arrives that was not sent, or was refused");
    if (found->second != event.process) violated(6, "an event reaches another process");
    if (!arrived_.insert(message).second) violated(4, "an event arrives twice");
    std::uint64_t& last = last_[{event.process, event.who}];
    if (event.number < last) violated(5, "a producer's events change their order");
    last = event.number;
  }

  void finish() {
    for (const auto& [id, process] : processes_) {
      if (!process.closed) violated(3, "process " + std::to_string(id.slot) + " is never closed");
      if (options_.readiness && process.ready && !asleep_.empty()) {
        violated(9, "process " + std::to_string(id.slot) + " is ready, and a worker sleeps");
      }
    }
    for (const auto& [message, process] : sent_) {
      if (arrived_.count(message) == 0 && !processes_[process].closed) {
        violated(7, "an event is lost, number " + std::to_string(message.second));
      }
    }
  }

  const LawOptions options_;
  std::size_t at_ = 0;
  std::optional<Violation> found_;
  std::map<ProcessId, Process> processes_;
  std::map<Message, ProcessId> sent_;
  std::set<Message> arrived_;
  std::map<std::pair<ProcessId, std::uint32_t>, std::uint64_t> last_;
  std::set<std::uint32_t> asleep_;
  bool stopped_ = false;
};

}  // namespace

std::optional<Violation> check_laws(std::span<const SchedulerEvent> log,
                                    const LawOptions& options) {
  return Checker(options).run(log);
}

}  // namespace heddle::model
