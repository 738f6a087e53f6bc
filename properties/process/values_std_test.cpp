// Payloads, errors, step outputs, the command registry.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include <heddle/scheduler/process/command_registry.hpp>
#include <heddle/scheduler/process/step_output.hpp>

namespace {

using namespace heddle;

TEST(payload, holds_small_and_large_values_and_knows_their_type) {
  Payload small(42);
  EXPECT_EQ(*small.get<int>(), 42);
  EXPECT_EQ(small.get<long>(), nullptr);
  EXPECT_EQ(small.bytes(), sizeof(int));
  Payload large(std::array<int, 100>{1, 2, 3});
  EXPECT_EQ((*large.get<std::array<int, 100>>())[2], 3);
  EXPECT_TRUE(Payload().empty());
}

TEST(payload, moves_without_copying_and_destroys_once) {
  const auto counted = std::make_shared<int>(7);
  {
    Payload first(counted);
    EXPECT_EQ(counted.use_count(), 2);
    Payload second(std::move(first));
    EXPECT_TRUE(first.empty());
    EXPECT_EQ(counted.use_count(), 2);
    first = std::move(second);
    EXPECT_EQ(*first.take<std::shared_ptr<int>>(), 7);
    EXPECT_TRUE(first.empty());
    EXPECT_EQ(counted.use_count(), 1);
    Payload text(std::string(100, 'x'));
    text = Payload(std::make_unique<int>(3));
    EXPECT_EQ(**text.get<std::unique_ptr<int>>(), 3);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(payload, taking_another_type_throws_and_keeps_the_value) {
  Payload payload(1);
  EXPECT_THROW((void)payload.take<long>(), std::logic_error);
  EXPECT_EQ(payload.take<int>(), 1);
}

TEST(error, says_what_happened) {
  EXPECT_FALSE(Error());
  EXPECT_EQ(Error(Errc::process_limit).message(), "process_limit");
  EXPECT_EQ(Error(Errc::user, "no bread").message(), "user: no bread");
  try {
    throw std::runtime_error("burnt");
  } catch (...) {
    const Error error = Error::from_current_exception(Errc::step_failed);
    EXPECT_EQ(error.message(), "step_failed: burnt");
    EXPECT_THROW(std::rethrow_exception(error.cause()), std::runtime_error);
  }
}

TEST(error, every_code_has_a_name) {
  for (int code = 0; code <= static_cast<int>(Errc::user); ++code) {
    EXPECT_NE(to_string(static_cast<Errc>(code)), "?") << code;
  }
}

TEST(step_output, A4_keeps_status_and_any_number_of_yields) {
  StepOutput output;
  EXPECT_EQ(output.status(), StepStatus::idle);
  for (unsigned i = 0; i < 5; ++i) output.yield(i, 10 + i, static_cast<int>(i));
  output.blocked();
  EXPECT_EQ(output.status(), StepStatus::blocked);
  ASSERT_EQ(output.yields(), 5U);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(output.yield_at(i).command, i);
    EXPECT_EQ(output.yield_at(i).tag, 10 + i);
    EXPECT_EQ(*output.yield_at(i).data.get<int>(), static_cast<int>(i));
  }
  output.reset();
  EXPECT_EQ(output.yields(), 0U);
  EXPECT_EQ(output.status(), StepStatus::idle);
}

Error nothing(Command&, Completer&) { return {}; }

TEST(command_registry, A5_finds_small_and_large_ids) {
  CommandRegistry registry;
  for (const CommandId id : {0U, 255U, 256U, 4'000'000'000U}) {
    EXPECT_FALSE(registry.add(id, nothing));
    EXPECT_NE(registry.find(id), nullptr);
  }
  EXPECT_EQ(registry.find(1), nullptr);
  EXPECT_EQ(registry.find(257), nullptr);
}

TEST(command_registry, A5_refuses_doubles_empty_handlers_and_late_comers) {
  CommandRegistry registry;
  EXPECT_FALSE(registry.add(3, nothing));
  EXPECT_EQ(registry.add(3, nothing).code(), Errc::invalid_argument);
  EXPECT_EQ(registry.add(4, nullptr).code(), Errc::invalid_argument);
  EXPECT_EQ(registry.find(4), nullptr);
  registry.freeze();
  EXPECT_EQ(registry.add(5, nothing).code(), Errc::already_running);
}

}  // namespace
