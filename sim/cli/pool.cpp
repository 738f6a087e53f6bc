#include <heddle/sim/cli/pool.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <list>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/sim/cli/messages.hpp>
#include <heddle/sim/report/check_result.hpp>

namespace heddle::sim::cli {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

// While it lives, SIGINT and SIGTERM set a flag.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) { interrupted = signal; };
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &before_);
    ::sigaction(SIGTERM, &action, &before_term_);
  }
  ~InterruptGuard() {
    ::sigaction(SIGINT, &before_, nullptr);
    ::sigaction(SIGTERM, &before_term_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
  struct sigaction before_term_ {};
};

struct Child {
  std::size_t job = 0;
  ::pid_t process = -1;
  int pipe = -1;
  Clock::time_point deadline = Clock::time_point::max();
  MessageReader reader;
  std::optional<JobResult> result;
  std::string killed;  ///< why we ended it
  bool asked_to_stop = false;
};

std::string death_of(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the process that ran it died of signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  }
  return fmt::format(
      "the process that ran it ended with exit code {} and without a result: did "
      "the code under test call exit()?",
      WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

class Pool {
 public:
  Pool(const Program& program, std::span<const Job> jobs, std::size_t processes,
       const PoolEvents& events, std::chrono::nanoseconds grace)
      : program_(program),
        jobs_(jobs),
        processes_(std::max<std::size_t>(1, processes)),
        events_(events),
        grace_(grace) {}

  ~Pool() {
    for (Child& child : children_) {
      ::kill(child.process, SIGKILL);
      collect(child);
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run() {
    const InterruptGuard guard;
    while (next_ < jobs_.size() || !children_.empty()) {
      while (next_ < jobs_.size() && children_.size() < processes_ && interrupted == 0) start();
      if (interrupted != 0) give_up();
      wait_for_messages();
      kill_overdue();
      events_.tick();
    }
  }

 private:
  void start() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
    // What is buffered would be printed by both processes.
    std::cout.flush();
    std::fflush(nullptr);
    const ::pid_t process = ::fork();
    if (process < 0) {
      ::close(ends[0]);
      ::close(ends[1]);
      fail("fork");
    }
    if (process == 0) {
      ::close(ends[0]);
      be_the_child(jobs_[next_], ends[1]);
    }
    ::close(ends[1]);
    Child child;
    child.job = next_++;
    child.process = process;
    child.pipe = ends[0];
    const auto limit = jobs_[child.job].options.time_limit;
    if (limit.count() != 0) child.deadline = Clock::now() + limit + limit / 10 + grace_;
    children_.push_back(std::move(child));
    events_.started(children_.back().job);
  }

  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
  }

  [[noreturn]] void be_the_child(const Job& job, int pipe) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // With a checkpoint the parent says when to stop, so that the state is written.
    std::signal(SIGINT, job.options.checkpoint.empty() ? SIG_DFL : SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    for (const Child& sibling : children_) ::close(sibling.pipe);
    const JobResult result = run_here(
        program_, job, [pipe](const Progress& progress) { send(pipe, message_of(progress)); },
        [pipe](const JobResult& found) { send(pipe, message_of(found)); });
    send(pipe, message_of(result));
    std::cout.flush();
    std::fflush(nullptr);
    // Not exit(): what main() and static objects of the parent would do is not ours.
    ::_exit(0);
  }

  void wait_for_messages() {
    constexpr int tick_ms = 100;
    std::vector<::pollfd> pipes;
    for (const Child& child : children_) pipes.push_back({child.pipe, POLLIN, 0});
    if (::poll(pipes.data(), pipes.size(), tick_ms) < 0) {
      if (errno == EINTR) return;
      fail("poll");
    }
    std::size_t at = 0;
    for (auto child = children_.begin(); child != children_.end(); ++at) {
      const bool ready = (pipes[at].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
      if (ready && !read_from(*child)) {
        Child ended = std::move(*child);
        child = children_.erase(child);
        finish(ended);
      } else {
        ++child;
      }
    }
  }

  // False at the end of the stream.
  bool read_from(Child& child) {
    char bytes[65536];
    const ::ssize_t count = ::read(child.pipe, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR;
    child.reader.add({bytes, static_cast<std::size_t>(count)});
    while (const auto message = child.reader.next()) {
      if (const auto progress = progress_in(*message)) {
        events_.progress(child.job, *progress);
      } else {
        child.result = result_in(*message);
      }
    }
    return count > 0;
  }

  void finish(Child& child) {
    const int status = collect(child);
    JobResult result;
    if (child.result) {
      result = std::move(*child.result);
    } else if (!child.killed.empty()) {
      result.report.verdict = Verdict::incomplete;
      result.report.bound = child.killed;
    } else {
      result.crash = death_of(status);
    }
    events_.finished(child.job, std::move(result));
  }

  static int collect(Child& child) {
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(child.pipe);
    return status;
  }

  void end(Child& child, std::string why) {
    if (!child.killed.empty()) return;
    child.killed = std::move(why);
    ::kill(child.process, SIGKILL);
  }

  void kill_overdue() {
    const auto now = Clock::now();
    for (Child& child : children_) {
      if (now < child.deadline) continue;
      end(child, fmt::format("time_limit ({}): the body did not come back to the simulator, and "
                             "its process was ended",
                             report::duration_text(jobs_[child.job].options.time_limit)));
    }
  }

  void give_up() {
    const std::string why =
        fmt::format("an interrupt ({})", interrupted == SIGTERM ? "SIGTERM" : "SIGINT");
    for (Child& child : children_) {
      if (jobs_[child.job].options.checkpoint.empty()) {
        end(child, why);
      } else if (!std::exchange(child.asked_to_stop, true)) {
        ::kill(child.process, SIGTERM);  // it writes its state and reports
        child.deadline = std::min(child.deadline, Clock::now() + grace_);
      }
    }
    for (; next_ < jobs_.size(); ++next_) {
      JobResult result;
      result.report.verdict = Verdict::incomplete;
      result.report.bound = why + " before it began";
      events_.finished(next_, std::move(result));
    }
  }

  const Program& program_;
  std::span<const Job> jobs_;
  std::size_t processes_;
  const PoolEvents& events_;
  std::chrono::nanoseconds grace_;
  std::size_t next_ = 0;
  std::list<Child> children_;
};

}  // namespace

void run_pool(const Program& program, std::span<const Job> jobs, std::size_t processes,
              const PoolEvents& events, std::chrono::nanoseconds grace) {
  Pool(program, jobs, processes, events, grace).run();
}

}  // namespace heddle::sim::cli
