#include <heddle/sim/report/what_if.hpp>

#include <algorithm>

#include <heddle/sim/report/relations.hpp>

namespace heddle::sim::report {

std::string strengthened(const TraceStep& step, const std::string& wanted) {
  const bool releases = is_release(step.order) || wanted == "release";
  const bool acquires = is_acquire(step.order) || wanted == "acquire";
  if (step.order == "seq_cst" || wanted == "seq_cst") return "seq_cst";
  if (releases && acquires) return "acq_rel";
  if (releases) return "release";
  if (acquires) return "acquire";
  return step.order;
}

void strengthen_site(Trace& trace, std::size_t index, const std::string& wanted) {
  const TraceStep site = trace.steps[index];
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    TraceStep& step = trace.steps[at];
    const bool same = step.kind == site.kind && step.file == site.file && step.line == site.line &&
                      step.order == site.order && !site.file.empty();
    if (same || at == index) step.order = strengthened(step, wanted);
  }
}

std::size_t moved(std::size_t step, const std::vector<std::size_t>& behind) {
  const auto before = std::lower_bound(behind.begin(), behind.end(), step);
  return step + static_cast<std::size_t>(before - behind.begin());
}

Trace with_fences(const Trace& trace, const std::vector<std::size_t>& behind) {
  Trace result = trace;
  result.steps.clear();
  auto next = behind.begin();
  for (std::size_t at = 0; at < trace.steps.size(); ++at) {
    result.steps.push_back(trace.steps[at]);
    TraceStep& step = result.steps.back();
    if (step.source >= 0) {
      step.source = static_cast<std::int64_t>(moved(static_cast<std::size_t>(step.source), behind));
    }
    if (next == behind.end() || *next != at) continue;
    ++next;
    TraceStep fence;
    fence.kind = TraceStep::Kind::fence;
    fence.thread = step.thread;
    fence.order = "seq_cst";
    result.steps.push_back(std::move(fence));
  }
  return result;
}

}  // namespace heddle::sim::report
