// Makes a failing litmus program as small as it gets: fewer threads, fewer operations, plainer
// operations, weaker orders, while it still fails.
#pragma once

#include <functional>

#include "program.hpp"

namespace heddle::litmus {

/// `fails(program)` must hold. Every candidate is tried, none is trusted. The result fails, and no
/// single step makes it smaller without its failure going away.
/// Cost: quadratic in the size of the program, in calls of `fails`.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace heddle::litmus
