// The heddle command over scenarios that a test makes up, with the real engine.
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <heddle/sim.hpp>
#include <heddle/sim/cli/program.hpp>

namespace heddle::sim::support {

class RealCommand {
 public:
  RealCommand() {
    using Replay = Report (*)(const Trace&, const std::function<void()>&,
                              const std::function<void(std::uint64_t)>&);
    program.explore = &explore;
    program.replay = static_cast<Replay>(&sim::replay);
  }

  RealCommand& add(std::string name, std::function<void()> body, ScenarioOptions options = {}) {
    program.scenarios.push_back(
        {std::move(name), "what it shows", options, std::move(body), source_location::current()});
    return *this;
  }

  int run(const std::vector<std::string>& arguments) {
    out.str("");
    err.str("");
    cli::Console console{out, err};
    console.width = 200;
    return cli::run(program, arguments, console);
  }

  std::string said() const { return out.str() + err.str(); }
  bool says(const std::string& part) const { return said().find(part) != std::string::npos; }

  cli::Program program;
  std::ostringstream out;
  std::ostringstream err;
};

}  // namespace heddle::sim::support
