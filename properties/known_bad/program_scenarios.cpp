// Registers every program of groups.hpp as a scenario that must be caught, and its sound twin as
// one that must verify.
#include <set>
#include <string>
#include <typeindex>

#include <heddle/sim.hpp>

#include "groups.hpp"

namespace {

namespace known_bad = heddle::known_bad;
namespace sim = heddle::sim;
using known_bad::Caught;
using sim::FailureKind;

FailureKind kind_of(Caught caught) {
  switch (caught) {
    case Caught::deadlock:
      return FailureKind::deadlock;
    case Caught::livelock:
      return FailureKind::livelock;
    case Caught::data_race:
      return FailureKind::data_race;
    case Caught::use_after_free:
      return FailureKind::use_after_free;
    case Caught::check:
      break;
  }
  return FailureKind::check;
}

class Registration {
 public:
  Registration() { known_bad::all_programs(*this); }

  template <class Bad, class Twin>
  void operator()(known_bad::program_type<Bad>, known_bad::program_type<Twin>,
                  const known_bad::Row& row) {
    sim::ScenarioOptions options;
    options.threads = Bad::threads;
    options.timeouts = row.timeouts;
    options.spurious_wakeups = row.spurious_wakeups;
    options.group = "known_bad";
    if (twins_.insert(typeid(Twin)).second) {
      const std::string shows = std::string("sound twin of ") + row.name;
      sim::ScenarioRegistration(std::string("twin_") + row.name, shows, known_bad::run<Twin>,
                                options);
    }
    options.expect = kind_of(row.caught);
    options.caught_by = row.caught_by();
    sim::ScenarioRegistration(std::string("known_bad_") + row.name, row.shows, known_bad::run<Bad>,
                              options);
  }

 private:
  std::set<std::type_index> twins_;
};

const Registration all_of_them;

}  // namespace
