// A process made of functions, and small tools for tests that run a whole scheduler.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <heddle/scheduler.hpp>

namespace heddle_test {

struct Hooks {
  std::function<heddle::Error(heddle::Context, std::string_view, heddle::Payload&)> init{};
  std::function<void(heddle::Context&, heddle::Events&, heddle::StepOutput&)> step{};
  std::function<void()> close{};
};

class FunctionProcess : public heddle::Process {
 public:
  explicit FunctionProcess(Hooks hooks) : hooks_(std::move(hooks)) {}

  heddle::Error init(heddle::Context context, std::string_view method,
                     heddle::Payload input) override {
    context_ = context;
    return hooks_.init ? hooks_.init(context, method, input) : heddle::Error();
  }
  void step(heddle::Events& events, heddle::StepOutput& output) override {
    if (hooks_.step) hooks_.step(*context_, events, output);
  }
  void close() override {
    if (hooks_.close) hooks_.close();
  }

 private:
  Hooks hooks_;
  std::optional<heddle::Context> context_;
};

inline std::unique_ptr<heddle::Process> process_of(Hooks hooks) {
  return std::make_unique<FunctionProcess>(std::move(hooks));
}

/// A step that waits for messages and ends when it is asked to.
inline void until_cancelled(heddle::Context&, heddle::Events& events, heddle::StepOutput& output) {
  for (heddle::Event& event : events) {
    if (event.is_cancel()) output.done();
  }
}

inline heddle::Options with_workers(unsigned workers) {
  heddle::Options options;
  options.workers = workers;
  options.shutdown_deadline = std::chrono::milliseconds(50);  // many processes here do not listen
  return options;
}

/// True when the condition came true in time. For what happens on other threads.
template <class Condition>
bool eventually(Condition condition,
                std::chrono::milliseconds patience = std::chrono::seconds(20)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace heddle_test
