#include <heddle/scheduler/scheduler.hpp>

#include <stdexcept>

#include <heddle/scheduler/workers/core.hpp>

namespace heddle::inline HEDDLE_ON {

Scheduler::Scheduler(Options options) {
  if (const Error error = options.validate()) throw std::invalid_argument(error.message());
  core_ = new Core(std::move(options));
}

Scheduler::~Scheduler() {
  core_->shutdown(core_->options.shutdown_deadline);
  core_->unreference();
}

Host& Scheduler::host() { return *core_; }

Error Scheduler::register_command(CommandId id, Handler handler) {
  return core_->add_handler(id, std::move(handler));
}
Error Scheduler::start() { return core_->start(); }
void Scheduler::shutdown() { core_->shutdown(core_->options.shutdown_deadline); }
void Scheduler::shutdown(std::chrono::nanoseconds deadline) { core_->shutdown(deadline); }
void Scheduler::request_shutdown() { core_->request_shutdown(); }

SendResult Scheduler::send(Pid to, Message message) {
  return core_->send(Pid{}, to, std::move(message));
}
SendResult Scheduler::send(Pid to, Message message, const CancellationToken& token) {
  return core_->send(Pid{}, to, std::move(message), token);
}
bool Scheduler::cancel(Pid pid) { return core_->cancel(pid); }
bool Scheduler::terminate(Pid pid) { return core_->terminate(pid); }
Result<ExitReport> Scheduler::wait(Pid pid) { return core_->wait(pid); }
Error Scheduler::watch(Pid watcher, Pid target) { return core_->watch(watcher, target); }
Statistics Scheduler::statistics() const { return core_->statistics(); }
std::optional<ProcessInfo> Scheduler::info(Pid pid) const { return core_->info(pid); }

}  // namespace heddle::inline HEDDLE_ON
