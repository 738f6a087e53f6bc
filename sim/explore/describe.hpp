// Words for events, shared by traces, replay and failure messages.
#pragma once

#include <string>
#include <string_view>

#include <heddle/sim/explore/naming.hpp>
#include <heddle/sim/explore/trace.hpp>
#include <heddle/sim/graph/event.hpp>

namespace heddle::sim::engine {

/// The name of a source file as a person knows it: relative, without links of the build.
std::string source_name(std::string_view file);
/// "0x2a"
std::string hex(const graph::value& value);
/// "acq_rel"
std::string_view order_name(std::memory_order order) noexcept;
std::string_view role_name(runtime::location_role role) noexcept;
TraceStep::Kind step_kind(const graph::Event& event) noexcept;
/// "a store to T0.3 (release) at deque.hpp:88"
std::string describe(const Naming& naming, const graph::Event& event);

}  // namespace heddle::sim::engine
