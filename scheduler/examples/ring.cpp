// A ring of processes: a number goes around, counted down by each, until it is zero.
#include <heddle/scheduler.hpp>

#include <cstdio>
#include <optional>
#include <vector>

namespace {

class Member : public heddle::Process {
 public:
  heddle::Error init(heddle::Context context, std::string_view method, heddle::Payload) override {
    if (method != "join") return heddle::Error(heddle::Errc::unknown_method, std::string(method));
    context_ = context;
    return {};
  }

  void step(heddle::Events& events, heddle::StepOutput& output) override {
    for (heddle::Event& event : events) {
      if (const heddle::Pid* const next = event.payload().get<heddle::Pid>()) next_ = *next;
      const long* const number = event.payload().get<long>();
      if (number == nullptr) continue;
      // Who gets the zero tells the next one, and everybody leaves.
      (void)context_->send(next_, {0, *number > 0 ? *number - 1 : 0});
      if (*number == 0) output.done();
    }
  }

 private:
  std::optional<heddle::Context> context_;
  heddle::Pid next_;
};

}  // namespace

int main() {
  constexpr std::size_t members = 100;
  constexpr long hops = 100'000;
  heddle::Scheduler scheduler;
  if (const heddle::Error error = scheduler.start()) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    return 1;
  }
  std::vector<heddle::Pid> ring;
  for (std::size_t i = 0; i < members; ++i) ring.push_back(*scheduler.spawn<Member>("join"));
  for (std::size_t i = 0; i < members; ++i) {
    (void)scheduler.send(ring[i], {0, ring[(i + 1) % members]});
  }
  (void)scheduler.send(ring[0], {0, hops});
  for (const heddle::Pid pid : ring) (void)scheduler.wait(pid);  // an error: it has left already

  scheduler.shutdown();  // a member that has ended may still be on its way out of the count
  const heddle::Statistics all = scheduler.statistics();
  std::printf("%ld hops, %lu steps, %lu messages\n", hops, all.steps, all.accepted);
  return all.live == 0 && all.accepted >= static_cast<unsigned long>(hops) ? 0 : 1;
}
