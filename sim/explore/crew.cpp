#include <heddle/sim/explore/crew.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::sim::engine {

namespace {

// Parts that wait while nobody needs them, per worker: so that nobody waits for a part.
constexpr std::size_t reserve_per_worker = 1;
constexpr std::chrono::milliseconds ask_again_after_nothing{5};
constexpr int tick_ms = 20;
constexpr int tick_of_need_ms = 2;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::size_t board_bytes(unsigned desks) { return sizeof(Board) + desks * sizeof(Desk); }

void drop_board(Board* board) { ::munmap(board, board_bytes(board->desks_count)); }

Board* make_board(unsigned desks) {
  void* const memory = ::mmap(nullptr, board_bytes(desks), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  Board* const board = new (memory) Board;
  board->desks_count = desks;
  for (unsigned i = 0; i < desks; ++i) new (board->desks() + i) Desk;
  return board;
}

}  // namespace

Crew::Crew(Exhaustive& search, unsigned jobs, bool stop_at_first_failure, std::uint64_t runs_max)
    : stop_at_first_failure_(stop_at_first_failure),
      limited_(runs_max != 0),
      board_(make_board(jobs), drop_board) {
  board_->limited = limited_;
  board_->runs_left = static_cast<std::int64_t>(runs_max);
  members_.resize(jobs);
  // What is buffered would be printed by every process.
  std::cout.flush();
  std::fflush(nullptr);
  for (unsigned i = 0; i < jobs; ++i) {
    members_[i].desk = board_->desks() + i;
    start(search, members_[i]);
  }
}

Crew::~Crew() {
  for (Member& member : members_) {
    if (member.process <= 0) continue;
    ::kill(member.process, SIGKILL);
    while (::waitpid(member.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::close(member.socket);
  }
}

void Crew::start(Exhaustive& search, Member& member) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  const ::pid_t parent = ::getpid();
  const ::pid_t process = ::fork();
  if (process < 0) {
    const int error = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    errno = error;
    fail("fork");
  }
  if (process > 0) {
    ::close(ends[1]);
    member.process = process;
    member.socket = ends[0];
    return;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  // The coordinator ends the search, and then its workers.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  ::close(ends[0]);
  for (const Member& other : members_) {
    if (other.socket >= 0) ::close(other.socket);
  }
  work(search, {ends[1], member.desk, board_.get(), stop_at_first_failure_});
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(0);  // not exit(): what main() and static objects of the parent would do is not ours
}

bool Crew::any(bool Member::*flag) const {
  return std::any_of(members_.begin(), members_.end(),
                     [flag](const Member& member) { return member.*flag; });
}

void Crew::signal(Member& member, Desk::Signal which) { member.desk->signals.fetch_or(which); }

void Crew::run(Ledger& ledger, const Hooks& hooks) {
  ledger_ = &ledger;
  stopping_ = false;
  for (;;) {
    stop_what_comes_after_a_failure();
    if (!stopping_ && !snapshot_) assign();
    if (!any(&Member::busy)) break;
    const bool wants_checkpoint = !stopping_ && !snapshot_ && hooks.wants_checkpoint();
    if (wants_checkpoint && !any(&Member::asked)) begin_snapshot();
    if (!stopping_ && !snapshot_ && !wants_checkpoint) ask_for_work();
    wait_for_messages();
    if (snapshot_ && !any(&Member::snapshot)) {
      snapshot_ = false;
      hooks.checkpoint();
    }
    const bool no_runs_left = limited_ && board_->runs_left.load() <= 0;
    if (!stopping_ && (hooks.look(live()) || no_runs_left)) stop_all();
  }
  ledger_ = nullptr;
}

void Crew::assign() {
  for (Member& member : members_) {
    if (member.busy) continue;
    const Ledger::Position part = ledger_->next(stop_at_first_failure_);
    if (part == ledger_->parts().end()) return;
    part->running = true;
    member.busy = true;
    member.part = part;
    member.base = part->tally;
    member.ask_again = Clock::now();
    send_message(member.socket, {Message::Kind::task, part->rest, {}});
  }
}

void Crew::ask_for_work() {
  std::size_t waiting = 0;
  for (const Part& part : ledger_->parts()) {
    if (stop_at_first_failure_ && part.tally.failure) return;  // what is left is being finished
    if (!part.rest.empty() && !part.running) ++waiting;
  }
  for (const Member& member : members_) {
    if (member.asked) ++waiting;
  }
  const auto now = Clock::now();
  for (Member& member : members_) {
    if (waiting >= members_.size() * reserve_per_worker) return;
    if (!member.busy || member.asked || member.told_to_stop || now < member.ask_again) continue;
    member.asked = true;
    signal(member, Desk::give);
    ++waiting;
  }
}

void Crew::stop_what_comes_after_a_failure() {
  if (!stop_at_first_failure_) return;
  const Ledger::Position failed = ledger_->first_failure();
  if (failed == ledger_->parts().end()) return;
  for (auto part = std::next(failed); part != ledger_->parts().end(); ++part) {
    for (Member& member : members_) {
      if (!member.busy || member.part != part || member.told_to_stop) continue;
      member.told_to_stop = true;
      signal(member, Desk::stop);
    }
  }
}

void Crew::stop_all() {
  stopping_ = true;
  for (Member& member : members_) {
    if (member.busy) signal(member, Desk::stop);
  }
}

void Crew::begin_snapshot() {
  snapshot_ = true;
  for (Member& member : members_) {
    if (!member.busy) continue;
    member.snapshot = true;
    signal(member, Desk::snapshot);
  }
}

void Crew::wait_for_messages() {
  std::vector<::pollfd> sockets;
  for (const Member& member : members_) sockets.push_back({member.socket, POLLIN, 0});
  const bool need = std::any_of(members_.begin(), members_.end(),
                                [](const Member& member) { return !member.busy; });
  if (::poll(sockets.data(), sockets.size(), need ? tick_of_need_ms : tick_ms) < 0) {
    if (errno == EINTR) return;
    fail("poll");
  }
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    if (sockets[i].revents == 0) continue;
    Message message;
    if (!receive_message(members_[i].socket, message)) died(members_[i]);
    take(members_[i], message);
  }
}

void Crew::take(Member& member, const Message& message) {
  switch (message.kind) {
    case Message::Kind::given:
      member.asked = false;
      if (message.text.empty()) {
        member.ask_again = Clock::now() + ask_again_after_nothing;
      } else {
        ledger_->parts().insert(std::next(member.part), Part{{}, message.text, false});
      }
      break;
    case Message::Kind::state:
      member.snapshot = false;
      member.part->tally = member.base;
      member.part->tally.add(Tally(message.tally));
      member.part->rest = message.text;
      break;
    default:
      take_result(member, message);
  }
}

void Crew::take_result(Member& member, const Message& message) {
  const Ledger::Position part = member.part;
  part->tally = std::move(member.base);
  part->tally.add(Tally(message.tally));
  part->rest = message.text;
  part->running = false;
  if (message.kind == Message::Kind::not_repeated) {
    if (not_repeated_.empty()) not_repeated_ = message.text;
    FailureSpot spot;
    spot.kind = FailureKind::nondeterminism;
    spot.message = message.text;
    part->rest.clear();
    Tally tally;
    tally.failures = spot.run = 1;
    tally.failure = std::move(spot);
    part->tally.add(std::move(tally));
  }
  // The worker waits for a task now, so nobody else looks at its signals.
  member.desk->signals = 0;
  member.desk->executions = member.desk->blocked = member.desk->failures = 0;
  member.desk->share = 0;
  member.busy = member.asked = member.snapshot = member.told_to_stop = false;
  member.base = {};
  ledger_->merge_around(part);
}

Tally Crew::live() const {
  Tally sum;
  const auto add = [&sum](const Tally& tally) {
    sum.executions += tally.executions;
    sum.blocked += tally.blocked;
    sum.failures += tally.failures;
    sum.share += tally.share;
  };
  for (const Part& part : ledger_->parts()) {
    if (!part.running) add(part.tally);
  }
  for (const Member& member : members_) {
    if (!member.busy) continue;
    add(member.base);
    sum.executions += member.desk->executions.load(std::memory_order_relaxed);
    sum.blocked += member.desk->blocked.load(std::memory_order_relaxed);
    sum.failures += member.desk->failures.load(std::memory_order_relaxed);
    sum.share += member.desk->share.load(std::memory_order_relaxed);
  }
  return sum;
}

void Crew::died(Member& member) {
  int status = 0;
  while (::waitpid(member.process, &status, 0) < 0 && errno == EINTR) {
  }
  member.process = -1;
  ::close(member.socket);
  if (WIFSIGNALED(status)) {
    throw WorkerDied(fmt::format("a process that explored died of signal {} ({})", WTERMSIG(status),
                                 ::strsignal(WTERMSIG(status))));
  }
  throw WorkerDied(
      fmt::format("a process that explored ended with exit code {} and without a result: did the "
                  "code under test call exit()?",
                  WIFEXITED(status) ? WEXITSTATUS(status) : status));
}

}  // namespace heddle::sim::engine
