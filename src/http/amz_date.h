// Times as signatures carry them: "20130609T100015Z".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http {

// Seconds since 1970-01-01 UTC; nothing if it is not of this form or no such day or time exists.
std::optional<int64_t> parse_amz_date(std::string_view text);

// Of a year from 0 to 9999.
std::string format_amz_date(int64_t seconds);

}  // namespace sheaf::http
