// Locations by the names that the source gives them: a trace calls them T0.3, the program asleep_.
#pragma once

#include <map>
#include <string>

#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/report/sources.hpp>

namespace heddle::sim::report {

/// What each location is called where it is used, for those of which all uses that can be told
/// agree. Names are unique: two locations with one name keep their own in it ("slot T0.4").
std::map<std::string, std::string> given_names(const Trace& trace, Sources& sources);

/// The trace with its locations renamed.
Trace renamed(const Trace& trace, const std::map<std::string, std::string>& names);

}  // namespace heddle::sim::report
