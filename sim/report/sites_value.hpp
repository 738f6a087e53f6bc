// Sites and their outcomes as values of the JSON library.
#pragma once

#include <nlohmann/json.hpp>

#include <heddle/sim/explore/sites.hpp>

namespace heddle::sim::report {

nlohmann::ordered_json to_value(const Site& site);
nlohmann::ordered_json to_value(const SiteOutcomes& outcomes);

/// The way back. Errors: nlohmann::json::exception for anything else.
SiteOutcomes sites_from_value(const nlohmann::json& value);

}  // namespace heddle::sim::report
