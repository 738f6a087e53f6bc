#include <heddle/sim/explore/ledger.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::sim::engine {

Ledger Ledger::whole() {
  Ledger ledger;
  Task task;
  task.whole = true;
  ledger.parts_.push_back({{}, write_task(task), false});
  return ledger;
}

bool Ledger::finished(bool stop_at_first_failure) const {
  for (const Part& part : parts_) {
    if (stop_at_first_failure && part.tally.failure) return true;
    if (!part.done()) return false;
  }
  return true;
}

Ledger::Position Ledger::first_failure() {
  return std::find_if(parts_.begin(), parts_.end(),
                      [](const Part& part) { return part.tally.failure.has_value(); });
}

Ledger::Position Ledger::next(bool stop_at_first_failure) {
  for (auto part = parts_.begin(); part != parts_.end(); ++part) {
    if (stop_at_first_failure && part->tally.failure) break;
    if (!part->rest.empty() && !part->running) return part;
  }
  return parts_.end();
}

void Ledger::merge_around(Position part) {
  if (!part->done()) return;
  // What comes after a failure may not count, so it stays apart.
  const auto after = std::next(part);
  if (after != parts_.end() && after->done() && !part->tally.failure) {
    part->tally.add(std::move(after->tally));
    parts_.erase(after);
  }
  if (part == parts_.begin()) return;
  const auto before = std::prev(part);
  if (!before->done() || before->tally.failure) return;
  before->tally.add(std::move(part->tally));
  parts_.erase(part);
}

Tally Ledger::total(bool stop_at_first_failure) const {
  Tally total;
  for (const Part& part : parts_) {
    total.add(Tally(part.tally));
    if (stop_at_first_failure && total.failure) break;
  }
  return total;
}

Tally Ledger::counts() const {
  Tally sum;
  for (const Part& part : parts_) {
    sum.executions += part.tally.executions;
    sum.blocked += part.tally.blocked;
    sum.failures += part.tally.failures;
    sum.share += part.tally.share;
  }
  return sum;
}

std::uint64_t Ledger::runs() const {
  std::uint64_t runs = 0;
  for (const Part& part : parts_) runs += part.tally.runs();
  return runs;
}

void write(ByteWriter& out, const Ledger& ledger) {
  const auto& parts = ledger.parts();
  out.number(parts.size());
  for (const Part& part : parts) {
    write(out, part.tally);
    out.text(part.rest);
  }
}

Ledger read_ledger(ByteReader& in) {
  Ledger ledger;
  for (std::size_t left = in.count(); left > 0; --left) {
    Part part;
    part.tally = read_tally(in);
    part.rest = in.text();
    if (!part.rest.empty()) read_task(part.rest);
    ledger.parts().push_back(std::move(part));
  }
  return ledger;
}

}  // namespace heddle::sim::engine
