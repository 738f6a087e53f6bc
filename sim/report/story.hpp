// A failure in a few sentences, for somebody who has not seen the tool before.
#pragma once

#include <string>
#include <vector>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/relations.hpp>

namespace heddle::sim::report {

struct Story {
  std::string title;                   ///< "Lost wakeup"
  std::vector<std::string> sentences;  ///< steps are written "step 3"
};

Story tell(const Trace& trace, const Relations& relations);

}  // namespace heddle::sim::report
