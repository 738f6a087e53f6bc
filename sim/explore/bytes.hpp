// Numbers and texts as bytes, for work that goes to another process or into a checkpoint. Numbers
// take as many bytes as they need (seven bits each); reading checks every bound.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::sim::engine {

/// What was read is not what ByteWriter has written.
class DamagedBytes : public std::runtime_error {
 public:
  DamagedBytes() : std::runtime_error("it is damaged or cut short") {}
};

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void signed_number(std::int64_t value) { number(std::bit_cast<std::uint64_t>(value)); }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  const std::string& bytes() const noexcept { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) noexcept : rest_(bytes) {}

  /// Errors, of all: DamagedBytes.
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) throw DamagedBytes();
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    throw DamagedBytes();
  }
  std::uint32_t number32() {
    const std::uint64_t value = number();
    if (value > 0xffff'ffff) throw DamagedBytes();
    return static_cast<std::uint32_t>(value);
  }
  std::int64_t signed_number() { return std::bit_cast<std::int64_t>(number()); }
  double real() { return std::bit_cast<double>(number()); }
  std::string_view text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) throw DamagedBytes();
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  /// How many entries follow; each takes at least one byte.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size()) throw DamagedBytes();
    return static_cast<std::size_t>(value);
  }
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace heddle::sim::engine
