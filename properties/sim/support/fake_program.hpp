// The heddle command on scenarios and an engine that the test makes up, with what it prints.
#pragma once

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <heddle/sim/cli/program.hpp>

#include "sample_traces.hpp"

namespace heddle::sim::support {

class FakeProgram {
 public:
  FakeProgram() {
    program.explore = [this](const Options& options, const cli::Program::Body& body) {
      asked = options;
      ++explored;
      body();
      return answers.at(current());
    };
    program.replay = [this](const Trace&, const cli::Program::Body& body,
                            const std::function<void(std::uint64_t)>&) {
      body();
      return answers.at(current());
    };
  }
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

  /// A scenario whose exploration (and replay) gives `answer`, after `act` was done in the body.
  void add(
      const std::string& name, Report answer, ScenarioOptions options = {},
      std::function<void()> act = [] {}) {
    answers[name] = std::move(answer);
    program.scenarios.push_back({name, "what " + name + " shows", options,
                                 [name, act = std::move(act)] {
                                   current() = name;
                                   act();
                                 },
                                 source_location::current()});
  }

  int run(const std::vector<std::string>& arguments) {
    out.str("");
    err.str("");
    cli::Console console{out, err};
    console.width = 100;
    return cli::run(program, arguments, console);
  }

  cli::Program program;
  std::map<std::string, Report> answers;
  Options asked;     ///< by the last exploration in this process
  int explored = 0;  ///< in this process
  std::ostringstream out;
  std::ostringstream err;

 private:
  // The scenario whose body ran last.
  static std::string& current() {
    static std::string name;
    return name;
  }
};

inline Report verified(std::uint64_t executions) {
  Report report;
  report.verdict = Verdict::verified;
  report.executions = executions;
  return report;
}

inline Report incomplete(std::uint64_t executions, std::string bound) {
  Report report;
  report.verdict = Verdict::incomplete;
  report.executions = executions;
  report.bound = std::move(bound);
  return report;
}

inline Report failed(const HandMadeTrace& made) {
  Report report;
  report.verdict = Verdict::failed;
  report.executions = 10;
  report.failures = 1;
  report.failure = Failure{made.trace().failure, made.trace().message, made.trace()};
  return report;
}

inline Report broken(std::string why) {
  Report report;
  report.verdict = Verdict::internal_error;
  report.bound = std::move(why);
  return report;
}

}  // namespace heddle::sim::support
