// The commands, one function each. They return the exit code.
// Errors: UsageError, trace::TraceError.
#pragma once

#include <heddle/sim/cli/arguments.hpp>
#include <heddle/sim/cli/program.hpp>

namespace heddle::sim::cli {

int list(const Program& program, const ListArguments& arguments, Console& console);
int check(const Program& program, const CheckArguments& arguments, Console& console);
int replay(const Program& program, const ReplayArguments& arguments, Console& console);
int show(const ShowArguments& arguments, Console& console);
int audit(const Program& program, const AuditArguments& arguments, Console& console);
int coverage(const Program& program, const CoverageArguments& arguments, Console& console);
int gate(const Program& program, const GateArguments& arguments, Console& console);

}  // namespace heddle::sim::cli
