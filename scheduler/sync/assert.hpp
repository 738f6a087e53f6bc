// HEDDLE_ASSERT(condition, "I1"): what must hold by the invariant that the text names.
// std: checked unless NDEBUG is defined, and ends the program. sim and relacy: always checked, and
// fails the execution. The condition must not use sync objects: an assertion is not an event.
#pragma once

#define HEDDLE_ASSERT(condition, invariant)                                              \
  do {                                                                                   \
    if constexpr (::heddle::sync::assertions_enabled) {                                  \
      if (!(condition))                                                                  \
        ::heddle::sync::assertion_failed(invariant ": " #condition, __FILE__, __LINE__); \
    }                                                                                    \
  } while (false)
