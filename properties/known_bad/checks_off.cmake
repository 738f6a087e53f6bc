# The engine's sim/explore/execution.cpp with a switch: a failure of the kind that HEDDLE_CHECK_OFF
# names ends its execution without being one. cmake -DFROM=… -DTO=… -P checks_off.cmake
file(READ ${FROM} text)
set(place "\nvoid Execution::fail\\(FailureKind kind, [^{]*{\n")
string(REGEX MATCHALL "${place}" places "${text}")
list(LENGTH places count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${FROM}: Execution::fail(FailureKind kind, …) is there ${count} times, not "
                      "once: every failure goes through it, and this test switches it off there. "
                      "Bring checks_off.cmake up to date.")
endif()
string(REPLACE "${places}" "${places}\
  if (const char* const off = std::getenv(\"HEDDLE_CHECK_OFF\"); off && to_string(kind) == off) {\n\
    runtime::allocation_hook.arena = nullptr;\n\
    end_run(RunEnd::blocked);\n\
  }\n" text "${text}")
file(WRITE ${TO} "#include <cstdlib>\n${text}")
