#include <heddle/sim/explore/build_id.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <link.h>

namespace heddle::sim {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9fb2'1c65'1e98'df25;
  return hash ^ (hash >> 32);
}

std::uint64_t with_file(std::uint64_t hash, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("the program's own file cannot be read: " + path);
  std::vector<char> bytes(std::size_t{1} << 20);
  while (in) {
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    std::memset(bytes.data() + count, 0, std::min<std::size_t>(8, bytes.size() - count));
    for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, sizeof word);
      hash = mixed(hash, word);
    }
    hash = mixed(hash, count);
  }
  return hash;
}

bool of_the_system(std::string_view path) noexcept {
  constexpr std::array<std::string_view, 4> folders{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
  for (const std::string_view folder : folders) {
    if (path.starts_with(folder)) return true;
  }
  return path.find('/') == std::string_view::npos;  // the kernel's own
}

int add_library(dl_phdr_info* library, std::size_t, void* paths) {
  const std::string_view path = library->dlpi_name;
  if (!path.empty() && !of_the_system(path)) {
    static_cast<std::vector<std::string>*>(paths)->emplace_back(path);
  }
  return 0;
}

}  // namespace

std::string build_id() {
  static const std::string id = [] {
    std::vector<std::string> libraries;
    ::dl_iterate_phdr(add_library, &libraries);
    std::uint64_t hash = with_file(0x6865'6464'6c65, "/proc/self/exe");
    for (const std::string& library : libraries) hash = with_file(hash, library);
    return fmt::format("{:016x}", hash);
  }();
  return id;
}

}  // namespace heddle::sim
