// A stack as a sequential object: last in, first out.
//
//   push(item)   done
//   pop()        the newest item; empty only when there is none
#pragma once

#include <heddle/model/spec/collection.hpp>

namespace heddle::model {

struct Lifo : Collection {
  /// States list the items from the oldest to the newest.
  std::optional<State> step(const State& items, const CollectionOperation& operation) const;
  std::string explain(const State& items, const CollectionOperation& operation) const;
  Lifo relaxed() const { return *this; }
};

}  // namespace heddle::model
