// A mailbox with event nodes, a queue of one place, and a worker's steps, for scenarios. The checks
// are those of docs/scheduler.md §1: a process is in at most one queue, is stepped by one worker at
// a time, and every accepted event is delivered or handed out at the end, once.
#pragma once

#include <array>
#include <cstdint>

#include <heddle/scheduler/process/mailbox.hpp>
#include <heddle/scheduler/sync/sync.hpp>
#include <heddle/sim.hpp>

namespace heddle::properties {

class MailboxMachine {
 public:
  using Word = MailboxWord<>;
  static constexpr std::uint32_t nodes = 4;  // numbered from 1

  Mailbox<> mailbox;

  /// A process in the given state, which is running, blocked or idle.
  std::uint32_t occupy(ProcessState state) {
    const std::uint32_t generation = mailbox.claim();
    mailbox.open();
    (void)mailbox.begin_run();
    if (state != ProcessState::running) (void)mailbox.let_go(state);
    return generation;
  }

  /// Pushes event `node`; true when it was accepted. Queues the process if that falls to the
  /// caller.
  bool push(std::uint32_t generation, std::uint32_t node, std::uint64_t flags = Word::no_flag,
            std::uint64_t unwanted = Word::no_flag) {
    nodes_[node].content.write(node);
    return follow(mailbox.push(generation, node, nodes_[node].next, flags, unwanted));
  }
  bool mark(std::uint32_t generation, std::uint64_t flags) {
    return follow(mailbox.mark(generation, flags));
  }

  /// What let_go() wants to be followed by.
  void let_go(ProcessState wanted) {
    if (mailbox.let_go(wanted) == ProcessState::ready) queue();
  }

  /// Takes the process from the queue, if it is there, and steps it: delivers, goes idle.
  bool run_once() {
    // acq_rel: the queue hands the process over, as the real ones do.
    if (queued_.exchange(0, sync::memory_order_acq_rel) == 0) return false;
    const Word word = mailbox.begin_run();
    deliver(word.list());
    let_go(ProcessState::idle);
    return true;
  }

  /// What a step without events does to the process.
  void touch() { delivered_.write(delivered_.read()); }

  /// Notes every event of the list as delivered, the oldest first.
  void deliver(std::uint32_t newest) {
    std::array<std::uint32_t, nodes + 1> order{};
    std::uint32_t count = 0;
    for (; newest != 0; newest = nodes_[newest].next.read()) order.at(count++) = newest;
    while (count != 0) {
      const std::uint32_t node = order.at(--count);
      sim::check(nodes_[node].content.read() == node, "an event arrives as it was sent");
      const std::uint32_t before = delivered_.read();
      sim::check(place(node) == 0, "an event arrives once");
      nodes_[node].place.write(before + 1);
      delivered_.write(before + 1);
    }
  }

  /// 0: not delivered; else when: 1 for the first one.
  std::uint32_t place(std::uint32_t node) const { return nodes_[node].place.read(); }
  bool queued() const { return queued_.load(sync::memory_order_relaxed) != 0; }
  std::uint32_t delivered() const { return delivered_.read(); }

  /// After all threads have joined: steps what is queued, and the process is then at rest.
  void settle() {
    while (run_once()) {
    }
    const Word word = mailbox.look();
    sim::check(word.state() == ProcessState::idle || word.state() == ProcessState::blocked,
               "nobody runs, nothing is queued: the process is at rest (B67)");
    sim::check(word.list() == 0, "nothing waits in the mailbox of a process at rest");
    sim::check(!word.has(Word::wakeup), "no flag is left over (H10)");
  }

 private:
  bool follow(push_result result) {
    if (result == push_result::make_ready) queue();
    return result == push_result::accepted || result == push_result::make_ready;
  }
  void queue() {
    const int before = queued_.exchange(1, sync::memory_order_acq_rel);
    sim::check(before == 0, "a process is in at most one queue");
  }

  struct Node {
    sync::cell<std::uint32_t> next{0};
    sync::cell<std::uint32_t> content{0};
    sync::cell<std::uint32_t> place{0};
  };

  std::array<Node, nodes + 1> nodes_;
  sync::cell<std::uint32_t> delivered_{0};
  sync::atomic<int> queued_{0};
};

}  // namespace heddle::properties
