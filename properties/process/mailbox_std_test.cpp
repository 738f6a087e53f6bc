// The mailbox word on one thread: every cell of the transition table in docs/scheduler.md §1.
#include <gtest/gtest.h>

#include <heddle/scheduler/process/mailbox.hpp>

namespace {

using namespace heddle;
using Word = MailboxWord<>;

struct Link {
  std::uint32_t next = 99;
  void write(std::uint32_t value) { next = value; }
};

/// A mailbox whose occupant is in the given state.
struct Occupied {
  Mailbox<> mailbox;
  std::uint32_t generation = 0;

  explicit Occupied(ProcessState state) {
    generation = mailbox.claim();
    if (state == ProcessState::starting) return;
    mailbox.open();
    if (state == ProcessState::ready) return;
    (void)mailbox.begin_run();
    if (state == ProcessState::running) return;
    if (state == ProcessState::complete) {
      EXPECT_EQ(mailbox.finish(), 0U);
      return;
    }
    EXPECT_EQ(mailbox.let_go(state), state);
  }
  ProcessState state() const { return mailbox.look().state(); }
  push_result push(std::uint32_t index, Link& link) {
    return mailbox.push(generation, index, link, Word::no_flag, Word::no_flag);
  }
};

TEST(mailbox, A10_a_new_slot_is_free_and_refuses) {
  Mailbox<> mailbox;
  Link link;
  EXPECT_EQ(mailbox.look().state(), ProcessState::free);
  EXPECT_EQ(mailbox.push(1, 5, link, 0, 0), push_result::refused);
  EXPECT_EQ(mailbox.mark(1, Word::killed), push_result::refused);
}

TEST(mailbox, A10_a_push_makes_a_blocked_or_idle_process_ready_exactly_once) {
  for (const ProcessState state : {ProcessState::blocked, ProcessState::idle}) {
    Occupied process(state);
    Link first;
    Link second;
    EXPECT_EQ(process.push(5, first), push_result::make_ready);
    EXPECT_EQ(process.state(), ProcessState::ready);
    EXPECT_EQ(process.push(6, second), push_result::accepted);
    const Word taken = process.mailbox.begin_run();
    EXPECT_EQ(taken.list(), 6U);
    EXPECT_EQ(second.next, 5U);
    EXPECT_EQ(first.next, 0U);
  }
}

TEST(mailbox, A11_a_push_while_running_keeps_the_process_from_parking) {
  for (const ProcessState wanted : {ProcessState::blocked, ProcessState::idle}) {
    Occupied process(ProcessState::running);
    Link link;
    EXPECT_EQ(process.push(5, link), push_result::accepted);
    EXPECT_TRUE(process.mailbox.look().has(Word::wakeup));
    EXPECT_EQ(process.mailbox.let_go(wanted), ProcessState::ready);
    EXPECT_FALSE(process.mailbox.look().has(Word::wakeup));
    EXPECT_EQ(process.mailbox.begin_run().list(), 5U);
    EXPECT_EQ(process.mailbox.let_go(wanted), wanted);
  }
}

TEST(mailbox, H10_a_flag_set_before_the_run_is_gone_after_it) {
  Occupied process(ProcessState::starting);
  EXPECT_EQ(process.mailbox.mark(process.generation, Word::no_flag), push_result::accepted);
  EXPECT_TRUE(process.mailbox.look().has(Word::wakeup));
  process.mailbox.open();
  EXPECT_FALSE(process.mailbox.look().has(Word::wakeup));
  (void)process.mailbox.begin_run();
  EXPECT_EQ(process.mailbox.let_go(ProcessState::idle), ProcessState::idle);
}

TEST(mailbox, A12_a_producer_of_an_earlier_generation_is_refused_in_every_state) {
  Occupied process(ProcessState::complete);
  const std::uint32_t old = process.generation;
  Link link;
  EXPECT_EQ(process.push(5, link), push_result::refused) << "complete";
  ASSERT_TRUE(process.mailbox.recycle());
  EXPECT_EQ(process.push(5, link), push_result::refused) << "free";
  EXPECT_EQ(process.mailbox.claim(), old + 1);
  EXPECT_EQ(process.push(5, link), push_result::refused) << "starting";
  process.mailbox.open();
  EXPECT_EQ(process.push(5, link), push_result::refused) << "ready";
  (void)process.mailbox.begin_run();
  EXPECT_EQ(process.push(5, link), push_result::refused) << "running";
  EXPECT_EQ(process.mailbox.mark(old, Word::killed), push_result::refused);
  EXPECT_EQ(process.mailbox.let_go(ProcessState::idle), ProcessState::idle);
  EXPECT_EQ(process.push(5, link), push_result::refused) << "idle";
  EXPECT_EQ(link.next, 99U) << "a refused push touches nothing";
  EXPECT_EQ(process.state(), ProcessState::idle);
}

TEST(mailbox, A18_killing_wakes_and_is_idempotent) {
  Occupied process(ProcessState::idle);
  EXPECT_EQ(process.mailbox.mark(process.generation, Word::killed), push_result::make_ready);
  EXPECT_EQ(process.mailbox.mark(process.generation, Word::killed), push_result::accepted);
  EXPECT_TRUE(process.mailbox.begin_run().has(Word::killed));
  EXPECT_EQ(process.mailbox.let_go(ProcessState::idle), ProcessState::ready)
      << "a killed process does not park";
}

TEST(mailbox, watch_requests_do_not_wake_but_are_taken) {
  Occupied process(ProcessState::idle);
  Link link;
  EXPECT_EQ(process.mailbox.push_quietly(process.generation, 7, link), push_result::accepted);
  EXPECT_EQ(process.state(), ProcessState::idle);
  EXPECT_EQ(process.mailbox.mark(process.generation, Word::no_flag), push_result::make_ready);
  EXPECT_EQ(process.mailbox.begin_run().list(), 7U);
}

TEST(mailbox, an_unwanted_flag_diverts_without_a_change) {
  Occupied process(ProcessState::running);
  EXPECT_EQ(process.mailbox.mark_quietly(process.generation, Word::budgeted),
            push_result::accepted);
  Link link;
  EXPECT_EQ(process.mailbox.push(process.generation, 5, link, Word::no_flag, Word::budgeted),
            push_result::diverted);
  EXPECT_EQ(process.mailbox.look().list(), 0U);
  EXPECT_FALSE(process.mailbox.look().has(Word::wakeup));
}

TEST(mailbox, a_finished_process_hands_out_what_came_too_late) {
  Occupied process(ProcessState::running);
  Link link;
  EXPECT_EQ(process.push(5, link), push_result::accepted);
  EXPECT_EQ(process.mailbox.finish(), 5U);
  EXPECT_EQ(process.mailbox.look().list(), 0U);
}

struct TinyLimits : DefaultLimits {
  static constexpr unsigned list_bits = 4;
  static constexpr unsigned generation_bits = 2;
};

TEST(mailbox, B104_a_slot_whose_generations_are_used_up_is_withdrawn) {
  Mailbox<TinyLimits> mailbox;
  for (std::uint32_t generation = 1; generation <= 3; ++generation) {
    EXPECT_EQ(mailbox.claim(), generation);
    EXPECT_EQ(mailbox.finish(), 0U);
    EXPECT_EQ(mailbox.recycle(), generation < 3);
  }
  Link link;
  for (std::uint32_t generation = 0; generation <= 3; ++generation) {
    EXPECT_EQ(mailbox.push(generation, 1, link, 0, 0), push_result::refused);
  }
}

}  // namespace
