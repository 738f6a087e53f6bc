// The litmus table: the shapes everybody knows by name, with each order that matters, and whether
// their weak outcome may happen. The expectations are written by hand, from the standard and from
// the RC11 paper (axioms.hpp); tests hold the literal checker and the simulator against them.
#pragma once

#include <string>
#include <vector>

#include "program.hpp"

namespace heddle::litmus {

enum class Expected : bool { forbidden, allowed };

struct Row {
  std::string
      orders;  ///< what stands for $1, $2, … in the shape, separated by commas; "-": nothing
  Expected rc11;
};

struct Shape {
  std::string name;
  std::string text;     ///< a program with places $1, $2, …
  std::string outcome;  ///< the outcome in question; "*" for any value, ";…" may be left out
  Expected sc;          ///< does not depend on orders
  std::vector<Row> rows;
};

const std::vector<Shape>& litmus_table();

/// The program of a row. Throws std::invalid_argument when orders and places do not fit.
Program instantiate(const Shape& shape, const Row& row);

/// True when some outcome of the behaviour fits the pattern.
bool reaches(const Behaviour& behaviour, const std::string& pattern);

}  // namespace heddle::litmus
