// The public face of the models: sequential specifications, and the checker that holds recorded
// histories against them. docs/linearizability.md is the guide.
#pragma once

#include <heddle/model/linearizability/check.hpp>
#include <heddle/model/linearizability/history.hpp>
#include <heddle/model/linearizability/specification.hpp>
#include <heddle/model/spec/atomic_register.hpp>
#include <heddle/model/spec/collection.hpp>
#include <heddle/model/spec/deque.hpp>
#include <heddle/model/spec/fifo.hpp>
#include <heddle/model/spec/lifo.hpp>
