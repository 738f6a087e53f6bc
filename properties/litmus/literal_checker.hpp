// The slow, literal checker: every candidate execution of a program, filtered by the axioms as they
// are written (axioms.hpp). It shares nothing with the simulator and knows no exploration
// algorithm, so that an error in the one is not an error in the other.
//
// A candidate is one write for every read (rf) and one order of the writes to every location (co).
// Values follow from rf; a compare_exchange writes when the value it reads says so; an await that
// reads the wrong value is no candidate.
//
// Cost:   exponential. Programs of up to about 10 operations take milliseconds.
// Limits: 32 events (an initial write per location; two events per read-modify-write).
#pragma once

#include "program.hpp"

namespace heddle::litmus {

enum class Pruning : std::uint8_t {
  none,     ///< the axioms are evaluated on complete candidates alone
  partial,  ///< also after every choice; never drops a consistent candidate, see axioms.hpp
};

/// Throws std::invalid_argument when the program has too many events.
Behaviour literal_behaviour(const Program& program, Model model,
                            Pruning pruning = Pruning::partial);

}  // namespace heddle::litmus
