#include <heddle/sim/report/sites_value.hpp>

namespace heddle::sim::report {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_value(const Site& site) {
  ordered_json value;
  value["file"] = site.file;
  value["line"] = site.line;
  value["column"] = site.column;
  value["function"] = site.function;
  value["operation"] = site.operation;
  value["order"] = site.order;
  value["failure"] = site.failure;
  return value;
}

ordered_json to_value(const SiteOutcomes& outcomes) {
  ordered_json list = ordered_json::array();
  for (const auto& [site, seen] : outcomes) {
    ordered_json value = to_value(site);
    value["outcomes"] = seen;
    list.push_back(std::move(value));
  }
  return list;
}

SiteOutcomes sites_from_value(const json& value) {
  SiteOutcomes outcomes;
  for (const json& one : value) {
    Site site;
    site.file = one.at("file").get<std::string>();
    site.line = one.at("line").get<std::uint32_t>();
    site.column = one.at("column").get<std::uint32_t>();
    site.function = one.at("function").get<std::string>();
    site.operation = one.at("operation").get<std::string>();
    site.order = one.at("order").get<std::string>();
    site.failure = one.at("failure").get<std::string>();
    outcomes[site] = one.at("outcomes").get<std::map<std::string, std::uint64_t>>();
  }
  return outcomes;
}

}  // namespace heddle::sim::report
