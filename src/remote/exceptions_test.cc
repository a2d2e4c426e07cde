#include "remote/exceptions.h"

#include <gtest/gtest.h>

#include "wire/answer.h"

namespace sheaf::remote {
namespace {

struct Read {
  explicit Read(const std::string& body, int status = 400) {
    const bool is_json = parser.parse(body).get(json) == simdjson::SUCCESS;
    exception = read_exception(status, is_json ? &json : nullptr);
    remedy = remedy_for(exception, is_json ? &json : nullptr);
  }
  simdjson::dom::parser parser;
  Json json;
  Exception exception;
  Remedy remedy;
};

std::string body_of(const std::string& name, const std::string& message = "why") {
  return R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name + R"(","message":")" + message + "\"}";
}

// What the server makes of an error becomes the same error again.
TEST(Exceptions, AreTheErrorsThatTheyWere) {
  for (const Code code : {Code::kInvalid, Code::kMalformed, Code::kNotFound, Code::kInUse,
                          Code::kLimitExceeded, Code::kTooLarge, Code::kConflict, Code::kDuplicate,
                          Code::kMismatch, Code::kTrimmed, Code::kExpired, Code::kUnavailable}) {
    const Error error{code, "the \"reason\""};
    const wire::Answer answer = wire::error_answer(error);
    EXPECT_EQ(to_error(Read(answer.body, answer.status).exception), error);
  }
}

TEST(Exceptions, HaveANameWithAndWithoutItsFamily) {
  EXPECT_EQ(Read(R"({"__type":"a.b#NameException","message":"x"})").exception.name, "NameException");
  EXPECT_EQ(Read(R"({"__type":"NameException","Message":"x"})").exception.name, "NameException");
  EXPECT_EQ(Read(R"({"__type":"NameException","Message":"x"})").exception.message, "x");
  EXPECT_EQ(Read(R"({"__type":5})", 413).exception.name, "HTTP 413");
  EXPECT_EQ(Read("<html>", 502).exception.name, "HTTP 502");
  EXPECT_EQ(Read("[]", 400).exception.name, "HTTP 400");
}

TEST(Exceptions, WithoutACodeOfTheirOwnKeepTheirName) {
  EXPECT_EQ(to_error(Read(body_of("AccessDeniedException")).exception),
            (Error{Code::kDenied, "AccessDeniedException: why"}));
  EXPECT_EQ(to_error(Read(body_of("ThrottlingException")).exception),
            (Error{Code::kLimitExceeded, "ThrottlingException: why"}));
  EXPECT_EQ(to_error(Read(body_of("InternalServerError"), 500).exception),
            (Error{Code::kUnavailable, "InternalServerError: why"}));
  EXPECT_EQ(to_error(Read(R"({"__type":"UnknownOperationException"})").exception),
            (Error{Code::kInvalid, "UnknownOperationException"}));
}

TEST(Exceptions, WithoutAMessageAreToldByTheirName) {
  EXPECT_EQ(to_error(Read(body_of("ResourceInUseException", "")).exception),
            (Error{Code::kInUse, "ResourceInUseException"}));
}

TEST(Exceptions, AboutTheClientAreNoFaultOfTheRequest) {
  for (const char* name : {"ExpiredTokenException", "UnrecognizedClientException",
                           "InvalidSignatureException", "MissingAuthenticationTokenException"})
    EXPECT_EQ(to_error(Read(body_of(name)).exception).code, Code::kDenied) << name;
  for (const int status : {401, 403, 408, 413})
    EXPECT_EQ(to_error(Read("<html>", status).exception).code, Code::kDenied) << status;
  EXPECT_EQ(to_error(Read(body_of("ValidationException")).exception).code, Code::kInvalid);
}

TEST(Exceptions, SayWhetherAskingAgainMayHelp) {
  for (const char* name :
       {"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
        "TransactionInProgressException", "ServiceUnavailableException"})
    EXPECT_EQ(Read(body_of(name)).remedy, Remedy::kRepeat) << name;
  EXPECT_EQ(Read("", 503).remedy, Remedy::kRepeat);
  EXPECT_EQ(Read("", 429).remedy, Remedy::kRepeat);
  EXPECT_EQ(Read(body_of("InternalServerError"), 500).remedy, Remedy::kUncertain);
  EXPECT_EQ(Read("", 502).remedy, Remedy::kUncertain);
  for (const char* name : {"ValidationException", "ResourceNotFoundException", "LimitExceededException",
                           "ConditionalCheckFailedException", "TransactionConflictException"})
    EXPECT_EQ(Read(body_of(name)).remedy, Remedy::kNone) << name;
}

TEST(Exceptions, ATransactionThatWasOnlyThrottledMayBeTriedAgain) {
  const auto cancelled = [](const std::string& codes) {
    return Read(R"({"__type":"TransactionCanceledException","Message":"m","CancellationReasons":[)" + codes +
                "]}")
        .remedy;
  };
  const std::string none = R"({"Code":"None"})", throttled = R"({"Code":"ThrottlingError"})";
  EXPECT_EQ(cancelled(none + "," + throttled), Remedy::kRepeat);
  EXPECT_EQ(cancelled(R"({"Code":"ProvisionedThroughputExceeded"})"), Remedy::kRepeat);
  EXPECT_EQ(cancelled(throttled + R"(,{"Code":"ConditionalCheckFailed"})"), Remedy::kNone);
  EXPECT_EQ(cancelled(R"({"Code":"TransactionConflict"})"), Remedy::kNone);
  EXPECT_EQ(cancelled(none), Remedy::kNone);
  EXPECT_EQ(cancelled("5"), Remedy::kNone);
}

TEST(Exceptions, TellWhetherThereIsTheOperation) {
  const wire::Answer unknown = wire::unknown_operation();
  EXPECT_TRUE(is_unknown_operation(Read(unknown.body, unknown.status).exception));
  EXPECT_TRUE(is_unknown_operation(Read("<html>", 404).exception));
  EXPECT_FALSE(is_unknown_operation(Read(body_of("ValidationException")).exception));
}

}  // namespace
}  // namespace sheaf::remote
