# Writes the text files FILES (names with '|' between them) into the C++ source OUTPUT, each as a
# std::string_view that is named after it: page.css becomes page_css. The build runs it:
# cmake -DOUTPUT=... -DFILES=... -P embed.cmake
set(delimiter heddle_text)
set(source "// Made by cmake/embed.cmake.\n#include <heddle/sim/report/page_parts.hpp>\n\n")
string(APPEND source "namespace heddle::sim::report {\n\n")
string(REPLACE "|" ";" FILES "${FILES}")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  if(length GREATER 65000)
    message(FATAL_ERROR "${file}: compilers need not take string literals over 64 KiB; split it")
  endif()
  string(APPEND source
    "const std::string_view ${name} = R\"${delimiter}(${text})${delimiter}\";\n\n")
endforeach()
string(APPEND source "}  // namespace heddle::sim::report\n")
file(WRITE ${OUTPUT} "${source}")
