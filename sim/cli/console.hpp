// Where a command prints, and what can be shown there.
#pragma once

#include <cstddef>
#include <ostream>

namespace heddle::sim::cli {

struct Console {
  std::ostream& out;        ///< results
  std::ostream& err;        ///< complaints and progress
  std::size_t width = 120;  ///< of out, in columns
  bool colour = false;      ///< out shows colours
  bool terminal = false;    ///< err is a terminal, so that a progress line can renew itself
};

/// Standard output and standard error of this process. Colours only on a terminal, and not when the
/// environment says NO_COLOR or TERM=dumb.
Console standard_console();

}  // namespace heddle::sim::cli
