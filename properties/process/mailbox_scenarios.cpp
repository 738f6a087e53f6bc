// The mailbox word under every interleaving: push against run, let go, end, terminate and reuse.
// Generations are three bits, lists eight; the code is the production's.
#include <heddle/sim.hpp>

#include "mailbox_machine.hpp"

namespace {

using heddle::ProcessState;
using heddle::push_result;
using heddle::properties::MailboxMachine;
using heddle::sim::check;
using heddle::sim::thread;
using Word = MailboxMachine::Word;

HEDDLE_SCENARIO(mailbox_two_producers, "an idle process wakes once for two messages, and gets both",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::idle);
  thread first([&] { check(machine.push(generation, 1), "a live process accepts"); });
  thread second([&] { check(machine.push(generation, 2), "a live process accepts"); });
  (void)machine.run_once();
  first.join();
  second.join();
  machine.settle();
  check(machine.delivered() == 2, "both arrive");
}

HEDDLE_SCENARIO(mailbox_order, "the messages of one producer arrive in its order, between steps",
                {.threads = 2, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::blocked);
  thread producer([&] {
    for (const std::uint32_t node : {1, 2, 3}) (void)machine.push(generation, node);
  });
  (void)machine.run_once();
  (void)machine.run_once();
  producer.join();
  machine.settle();
  check(machine.place(1) == 1 && machine.place(2) == 2 && machine.place(3) == 3, "in order");
}

HEDDLE_SCENARIO(mailbox_continue, "B67: a message while the worker goes from running to ready",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::running);
  thread first([&] { (void)machine.push(generation, 1); });
  thread second([&] { (void)machine.push(generation, 2); });
  machine.let_go(ProcessState::ready);
  first.join();
  second.join();
  check(machine.queued(), "it is queued, whoever was faster");
  machine.settle();
  check(machine.delivered() == 2, "both arrive");
}

HEDDLE_SCENARIO(mailbox_park, "A11: a message while the worker lets go is not slept through",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::running);
  thread first([&] { (void)machine.push(generation, 1); });
  thread second([&] { (void)machine.push(generation, 2); });
  machine.let_go(ProcessState::blocked);
  (void)machine.run_once();
  first.join();
  second.join();
  machine.settle();
  check(machine.delivered() == 2, "both arrive");
}

HEDDLE_SCENARIO(mailbox_two_workers,
                "B70: a process that is woken while it lets go is not run twice",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::running);
  thread producer([&] { (void)machine.push(generation, 1); });
  // The second worker's step touches what the first one's touched: a race would be reported.
  thread worker([&] { (void)machine.run_once(); });
  machine.touch();
  machine.let_go(ProcessState::idle);
  producer.join();
  worker.join();
  machine.settle();
  check(machine.delivered() == 1, "it arrives");
}

HEDDLE_SCENARIO(mailbox_reuse, "A12, H3: a producer of an earlier life never reaches the next one",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto old = machine.occupy(ProcessState::running);
  bool accepted[3] = {};
  thread first([&] { accepted[1] = machine.push(old, 1); });
  thread second([&] { accepted[2] = machine.push(old, 2); });
  machine.deliver(machine.mailbox.finish());
  check(machine.mailbox.recycle(), "the slot has lives left");
  const auto next = machine.occupy(ProcessState::idle);
  check(next == old + 1, "another life");
  first.join();
  second.join();
  check(!machine.queued(), "nobody woke the new process");
  machine.settle();
  for (const std::uint32_t node : {1, 2}) {
    check(accepted[node] == (machine.place(node) != 0), "accepted is handed out, refused is not");
  }
}

HEDDLE_SCENARIO(mailbox_terminate_reuse,
                "H4: terminate and a late completion miss the next occupant",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto old = machine.occupy(ProcessState::running);
  thread killer([&] { (void)machine.mark(old, Word::killed); });
  thread completer([&] { (void)machine.push(old, 1); });
  machine.deliver(machine.mailbox.finish());
  (void)machine.mailbox.recycle();
  (void)machine.occupy(ProcessState::idle);
  killer.join();
  completer.join();
  check(!machine.mailbox.look().has(Word::killed), "the new process is not killed");
  check(!machine.queued(), "nor woken");
  machine.settle();
}

HEDDLE_SCENARIO(mailbox_terminate, "A18: two terminations and a message of a parked process",
                {.threads = 4, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::idle);
  thread first([&] { check(machine.mark(generation, Word::killed), "it is there"); });
  thread second([&] { check(machine.mark(generation, Word::killed), "it is there"); });
  thread producer([&] { check(machine.push(generation, 1), "it accepts until it has ended"); });
  first.join();
  second.join();
  producer.join();
  check(machine.queued(), "it is queued, once: see MailboxMachine");
  const Word word = machine.mailbox.begin_run();
  check(word.has(Word::killed), "its worker sees that it is to end");
  machine.deliver(word.list());
  check(machine.delivered() == 1, "what was accepted is handed out");
  check(machine.mailbox.finish() == 0, "nothing came later");
}

HEDDLE_SCENARIO(mailbox_terminate_running, "terminate against a worker that lets the process go",
                {.threads = 2, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::running);
  thread killer([&] { check(machine.mark(generation, Word::killed), "it is there"); });
  machine.let_go(ProcessState::idle);
  killer.join();
  check(machine.queued(), "a killed process is queued, not parked");
  check(machine.mailbox.begin_run().has(Word::killed), "its worker sees it");
}

HEDDLE_SCENARIO(mailbox_starting, "messages while init runs are there for the first step",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.mailbox.claim();
  thread first([&] { check(machine.push(generation, 1), "a starting process accepts"); });
  thread second([&] { check(machine.mark(generation, Word::no_flag), "and is woken"); });
  machine.mailbox.open();
  first.join();
  second.join();
  check(!machine.queued(), "the submitter queues it, nobody else");
  const Word word = machine.mailbox.begin_run();
  machine.deliver(word.list());
  check(machine.delivered() == 1, "it arrives");
  machine.let_go(ProcessState::idle);
  machine.settle();
}

HEDDLE_SCENARIO(mailbox_budgeted, "A13: once budgets decide, no message goes past them",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::idle);
  bool fast = false;
  thread plain([&] { fast = machine.push(generation, 1, Word::no_flag, Word::budgeted); });
  thread accounted([&] {
    (void)machine.mailbox.mark_quietly(generation, Word::budgeted);
    (void)machine.push(generation, 2);  // the terminal of an exhausted topic, say
  });
  (void)machine.run_once();
  plain.join();
  accounted.join();
  machine.settle();
  check(machine.place(2) != 0, "the accounted one arrives");
  check(fast == (machine.place(1) != 0), "the plain one arrives if it was accepted");
  if (fast) check(machine.place(1) < machine.place(2), "and then it was first");
}

HEDDLE_SCENARIO(mailbox_cancel_once, "two cancellations put one event into the mailbox",
                {.threads = 3, .group = "process"}) {
  MailboxMachine machine;
  const auto generation = machine.occupy(ProcessState::idle);
  bool sent[3] = {};
  const auto cancel = [&](std::uint32_t node) {
    sent[node] = machine.push(generation, node, Word::cancelled, Word::cancelled);
  };
  thread first([&] { cancel(1); });
  thread second([&] { cancel(2); });
  (void)machine.run_once();
  first.join();
  second.join();
  machine.settle();
  check(sent[1] != sent[2], "one of them");
  check(machine.delivered() == 1, "and one event");
}

}  // namespace
