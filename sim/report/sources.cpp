#include <heddle/sim/report/sources.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>
#include <system_error>

#include <heddle/sim/trace/atomic_file.hpp>

namespace heddle::sim::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t bytes_max = 8U << 20;

bool looks_like_source(const fs::path& name) {
  constexpr std::array<std::string_view, 16> endings = {
      ".c",   ".cc",  ".cpp", ".cxx", ".c++", ".h",   ".hh",  ".hpp",
      ".hxx", ".h++", ".inl", ".ipp", ".ixx", ".tcc", ".tpp", ".cppm"};
  const std::string ending = name.extension().string();
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

bool stays_below(const fs::path& name) {
  return std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<std::vector<std::string>> read(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  try {
    return split(trace::read_file(path, bytes_max));
  } catch (const std::exception&) {
    return std::nullopt;  // as if it were not there: the page says that it was not found
  }
}

void add_with_parents(std::vector<fs::path>& folders, fs::path folder) {
  for (;; folder = folder.parent_path()) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
    if (!folder.has_relative_path()) return;
  }
}

}  // namespace

Sources Sources::around(const fs::path& trace_file) {
  std::error_code error;
  std::vector<fs::path> folders;
  const fs::path here = fs::current_path(error);
  if (!error) add_with_parents(folders, here);
  const fs::path file = fs::absolute(trace_file, error);
  if (!error) add_with_parents(folders, file.lexically_normal().parent_path());
  return Sources(std::move(folders));
}

const std::vector<std::string>* Sources::lines(const std::string& file) {
  const auto [found, is_new] = files_.try_emplace(file);
  if (is_new && !file.empty() && file.find('\0') == std::string::npos) {
    const fs::path name(file);
    if (looks_like_source(name) && stays_below(name)) {
      if (name.is_absolute()) found->second = read(name);
      for (const fs::path& folder : folders_) {
        if (found->second || name.is_absolute()) break;
        found->second = read(folder / name);
      }
    }
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<std::string> Sources::line(const std::string& file, std::uint32_t line) {
  const auto* all = lines(file);
  if (all == nullptr || line == 0 || line > all->size()) return std::nullopt;
  return (*all)[line - 1];
}

}  // namespace heddle::sim::report
