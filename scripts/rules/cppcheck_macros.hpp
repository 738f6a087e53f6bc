// The macros that cppcheck has to know to read the tests: it does not look into headers.
#pragma once

#define HEDDLE_SCENARIO(name, shows, ...) static void heddle_scenario_##name()
#define RC_GTEST_PROP(suite, name, parameters) static void suite##_##name parameters
