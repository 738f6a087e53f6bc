#include <heddle/sim/trace/options_of.hpp>

namespace heddle::sim::trace {

Options options_of(const Trace& trace) {
  Options options;
  options.memory_model = trace.memory_model == "sc" ? MemoryModel::sc : MemoryModel::rc11;
  options.timeouts = trace.timeouts;
  options.spurious_wakeups = trace.spurious_wakeups;
  options.max_steps = trace.max_steps;
  options.stack_bytes = trace.stack_bytes;
  return options;
}

}  // namespace heddle::sim::trace
