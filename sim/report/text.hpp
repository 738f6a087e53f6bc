// Text for terminals: widths in letters rather than bytes, wrapping, colours that can be left out.
// Letters are counted as one column each; what combines or is double-wide is not treated specially.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sim::report {

/// `text` on one line and harmless: control characters become spaces, bytes that are not UTF-8
/// become U+FFFD.
std::string clean(std::string_view text);

/// Clean text for the cell of a Markdown table, which a bar would end.
std::string markdown_cell(std::string_view text);

/// Columns that clean text takes.
std::size_t width_of(std::string_view text) noexcept;

/// At most `width` columns of clean text; the middle is left out ("begin…end") when it is longer.
std::string shorten(std::string_view text, std::size_t width);

/// `text` with spaces up to `width` columns.
std::string pad(std::string text, std::size_t width);
std::string pad_left(std::string text, std::size_t width);

/// Clean text in lines of at most `width` columns, broken at spaces where there are any. Lines
/// after the first begin with `indent` spaces.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// "1,234,567".
std::string grouped(std::uint64_t number);

/// "1 execution", "3 executions".
std::string counted(std::uint64_t number, std::string_view one);

enum class Style : std::uint8_t { plain, bold, dim, red, green, yellow };

/// Puts styles into text, or leaves them out.
class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  std::string operator()(Style style, std::string_view text) const;

 private:
  bool colour_;
};

}  // namespace heddle::sim::report
