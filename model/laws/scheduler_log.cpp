#include <heddle/model/laws/scheduler_log.hpp>

#include <array>

namespace heddle::model {

std::string to_string(const SchedulerEvent& event) {
  constexpr std::array names = {"spawned", "sent",   "refused",   "delivered", "ready",
                                "stepped", "rested", "continued", "closed",    "waited",
                                "asleep",  "awake",  "stopped"};
  std::string text = names.at(static_cast<std::size_t>(event.kind));
  text += " process " + std::to_string(event.process.slot) + '.' +
          std::to_string(event.process.generation);
  text += ", who " + std::to_string(event.who) + ", number " + std::to_string(event.number);
  return text;
}

}  // namespace heddle::model
