// The files of html/, compiled in by the build.
#pragma once

#include <string_view>

namespace heddle::sim::report {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace heddle::sim::report
