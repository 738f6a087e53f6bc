// A pipeline with a budget: the reader sends lines to the counter, at most eight at a time. The
// counter gives the budget back when it has worked on a line, and says so; the reader sends more.
#include <heddle/scheduler.hpp>

#include <cstdio>
#include <optional>
#include <string>

namespace {

constexpr heddle::Topic lines = 1;
constexpr heddle::Topic credit = 2;
constexpr int lines_total = 1000;
constexpr int in_flight_max = 8;

class Counter : public heddle::Process {
 public:
  explicit Counter(long& letters) : letters_(letters) {}

  heddle::Error init(heddle::Context context, std::string_view, heddle::Payload) override {
    context_ = context;
    return {};
  }

  void step(heddle::Events& events, heddle::StepOutput& output) override {
    for (heddle::Event& event : events) {
      switch (event.kind()) {
        case heddle::EventKind::message:
          if (event.topic() != lines) break;
          letters_ += static_cast<long>(event.payload().get<std::string>()->size());
          event.release();
          (void)context_->send(event.from(), {credit, heddle::Payload()});
          break;
        case heddle::EventKind::limit_exceeded:
          output.fail(heddle::Error(heddle::Errc::user, "the reader does not keep the budget"));
          return;
        case heddle::EventKind::terminal:
          output.done();
          return;
        default:
          break;
      }
    }
  }

 private:
  long& letters_;
  std::optional<heddle::Context> context_;
};

class Reader : public heddle::Process {
 public:
  heddle::Error init(heddle::Context context, std::string_view, heddle::Payload input) override {
    context_ = context;
    counter_ = input.take<heddle::Pid>();
    return {};
  }

  void step(heddle::Events& events, heddle::StepOutput& output) override {
    for (heddle::Event& event : events) in_flight_ -= event.topic() == credit ? 1 : 0;
    while (sent_ < lines_total && in_flight_ < in_flight_max) {
      heddle::Message line(lines, std::string(10, 'x'));
      line.limit.items_max = in_flight_max;
      (void)context_->send(counter_, std::move(line));
      ++sent_;
      ++in_flight_;
    }
    if (sent_ < lines_total || in_flight_ != 0) return;
    heddle::Message end(lines, heddle::Payload());
    end.terminal = true;
    (void)context_->send(counter_, std::move(end));
    output.done();
  }

 private:
  std::optional<heddle::Context> context_;
  heddle::Pid counter_;
  int sent_ = 0;
  int in_flight_ = 0;
};

}  // namespace

int main() {
  long letters = 0;
  heddle::Scheduler scheduler;
  if (const heddle::Error error = scheduler.start()) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    return 1;
  }
  const heddle::Pid counter = *scheduler.spawn<Counter>({}, {}, letters);
  (void)*scheduler.spawn<Reader>({}, counter);
  const auto report = scheduler.wait(counter);
  if (report && report->error) std::printf("%s\n", report->error.message().c_str());
  scheduler.shutdown();
  std::printf("%d lines, %ld letters, never more than %d at once\n", lines_total, letters,
              in_flight_max);
  return letters == 10L * lines_total ? 0 : 1;
}
