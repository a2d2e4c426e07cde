#include "http/response_head.h"

#include <time.h>

#include <array>
#include <charconv>
#include <cstdio>

namespace sheaf::http {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return status < 400 ? "OK" : "Error";
  }
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

// Not strftime: its names of days and months follow the locale.
std::string format_http_date(int64_t now_us) {
  static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const time_t seconds = static_cast<time_t>(now_us / 1'000'000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text;
  const int bytes = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                  kDays[parts.tm_wday], parts.tm_mday, kMonths[parts.tm_mon],
                                  parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return std::string(text.data(), static_cast<size_t>(bytes));
}

void ResponseHeads::append(std::string& out, const Response& response, const Framing& framing) {
  if (framing.steady_now_ms >= date_ends_ms_) refresh_date(framing.steady_now_ms);
  std::array<char, 24> number;
  const auto digits = [&number](uint64_t value) {
    const auto end = std::to_chars(number.data(), number.data() + number.size(), value).ptr;
    return std::string_view(number.data(), static_cast<size_t>(end - number.data()));
  };

  if (response.status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
  } else {
    out += "HTTP/1.1 ";
    out += digits(static_cast<uint64_t>(response.status));
    out += ' ';
    out += reason_of(response.status);
    out += "\r\n";
  }
  out += date_line_;
  if (!response.content_type.empty()) {
    out += "Content-Type: ";
    out += response.content_type;
    out += "\r\n";
  }
  if (may_have_body(response.status)) {
    out += "Content-Length: ";
    out += digits(response.body.size());
    out += "\r\n";
  }
  out += response.headers;
  if (!framing.keeps_alive) {
    out += "Connection: close\r\n\r\n";
  } else if (framing.minor_version == 0) {
    out += "Connection: keep-alive\r\n\r\n";
  } else {
    out += "\r\n";
  }
}

void ResponseHeads::refresh_date(int64_t steady_now_ms) {
  const int64_t now_us = clock_.now_us();
  date_line_ = "Date: " + format_http_date(now_us) + "\r\n";
  date_ends_ms_ = steady_now_ms + 1000 - now_us / 1000 % 1000;
}

}  // namespace sheaf::http
