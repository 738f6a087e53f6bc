// B02, H1: a batch is copied and taken by one CAS of top, while the owner pops without touching
// top as long as it sees more than one item. Between the thief's look at bottom and its CAS the
// owner can have popped into the batch: the CAS succeeds all the same, items are delivered twice,
// and top may end above bottom, so that what is pushed next lies where nobody looks.
#pragma once

#include "plain_deque.hpp"

namespace heddle::inline HEDDLE_ON::known_bad {

class naive_batch_deque : public plain_deque<sound> {
 public:
  std::size_t steal_half(std::span<int> buffer) { return try_steal_half(buffer).count; }
  attempt try_steal_half(std::span<int> buffer) { return steal_at_most(buffer); }
};

}  // namespace heddle::inline HEDDLE_ON::known_bad
