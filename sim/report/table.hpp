// Tables for terminals: columns as wide as they need, one of them wrapped where it must be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <heddle/sim/report/text.hpp>

namespace heddle::sim::report {

class Table {
 public:
  struct Column {
    std::string title;
    bool right = false;     ///< numbers
    bool flexible = false;  ///< gives way when the table is too wide; at most one column
  };
  struct Cell {
    std::string text;
    Style style = Style::plain;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// As many cells as there are columns.
  void add(std::vector<Cell> row);
  bool empty() const noexcept { return rows_.empty(); }

  /// Title, rule and rows. The flexible column keeps a readable width even where the table is then
  /// wider than `width`.
  std::string text(std::size_t width, const Painter& paint) const;

 private:
  std::vector<std::size_t> widths(std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace heddle::sim::report
