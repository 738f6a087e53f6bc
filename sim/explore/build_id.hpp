// Which program this is: what one build has explored says nothing about another one.
#pragma once

#include <string>

namespace heddle::sim {

/// A fingerprint of the running program's file and of the shared libraries that it came with (not
/// those of the system). 16 hexadecimal digits; the same in every process of the same build.
/// Errors: std::runtime_error when the file cannot be read.
/// Complexity: reads the files, once per process.
std::string build_id();

}  // namespace heddle::sim
