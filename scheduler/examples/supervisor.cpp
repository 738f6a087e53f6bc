// A supervisor restarts children that fail, until they have failed too often.
#include <heddle/scheduler.hpp>

#include <cstdio>
#include <optional>
#include <stdexcept>

namespace {

heddle::sync::atomic<int> attempts{0};

/// Fails at its first step, twice in three attempts.
class Worker : public heddle::Process {
 public:
  heddle::Error init(heddle::Context, std::string_view, heddle::Payload) override { return {}; }
  void step(heddle::Events&, heddle::StepOutput& output) override {
    if (attempts.fetch_add(1) % 3 != 2) throw std::runtime_error("no luck");
    output.done();
  }
};

class Supervisor : public heddle::Process {
 public:
  static constexpr int children = 4;
  static constexpr int restarts_max = 100;

  heddle::Error init(heddle::Context context, std::string_view, heddle::Payload) override {
    context_ = context;
    return {};
  }

  void step(heddle::Events& events, heddle::StepOutput& output) override {
    if (!begun_) {
      begun_ = true;
      for (int i = 0; i < children; ++i) start_child();
    }
    for (heddle::Event& event : events) {
      if (event.topic() != heddle::topics::exit) continue;
      const heddle::ExitReport* const report = event.payload().get<heddle::ExitReport>();
      if (report != nullptr && report->reason == heddle::ExitReason::done) {
        --left_;
      } else if (++restarts_ <= restarts_max) {
        --left_;
        start_child();
      } else {
        output.fail(heddle::Error(heddle::Errc::user, "the children fail too often"));
        return;
      }
    }
    if (left_ == 0) output.done();
  }

 private:
  void start_child() {
    if (context_->spawn_watched<Worker>()) ++left_;
  }

  std::optional<heddle::Context> context_;
  bool begun_ = false;
  int left_ = 0;
  int restarts_ = 0;
};

}  // namespace

int main() {
  heddle::Scheduler scheduler;
  if (const heddle::Error error = scheduler.start()) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    return 1;
  }
  const heddle::Pid supervisor = *scheduler.spawn<Supervisor>();
  const auto report = scheduler.wait(supervisor);
  const bool well = !report || report->reason == heddle::ExitReason::done;
  std::printf("%d attempts\n", attempts.load());
  return well && attempts >= Supervisor::children ? 0 : 1;
}
