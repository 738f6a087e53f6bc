// Topic budgets by themselves; what a process sees of them is in properties/scheduler.
#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <vector>

#include <heddle/scheduler/process/budget.hpp>

namespace {

using namespace heddle;
using Answer = TopicBudgets::Answer;

class budgets : public ::testing::Test {
 protected:
  ~budgets() override {
    held_.clear();
    table_->retire();
  }
  Answer admit(Topic topic, std::uint64_t items_max, std::uint64_t bytes = 1,
               std::uint64_t bytes_max = TopicLimit::unlimited, std::uint32_t generation = 1) {
    Message message(topic, Payload());
    message.limit = {items_max, bytes_max};
    message.bytes = bytes;
    return admit(message, generation);
  }
  Answer admit(const Message& message, std::uint32_t generation = 1) {
    const std::lock_guard lock(table_->mutex());
    TopicBudgets::Decision decision = table_->admit(generation, message);
    if (decision.reservation) held_.push_back(std::move(decision.reservation));
    return decision.answer;
  }
  void release_one() { held_.pop_back(); }

  TopicBudgets* table_ = new TopicBudgets;
  std::vector<Reservation> held_;
};

TEST_F(budgets, A13_items_are_counted_until_they_are_released) {
  EXPECT_EQ(admit(1, 2), Answer::admitted);
  EXPECT_EQ(admit(1, 2), Answer::admitted);
  release_one();
  EXPECT_EQ(admit(1, 2), Answer::admitted);
  EXPECT_EQ(admit(1, 2), Answer::overflow);
}

TEST_F(budgets, A13_an_exhausted_topic_stays_so_although_there_is_room_again) {
  EXPECT_EQ(admit(1, 1), Answer::admitted);
  EXPECT_EQ(admit(1, 1), Answer::overflow);
  release_one();
  EXPECT_EQ(admit(1, 1), Answer::discarded);
  Message plain(1, Payload());
  EXPECT_EQ(admit(plain), Answer::discarded) << "unaccounted traffic, too";
  EXPECT_EQ(admit(2, 1), Answer::admitted) << "other topics go on";
}

TEST_F(budgets, A13_bytes_are_counted) {
  EXPECT_EQ(admit(1, TopicLimit::unlimited, 60, 100), Answer::admitted);
  EXPECT_EQ(admit(1, TopicLimit::unlimited, 40, 100), Answer::admitted);
  EXPECT_EQ(admit(1, TopicLimit::unlimited, 1, 100), Answer::overflow);
}

TEST_F(budgets, A13_a_message_without_a_size_counts_as_its_payload) {
  Message message(1, Payload(7L));
  message.limit.bytes_max = sizeof(long);
  EXPECT_EQ(admit(message), Answer::admitted);
  message.payload = Payload('x');
  EXPECT_EQ(admit(message), Answer::overflow);
}

TEST_F(budgets, A13_the_tightest_limit_wins) {
  EXPECT_EQ(admit(1, 5), Answer::admitted);
  EXPECT_EQ(admit(1, 2), Answer::admitted);
  EXPECT_EQ(admit(1, 5), Answer::overflow);
}

TEST_F(budgets, A13_terminals_and_unaccounted_messages_use_nothing) {
  Message terminal(1, Payload());
  terminal.terminal = true;
  terminal.limit.items_max = 1;
  Message plain(1, Payload());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(admit(terminal), Answer::admitted);
    EXPECT_EQ(admit(plain), Answer::admitted);
  }
  EXPECT_TRUE(held_.empty());
  EXPECT_EQ(admit(1, 1), Answer::admitted);
}

TEST_F(budgets, A13_a_huge_message_does_not_overflow_the_sum) {
  EXPECT_EQ(admit(1, TopicLimit::unlimited, 10, 100), Answer::admitted);
  EXPECT_EQ(admit(1, TopicLimit::unlimited, ~std::uint64_t{0}, 100), Answer::overflow);
}

TEST_F(budgets, A12_an_earlier_occupants_sender_finds_a_stale_table) {
  EXPECT_EQ(admit(1, 1, 1, TopicLimit::unlimited, 2), Answer::admitted);
  EXPECT_EQ(admit(1, 1, 1, TopicLimit::unlimited, 1), Answer::stale);
}

TEST_F(budgets, A13_a_new_occupant_starts_anew_and_old_reservations_do_not_count) {
  EXPECT_EQ(admit(1, 1), Answer::admitted);
  EXPECT_EQ(admit(1, 1), Answer::overflow);
  EXPECT_EQ(admit(1, 1, 1, TopicLimit::unlimited, 2), Answer::admitted);
  held_.erase(held_.begin());  // the first occupant's
  EXPECT_EQ(admit(1, 1, 1, TopicLimit::unlimited, 2), Answer::overflow)
      << "releasing it gave nothing to the second";
}

TEST_F(budgets, a_forgotten_overflow_leaves_the_topic_open) {
  EXPECT_EQ(admit(1, 1), Answer::admitted);
  EXPECT_EQ(admit(1, 1), Answer::overflow);
  {
    const std::lock_guard lock(table_->mutex());
    table_->forget_overflow(1, 1);
  }
  release_one();
  EXPECT_EQ(admit(1, 1), Answer::admitted);
}

TEST(reservation, outlives_the_table_s_slot) {
  auto* const table = new TopicBudgets;
  std::optional<Reservation> kept;
  {
    const std::lock_guard lock(table->mutex());
    Message message(1, Payload());
    message.limit.items_max = 1;
    kept = std::move(table->admit(1, message).reservation);
  }
  table->retire();
  kept->release();
  kept->release();  // a second time does nothing
  EXPECT_FALSE(*kept);
}

}  // namespace
