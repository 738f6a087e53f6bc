#include <heddle/sim/report/table.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace heddle::sim::report {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t flexible_min = 20;

}  // namespace

void Table::add(std::vector<Cell> row) {
  if (row.size() != columns_.size()) throw std::logic_error("a row of another table");
  for (Cell& cell : row) cell.text = clean(cell.text);
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> Table::widths(std::size_t width) const {
  std::vector<std::size_t> needed;
  std::size_t total = 0;
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    std::size_t most = width_of(columns_[at].title);
    for (const auto& row : rows_) most = std::max(most, width_of(row[at].text));
    needed.push_back(most);
    total += most + (at > 0 ? gap : 0);
  }
  for (std::size_t at = 0; at < columns_.size() && total > width; ++at) {
    if (!columns_[at].flexible || needed[at] <= flexible_min) continue;
    const std::size_t excess = std::min(total - width, needed[at] - flexible_min);
    needed[at] -= excess;
    total -= excess;
  }
  return needed;
}

std::string Table::text(std::size_t width, const Painter& paint) const {
  const std::vector<std::size_t> needed = widths(width);
  std::string result;
  const auto line = [&](const std::vector<Cell>& cells) {
    std::string text;
    std::size_t spaces = 0;  // held back, so that none stand at the end of the line
    for (std::size_t at = 0; at < cells.size(); ++at) {
      const std::size_t has = width_of(cells[at].text);
      const std::size_t missing = needed[at] - std::min(needed[at], has);
      if (at > 0) spaces += gap;
      if (columns_[at].right) spaces += missing;
      if (has > 0) {
        text.append(std::exchange(spaces, 0), ' ');
        text += paint(cells[at].style, cells[at].text);
      }
      if (!columns_[at].right) spaces += missing;
    }
    result += text + '\n';
  };
  std::vector<Cell> titles;
  std::string rule;
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    titles.push_back({columns_[at].title, Style::bold});
    if (at > 0) rule.append(gap, ' ');
    for (std::size_t drawn = 0; drawn < needed[at]; ++drawn) rule += "─";
  }
  line(titles);
  result += paint(Style::dim, rule) + '\n';
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    for (std::size_t at = 0; at < row.size(); ++at) {
      parts.push_back(wrap(row[at].text, std::max<std::size_t>(needed[at], 1)));
      height = std::max(height, parts.back().size());
    }
    for (std::size_t part = 0; part < height; ++part) {
      std::vector<Cell> cells;
      for (std::size_t at = 0; at < row.size(); ++at) {
        cells.push_back({part < parts[at].size() ? parts[at][part] : "", row[at].style});
      }
      line(cells);
    }
  }
  return result;
}

}  // namespace heddle::sim::report
