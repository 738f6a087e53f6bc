#include <heddle/sim/trace/value_match.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace heddle::sim::trace {
namespace {

constexpr std::uint64_t page_bytes = 4096;
// Below 4 GiB the system does not move anything.
constexpr std::uint64_t lowest_moved = std::uint64_t{1} << 32;

std::optional<std::uint64_t> number(std::string_view digits) {
  if (digits.empty()) return 0;
  std::uint64_t result = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, result, 16);
  return error == std::errc() && at == end ? std::optional(result) : std::nullopt;
}

std::optional<runtime::value> parse(std::string_view hex) {
  constexpr std::size_t low_digits = 16;
  if (!hex.starts_with("0x")) return std::nullopt;
  hex.remove_prefix(2);
  const std::size_t split = hex.size() - std::min(hex.size(), low_digits);
  const auto high = number(hex.substr(0, split));
  const auto low = number(hex.substr(split));
  if (!high || !low) return std::nullopt;
  return runtime::value{*low, *high};
}

}  // namespace

bool ValueMatch::matches(std::string_view recorded_hex, const runtime::value& found) {
  const auto recorded = parse(recorded_hex);
  if (!recorded || recorded->high != found.high) return false;
  const bool may_move = recorded->low >= lowest_moved && found.low >= lowest_moved;
  if (!may_move) return recorded->low == found.low;
  if (recorded->low % page_bytes != found.low % page_bytes) return false;
  const std::uint64_t from = recorded->low / page_bytes;
  const std::uint64_t to = found.low / page_bytes;
  return found_page_.emplace(from, to).first->second == to &&
         recorded_page_.emplace(to, from).first->second == from;
}

}  // namespace heddle::sim::trace
