// The oracle: programs with the exact number of executions and the exact set of outcomes under each
// model, from independent tools. oracle.json says in its "format" what every field means.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "program.hpp"

namespace heddle::litmus {

struct Expectation {
  std::uint64_t executions = 0;
  std::set<std::string> outcomes;
};

struct OracleEntry {
  Program program;
  Expectation sc;
  Expectation rc11;

  const Expectation& expected(Model model) const noexcept { return model == Model::sc ? sc : rc11; }
};

/// Throws std::runtime_error that says what is wrong with the file.
std::vector<OracleEntry> read_oracle(const std::string& path);

/// What differs, in a few lines; empty when nothing does.
std::string difference(const Expectation& expected, const Behaviour& actual);

}  // namespace heddle::litmus
