// Recorded values against those of a replay. They are equal, or they are addresses of the same
// thing in two processes: what the system places anew for each process (a global object, a stack)
// lies at another page and at the same place in it.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include <heddle/sim/runtime/value.hpp>

namespace heddle::sim::trace {

class ValueMatch {
 public:
  /// True when `found` may stand for the recorded value ("0x2a"), given what has been matched
  /// before: a recorded page always stands for the same page, and no two for one.
  bool matches(std::string_view recorded_hex, const runtime::value& found);

 private:
  std::map<std::uint64_t, std::uint64_t> found_page_;     // by recorded page
  std::map<std::uint64_t, std::uint64_t> recorded_page_;  // by found page
};

}  // namespace heddle::sim::trace
