// Requests with any Authorization header, target and headers are judged without harm; what our own signer
// signs is let in, and no longer after a change.
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/canonical_request.h"
#include "http/query_signature.h"
#include "http/request_fixture.h"
#include "http/sigv4.h"
#include "http/sigv4_signer.h"

namespace sheaf::http {
namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

std::string_view take_line(std::string_view& input) {
  const std::string_view line = input.substr(0, input.find('\n'));
  input.remove_prefix(std::min(line.size() + 1, input.size()));
  return line;
}

bool is_let_in(const OwnedRequest& request, const CredentialSet& credentials) {
  const Request view = request.view();
  return std::holds_alternative<Caller>(verify_signature(view, credentials, {}, us_of("20150830T123600Z")));
}

// The first line is the header's value, the second the target, the third the value of another header, the
// rest the body.
void judge(std::string_view input) {
  static const CredentialSet credentials = test_credentials();
  OwnedRequest request;
  request.headers = {{"Host", "localhost"}, {"X-Amz-Date", "20150830T123600Z"}};
  const std::string authorization(take_line(input));
  request.target = take_line(input);
  request.headers.emplace_back("Other", take_line(input));
  request.body = input;

  OwnedRequest forged = request;
  forged.headers.emplace_back("Authorization", authorization);
  check(!is_let_in(forged, credentials));
  forged.header("Authorization") =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date, " +
      authorization;
  check(!is_let_in(forged, credentials));
  forged.header("X-Amz-Date") = authorization;
  check(!is_let_in(forged, credentials));

  OwnedRequest sealed = request;
  sealed.add_lines(sign_request(request.view(), *credentials.find(kTestKeyId), {}));
  check(is_let_in(sealed, credentials) || query_parameter(request.target, "X-Amz-Algorithm"));
  sealed.body += 'x';
  check(!is_let_in(sealed, credentials));

  // Canonical once is canonical for good, but for the percent signs of a path.
  const size_t question = request.target.find('?');
  if (question != std::string::npos) {
    std::string once;
    append_canonical_query(once, std::string_view(request.target).substr(question + 1));
    std::string twice;
    append_canonical_query(twice, once);
    check(once == twice);
  }
}

}  // namespace
}  // namespace sheaf::http

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sheaf::http::judge({reinterpret_cast<const char*>(data), size});
  return 0;
}
