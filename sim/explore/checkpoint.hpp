// The state of an exploration in a file. The file is replaced as a whole, so that a process that is
// killed at any moment leaves the state before or after.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include <heddle/sim/explore/ledger.hpp>
#include <heddle/sim/explore/options.hpp>

namespace heddle::sim {

/// A checkpoint cannot be used or written: which file, why, and what to do.
class CheckpointError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace heddle::sim

namespace heddle::sim::engine {

struct Checkpoint {
  std::chrono::nanoseconds elapsed{0};
  Ledger ledger;
};

/// Errors, of both: CheckpointError.
void write_checkpoint(const Options& options, const Checkpoint& checkpoint);
/// Refuses the checkpoint of another scenario, another build, or other options.
Checkpoint read_checkpoint(const Options& options);

/// Of a checkpoint's body; FNV-1a.
std::uint64_t checksum_of(std::string_view bytes) noexcept;

/// Before a search that begins anew: refuses a file that holds the state of one that is not
/// finished, and anything that is no checkpoint. Errors: CheckpointError.
void require_no_unfinished_checkpoint(const Options& options);

}  // namespace heddle::sim::engine
