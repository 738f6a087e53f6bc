// Two processes and a command: one asks the other, and both let a handler write the score.
#include <heddle/scheduler.hpp>

#include <cstdio>
#include <optional>

namespace {

constexpr heddle::CommandId write_score = 1;
constexpr int rounds = 1000;

class Player : public heddle::Process {
 public:
  heddle::Error init(heddle::Context context, std::string_view method,
                     heddle::Payload input) override {
    context_ = context;
    if (method == "serve")
      opponent_ = input.take<heddle::Pid>();
    else if (method != "return")
      return heddle::Errc::unknown_method;
    return {};
  }

  void step(heddle::Events& events, heddle::StepOutput& output) override {
    if (events.empty() && opponent_) (void)context_->send(opponent_, {0, 1});
    for (heddle::Event& event : events) {
      if (event.kind() == heddle::EventKind::yield_complete) {
        output.done();
      } else if (const int* const ball = event.payload().get<int>()) {
        (void)context_->send(event.from(), {0, *ball + 1});
        if (*ball < rounds) continue;
        output.yield(write_score, 0, *ball);
        output.blocked();
      }
    }
  }

 private:
  std::optional<heddle::Context> context_;
  heddle::Pid opponent_;
};

}  // namespace

int main() {
  heddle::sync::atomic<int> scores{0};
  heddle::Scheduler scheduler;
  (void)scheduler.register_command(
      write_score, [&scores](heddle::Command& command, heddle::Completer& completer) {
        scores += *command.data.get<int>();
        (void)completer.complete();
        return heddle::Error();
      });
  if (const heddle::Error error = scheduler.start()) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    return 1;
  }
  const heddle::Pid receiver = *scheduler.spawn<Player>("return");
  const heddle::Pid server = *scheduler.spawn<Player>("serve", receiver);
  (void)scheduler.wait(receiver);
  (void)scheduler.wait(server);
  std::printf("the ball crossed the net %d times\n", rounds);
  return scores >= rounds + rounds ? 0 : 1;
}
