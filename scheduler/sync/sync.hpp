// The layer that everything in scheduler/ is written against: atomics, threads, time and chance.
// specification.hpp says what it offers. This is the only place that knows which back ends exist.
#pragma once

#if defined(HEDDLE_SYNC_BACKEND_std) + defined(HEDDLE_SYNC_BACKEND_sim) + \
        defined(HEDDLE_SYNC_BACKEND_relacy) >                             \
    1
#error "heddle: one translation unit has one back end; more than one HEDDLE_SYNC_BACKEND_* is set"
#endif

#if defined(HEDDLE_SYNC_BACKEND_sim)
#define HEDDLE_ON on_sim
#include <heddle/scheduler/sync/sim/backend.hpp>
#elif defined(HEDDLE_SYNC_BACKEND_relacy)
#define HEDDLE_ON on_relacy
#include <heddle/scheduler/sync/relacy/backend.hpp>
#else
#define HEDDLE_ON on_std
#include <heddle/scheduler/sync/std/backend.hpp>
#endif

#include <heddle/scheduler/sync/assert.hpp>
