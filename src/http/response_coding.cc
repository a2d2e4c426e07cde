#include "http/response_coding.h"

#include <libdeflate.h>

#include <charconv>
#include <limits>
#include <memory>

#include "http/header_list.h"
#include "http/header_name.h"

namespace sheaf::http {
namespace {

// Fast rather than small: an answer is compressed once, on its way out.
constexpr int kLevel = 1;

struct Wish {
  double weight = 0;
  size_t place = std::numeric_limits<size_t>::max();  // in the list; the last if it is not named
  bool is_named = false;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Of "gzip;q=0.5" the second part; what cannot be read counts as 1.
double weight_of(std::string_view parameters) {
  const std::string_view text = trimmed(parameters);
  if (!text.starts_with("q=") && !text.starts_with("Q=")) return 1;
  double weight = 1;
  const std::string_view number = text.substr(2);
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), weight);
  return problem == std::errc() ? std::min(weight, 1.0) : 1;
}

struct Free {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

}  // namespace

ResponseCoding choose_coding(std::string_view accepted) {
  Wish gzip, deflate, any;
  for (size_t place = 0; !accepted.empty(); ++place) {
    const std::string_view element = take_element(accepted);
    const size_t semicolon = element.find(';');
    const std::string_view name = trimmed(element.substr(0, semicolon));
    Wish* const wish = is_same_name(name, "gzip")      ? &gzip
                       : is_same_name(name, "deflate") ? &deflate
                       : name == "*"                   ? &any
                                                       : nullptr;
    if (wish == nullptr || wish->is_named) continue;
    const double weight = semicolon == std::string_view::npos ? 1 : weight_of(element.substr(semicolon + 1));
    *wish = {.weight = weight, .place = place, .is_named = true};
  }
  for (Wish* wish : {&gzip, &deflate}) {
    if (!wish->is_named && any.is_named) wish->weight = any.weight;
  }
  if (gzip.weight <= 0 && deflate.weight <= 0) return ResponseCoding::kIdentity;
  if (gzip.weight != deflate.weight)
    return gzip.weight > deflate.weight ? ResponseCoding::kGzip : ResponseCoding::kDeflate;
  return gzip.place <= deflate.place ? ResponseCoding::kGzip : ResponseCoding::kDeflate;
}

std::string_view coding_name(ResponseCoding coding) {
  switch (coding) {
    case ResponseCoding::kIdentity:
      break;
    case ResponseCoding::kGzip:
      return "gzip";
    case ResponseCoding::kDeflate:
      return "deflate";
  }
  return {};
}

bool compress(std::string& body, ResponseCoding coding) {
  if (coding == ResponseCoding::kIdentity || body.size() <= kPlainBytesMax) return false;
  static thread_local std::unique_ptr<libdeflate_compressor, Free> compressor(
      libdeflate_alloc_compressor(kLevel));
  if (compressor == nullptr) return false;
  // Less room than there was: what does not fit is not worth it.
  std::string smaller(body.size() - 1, '\0');
  const auto run = coding == ResponseCoding::kGzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  const size_t bytes = run(compressor.get(), body.data(), body.size(), smaller.data(), smaller.size());
  if (bytes == 0) return false;
  smaller.resize(bytes);
  body = std::move(smaller);
  return true;
}

}  // namespace sheaf::http
