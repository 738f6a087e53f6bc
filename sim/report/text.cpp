#include <heddle/sim/report/text.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace heddle::sim::report {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::string_view ellipsis = "…";

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Bytes of the well-formed UTF-8 sequence at the start of `text`; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t length = 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) length = 2;
  if (lead >= 0xe0 && lead <= 0xef) length = 3;
  if (lead >= 0xf0 && lead <= 0xf4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  const auto rest = text.substr(1, length - 1);
  if (!std::all_of(rest.begin(), rest.end(), continues)) return 0;
  // Overlong forms, surrogates and what lies beyond Unicode.
  const auto second = static_cast<unsigned char>(text[1]);
  const bool bad = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                   (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return bad ? 0 : length;
}

// The byte where the letter number `letters` begins.
std::size_t byte_of(std::string_view text, std::size_t letters) {
  std::size_t byte = 0;
  while (byte < text.size() && letters > 0) {
    ++byte;
    while (byte < text.size() && continues(text[byte])) ++byte;
    --letters;
  }
  return byte;
}

std::string_view code_of(Style style) {
  switch (style) {
    case Style::bold:
      return "1";
    case Style::dim:
      return "2";
    case Style::red:
      return "1;31";
    case Style::green:
      return "32";
    case Style::yellow:
      return "33";
    case Style::plain:
      break;
  }
  return "";
}

}  // namespace

std::string clean(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto lead = static_cast<unsigned char>(text.front());
    // U+0080 to U+009F are control characters too (0x9b starts escape sequences).
    const bool high_control =
        length == 2 && lead == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    if (length == 0) {
      result += replacement;
    } else if (lead < 0x20 || lead == 0x7f || high_control) {
      result += ' ';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

std::string markdown_cell(std::string_view text) {
  std::string result;
  for (const char letter : clean(text)) {
    if (letter == '|') result += '\\';
    result += letter;
  }
  return result;
}

std::size_t width_of(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

std::string shorten(std::string_view text, std::size_t width) {
  const std::size_t letters = width_of(text);
  if (letters <= width) return std::string(text);
  if (width == 0) return "";
  const std::size_t head = width / 2;
  const std::size_t tail = width - 1 - head;
  std::string result(text.substr(0, byte_of(text, head)));
  result += ellipsis;
  result += text.substr(byte_of(text, letters - tail));
  return result;
}

std::string pad(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  if (has < width) text.append(width - has, ' ');
  return text;
}

std::string pad_left(std::string text, std::size_t width) {
  const std::size_t has = width_of(text);
  if (has < width) text.insert(0, width - has, ' ');
  return text;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent) {
  width = std::max<std::size_t>(width, 1);
  indent = std::min(indent, width - 1);
  std::vector<std::string> lines;
  while (true) {
    const std::size_t own = lines.empty() ? 0 : indent;
    const std::size_t room = width - own;
    if (width_of(text) <= room) {
      lines.push_back(std::string(own, ' ') + std::string(text));
      return lines;
    }
    const std::size_t hard = byte_of(text, room);
    // A space right after the room is a good place too.
    const std::size_t space = text.substr(0, hard + 1).rfind(' ');
    const bool at_space = space != std::string_view::npos && space > 0;
    lines.push_back(std::string(own, ' ') + std::string(text.substr(0, at_space ? space : hard)));
    text.remove_prefix(at_space ? space + 1 : hard);
  }
}

std::string grouped(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string result;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0) result += ',';
    result += digits[at];
  }
  return result;
}

std::string counted(std::uint64_t number, std::string_view one) {
  return fmt::format("{} {}{}", grouped(number), one, number == 1 ? "" : "s");
}

std::string Painter::operator()(Style style, std::string_view text) const {
  if (!colour_ || style == Style::plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(style), text);
}

}  // namespace heddle::sim::report
