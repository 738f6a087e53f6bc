#include <heddle/scheduler/workers/options.hpp>

#include <algorithm>
#include <string>

namespace heddle::inline HEDDLE_ON {

namespace {

Error invalid(const char* name, const std::string& given, const char* wanted) {
  return Error(Errc::invalid_argument,
               std::string("Options::") + name + " is " + given + "; " + wanted);
}

}  // namespace

unsigned Options::default_workers() {
  // 0 is how hardware_concurrency() says that it does not know.
  return std::clamp(sync::thread::hardware_concurrency(), 1U, workers_max);
}

Error Options::validate() const {
  if (workers == 0) return invalid("workers", "0", "at least one worker is needed");
  if (workers > workers_max) {
    return invalid("workers", std::to_string(workers), "at most 1024 are possible");
  }
  const struct {
    const char* name;
    std::size_t value;
  } batches[] = {
      {"inject_batch", inject_batch}, {"global_batch", global_batch}, {"steal_batch", steal_batch}};
  for (const auto& [name, value] : batches) {
    const std::size_t most = 1024;
    if (value == 0 || value > most) {
      return invalid(name, std::to_string(value), "it must be between 1 and 1024");
    }
  }
  if (local_max < 2) {
    return invalid("local_max", std::to_string(local_max), "it must be at least 2");
  }
  if (shutdown_deadline.count() < 0) {
    return invalid("shutdown_deadline", "negative", "0 ends all processes at once");
  }
  if (stall_limit.count() < 0) return invalid("stall_limit", "negative", "0 turns it off");
  return {};
}

}  // namespace heddle::inline HEDDLE_ON
