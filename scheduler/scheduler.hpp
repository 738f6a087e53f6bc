// The public face of the scheduler: include this and nothing below it. Today it is the layer
// heddle::sync and the work-stealing deque.
#pragma once

#include <heddle/scheduler/queues/deque.hpp>
#include <heddle/scheduler/sync/sync.hpp>
