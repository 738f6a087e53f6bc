// The public face of the simulator: include this and nothing below it.
//
// A body is ordinary C++ that uses sim::atomic, sim::cell, sim::mutex, sim::thread, … in place of
// the std ones. explore() runs it in every execution that the memory model allows and reports the
// first that breaks a check. docs/writing-scenarios.md is the guide.
#pragma once

#include <heddle/sim/cli/scenario.hpp>
#include <heddle/sim/explore/explore.hpp>
#include <heddle/sim/runtime/api.hpp>
#include <heddle/sim/runtime/atomic.hpp>
#include <heddle/sim/runtime/cell.hpp>
#include <heddle/sim/runtime/clock.hpp>
#include <heddle/sim/runtime/condition_variable.hpp>
#include <heddle/sim/runtime/mutex.hpp>
#include <heddle/sim/runtime/thread.hpp>
#include <heddle/sim/runtime/thread_slot.hpp>
