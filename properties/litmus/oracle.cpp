#include "oracle.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::litmus {

namespace {

using nlohmann::json;

std::memory_order order_of(const json& field) {
  static const std::map<std::string, std::memory_order> names{
      {"relaxed", std::memory_order_relaxed}, {"acquire", std::memory_order_acquire},
      {"release", std::memory_order_release}, {"acq_rel", std::memory_order_acq_rel},
      {"seq_cst", std::memory_order_seq_cst},
  };
  return names.at(field.get<std::string>());
}

Operation operation_of(const json& fields) {
  const std::string verb = fields.at(0).get<std::string>();
  Operation result;
  if (verb == "fence") {
    result.kind = Kind::fence;
    result.order = order_of(fields.at(1));
    return result;
  }
  result.location = fields.at(1).get<std::string>().at(0);
  result.order = order_of(fields.back());
  if (verb == "compare_exchange") {
    result.kind = Kind::compare_exchange;
    result.expected = fields.at(2).get<int>();
    result.value = fields.at(3).get<int>();
    return result;
  }
  static const std::map<std::string, Kind> verbs{{"load", Kind::load},
                                                 {"store", Kind::store},
                                                 {"exchange", Kind::exchange},
                                                 {"fetch_add", Kind::fetch_add}};
  result.kind = verbs.at(verb);
  if (result.kind != Kind::load) result.value = fields.at(2).get<int>();
  return result;
}

Expectation expectation_of(const json& fields) {
  Expectation result;
  result.executions = fields.at("executions").get<std::uint64_t>();
  for (const json& outcome : fields.at("outcomes")) {
    result.outcomes.insert(outcome.get<std::string>());
  }
  return result;
}

}  // namespace

std::vector<OracleEntry> read_oracle(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(fmt::format("cannot open oracle '{}'", path));
  std::vector<OracleEntry> entries;
  try {
    const json file = json::parse(stream);
    for (const json& fields : file.at("programs")) {
      OracleEntry& entry = entries.emplace_back();
      entry.program.name = fields.at("id").get<std::string>();
      for (const json& thread : fields.at("threads")) {
        Thread& operations = entry.program.threads.emplace_back();
        for (const json& operation : thread) operations.push_back(operation_of(operation));
      }
      entry.sc = expectation_of(fields.at("expected").at("sc"));
      entry.rc11 = expectation_of(fields.at("expected").at("rc11"));
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("oracle '{}', after {} programs: {}", path, entries.size(), error.what()));
  }
  return entries;
}

std::string difference(const Expectation& expected, const Behaviour& actual) {
  std::string text;
  if (expected.executions != actual.executions) {
    text +=
        fmt::format("  executions: expected {}, got {}\n", expected.executions, actual.executions);
  }
  for (const std::string& outcome : expected.outcomes) {
    if (!actual.outcomes.contains(outcome)) text += fmt::format("  missing {}\n", outcome);
  }
  for (const auto& [outcome, count] : actual.outcomes) {
    if (!expected.outcomes.contains(outcome)) {
      text += fmt::format("  not expected: {} ({} times)\n", outcome, count);
    }
  }
  return text;
}

}  // namespace heddle::litmus
