// Names of events that survive edits of the source: thread role, site, occurrence. A site is the
// kind of the event with the function and the file that it stands in; lines are no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <heddle/sim/explore/trace.hpp>

namespace heddle::sim::trace {

/// The site of a thread that has done nothing yet.
inline constexpr std::string_view start_site = "start";

/// "push" of "void ns::deque<T>::push(T) [with T = int]"; "operator()" of a lambda.
std::string short_function(std::string_view signature);

/// "store push deque.hpp".
std::string site_name(std::string_view kind, std::string_view function, std::string_view file);

/// Thread roles: "0" is the body, "0.2" the second thread that it started.
using Role = std::vector<std::uint32_t>;
std::string role_name(const Role& role);

/// True for steps that are events, not notes between them.
bool is_event(TraceStep::Kind kind) noexcept;

/// The name of every event of a trace, by step; notes have an empty one.
std::vector<TraceEventName> event_names(const Trace& trace);

/// The role of each thread of a trace.
std::map<std::uint32_t, std::string> thread_roles(const Trace& trace);

/// "the 2nd store push deque.hpp of thread 0.1".
std::string in_words(const TraceEventName& name);

}  // namespace heddle::sim::trace
