#include <heddle/sim/runtime/reuse.hpp>

#include <heddle/sim/runtime/arena.hpp>
#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

void reuse_memory(source_location site) {
  runtime::here("sim::reuse_memory", site);
  runtime::allocation_hook.reuse = true;
}

}  // namespace heddle::sim
