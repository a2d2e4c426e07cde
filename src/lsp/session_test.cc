#include "lsp/session.h"

#include <gtest/gtest.h>

namespace sheaf::lsp {
namespace {

std::string all(Session& session) {
  std::string out;
  while (session.has_work()) out += session.step();
  return out;
}

constexpr std::string_view kInitialize = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";

std::string opened(std::string_view text) {
  return R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///m","version":7,"text":")" +
         std::string(text) + "\"}}}";
}

// A session with one open document.
Session with(std::string_view text) {
  Session session;
  session.receive(framed(kInitialize) + framed(opened(text)));
  all(session);
  return session;
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(MessageStream, FindsMessagesHoweverTheyAreCut) {
  const std::string bytes = framed("{}") + "content-length: 4\r\nContent-Type: x\r\n\r\nnull" + framed("[1]");
  for (size_t step = 1; step < bytes.size(); ++step) {
    MessageStream stream;
    std::vector<std::string> found;
    for (size_t at = 0; at < bytes.size(); at += step) {
      stream.add(std::string_view(bytes).substr(at, step));
      while (true) {
        auto next = stream.next();
        ASSERT_TRUE(next.ok());
        if (!*next) break;
        found.push_back(std::move(**next));
      }
    }
    EXPECT_EQ(found, (std::vector<std::string>{"{}", "null", "[1]"}));
  }
}

TEST(MessageStream, RefusesWhatIsNoHeader) {
  for (const std::string_view bytes :
       {"GET / HTTP/1.1\r\n\r\n", "Content-Length: -1\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 67108865\r\n\r\n",
        "Content-Length: 1x\r\n\r\n", "\r\n\r\n"}) {
    MessageStream stream;
    stream.add(bytes);
    EXPECT_FALSE(stream.next().ok()) << bytes;
  }
  MessageStream endless;
  endless.add(std::string(10'000, 'x'));
  EXPECT_FALSE(endless.next().ok());
}

TEST(Session, EndsWhenWhatComesIsNoProtocol) {
  Session session;
  session.receive("what is this?\r\n\r\n");
  EXPECT_FALSE(session.is_done());
  EXPECT_NE(all(session).find("-32700"), std::string::npos);
  EXPECT_TRUE(session.is_done());
  EXPECT_EQ(session.exit_status(), 1);
}

TEST(Session, GoesOnAfterAMessageThatIsNoJson) {
  Session session;
  session.receive(framed("{") + framed("[]") + framed("7") + framed(kInitialize));
  const std::string out = all(session);
  EXPECT_EQ(count(out, "-32700"), 3u);
  EXPECT_NE(out.find("capabilities"), std::string::npos);
}

TEST(Session, AnswersWithTheIdOfTheRequestWhateverItIs) {
  Session session = with("");
  session.receive(framed(R"({"id":"a\"b","method":"no/such"})") + framed(R"({"id":-5,"method":"no/such"})"));
  const std::string out = all(session);
  EXPECT_NE(out.find(R"("id": "a\"b")"), std::string::npos) << out;
  EXPECT_NE(out.find(R"("id": -5)"), std::string::npos) << out;
  EXPECT_EQ(count(out, "-32601"), 2u);
}

TEST(Session, SaysNothingToNotificationsAndAnswers) {
  Session session = with("");
  session.receive(framed(R"({"method":"no/such"})") + framed(R"({"id":3,"result":null})") + framed("{}"));
  EXPECT_EQ(all(session), "");
}

TEST(Session, CancelsOnlyWhatIsNamed) {
  Session session = with("model m { }");
  const auto symbols = [](std::string_view id) {
    return framed(
        R"({"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///m"}},"id":)" +
        std::string(id) + "}");
  };
  session.receive(symbols("1") + symbols("2") + symbols("\"2\"") +
                  framed(R"({"method":"$/cancelRequest","params":{"id":2}})"));
  const std::string out = all(session);
  EXPECT_EQ(count(out, "-32800"), 1u);
  EXPECT_EQ(count(out, "\"result\""), 2u);
}

TEST(Session, PublishesOnceForManyChanges) {
  Session session = with("model m { }");
  EXPECT_TRUE(session.wants_idle());
  for (int version = 8; version < 20; ++version) {
    session.receive(framed(
        R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///m","version":)" +
        std::to_string(version) + R"(},"contentChanges":[{"text":"model m { entity }"}]}})"));
  }
  EXPECT_EQ(all(session), "");
  const std::string out = session.idle();
  EXPECT_EQ(count(out, "publishDiagnostics"), 1u);
  EXPECT_NE(out.find("\"version\": 19"), std::string::npos);
  EXPECT_FALSE(session.wants_idle());
}

TEST(Session, PlacesThatAreNoneAreTheNearest) {
  Session session = with("model m { entity A { id id } }");
  for (const std::string_view position :
       {R"({"line":99999999999,"character":0})", R"({"line":-1,"character":-1})",
        R"({"line":0,"character":1.5e300})", R"("here")", "null", R"({"line":0})"}) {
    for (const std::string_view method : {"hover", "completion", "definition", "rename", "prepareRename"}) {
      session.receive(framed(R"({"id":1,"method":"textDocument/)" + std::string(method) +
                             R"(","params":{"textDocument":{"uri":"file:///m"},"position":)" +
                             std::string(position) + "}}"));
      const std::string out = all(session);
      EXPECT_EQ(count(out, "Content-Length"), 1u) << method << position;
    }
  }
}

TEST(Session, ChangesAreMadeInTheirOrderAndInUnitsOfUtf16) {
  Session session = with("model m { entity A { id id; `𝄞` int } }");
  session.receive(framed(
      R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///m","version":8},"contentChanges":[)"
      R"({"range":{"start":{"line":0,"character":33},"end":{"line":0,"character":36}},"text":"bool"},)"
      R"({"range":{"start":{"line":0,"character":33},"end":{"line":0,"character":37}},"text":"wrong"}]}})"));
  EXPECT_EQ(all(session), "");
  EXPECT_NE(session.idle().find("wrong is neither a type"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::lsp
