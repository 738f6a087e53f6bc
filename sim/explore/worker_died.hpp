// What explore() throws when one of its processes (Options::jobs) is gone.
#pragma once

#include <stdexcept>

namespace heddle::sim {

/// A process that explored ended without a result: the code under test crashed or left it.
class WorkerDied : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::sim
