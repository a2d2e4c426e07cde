#include "http/tls.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>
#include <fstream>

#include "base/temp_directory.h"
#include "http/server_fixture.h"

namespace sheaf::http {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;

// A key and a certificate signed with it, as files.
class Identity {
 public:
  Identity(const TempDirectory& directory, const std::string& name)
      : files{.certificate_path = directory.path(name + ".crt"), .key_path = directory.path(name + ".key")} {
    const Key key(EVP_EC_gen("P-256"));
    const Certificate certificate(X509_new());
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* const subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    write(files.certificate_path, [&](FILE* file) { return PEM_write_X509(file, certificate.get()); });
    write(files.key_path, [&](FILE* file) {
      return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
    encrypted_key_path = directory.path(name + ".locked");
    write(encrypted_key_path, [&](FILE* file) {
      const unsigned char password[] = "password";
      return PEM_write_PrivateKey(file, key.get(), EVP_aes_128_cbc(), password, 8, nullptr, nullptr);
    });
  }

  TlsFiles files;
  std::string encrypted_key_path;

 private:
  template <typename Write>
  static void write(const std::string& path, Write write_to) {
    FILE* const file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(write_to(file), 1);
    std::fclose(file);
  }
};

class TlsStream final : public ClientStream {
 public:
  struct Options {
    int version_max = 0;
    std::string protocols;  // in the form of ALPN
  };
  TlsStream(SocketStream& socket, const Options& options)
      : context_(SSL_CTX_new(TLS_client_method())), session_(nullptr) {
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_.get(), options.version_max);
    SSL_CTX_set_options(context_.get(), SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context_.get(), SSL_MODE_AUTO_RETRY);
    session_.reset(SSL_new(context_.get()));
    if (!options.protocols.empty())
      SSL_set_alpn_protos(session_.get(), reinterpret_cast<const unsigned char*>(options.protocols.data()),
                          static_cast<unsigned>(options.protocols.size()));
    SSL_set_fd(session_.get(), socket.descriptor());
    is_connected_ = SSL_connect(session_.get()) == 1;
  }

  bool is_connected() const { return is_connected_; }
  std::string version() const { return SSL_get_version(session_.get()); }
  std::string protocol() const {
    const unsigned char* chosen = nullptr;
    unsigned bytes = 0;
    SSL_get0_alpn_selected(session_.get(), &chosen, &bytes);
    return std::string(reinterpret_cast<const char*>(chosen), bytes);
  }

  ssize_t read(char* to, size_t bytes) override {
    return SSL_read(session_.get(), to, static_cast<int>(bytes));
  }
  bool write(std::string_view bytes) override {
    return SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size())) ==
           static_cast<int>(bytes.size());
  }
  void end_writing() { SSL_shutdown(session_.get()); }

 private:
  std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context_;
  std::unique_ptr<SSL, Freed<SSL_free>> session_;
  bool is_connected_ = false;
};

struct TlsClient {
  explicit TlsClient(const Server& server, const TlsStream::Options& options = {})
      : socket(server.port()), stream(socket, options), client(stream) {}
  Client* operator->() { return &client; }

  SocketStream socket;
  TlsStream stream;
  Client client;
};

class Tls : public testing::Test {
 protected:
  std::unique_ptr<Server> start(Handler& handler, ServerOptions options = {}) {
    options.tls = identity.files;
    return start_server(handler, options);
  }

  TempDirectory directory;
  Identity identity{directory, "server"};
  FunctionHandler echo = echo_handler();
};

TEST_F(Tls, LoadsACertificateAndItsKey) { EXPECT_TRUE(TlsContext::load(identity.files).ok()); }

TEST_F(Tls, SaysWhatIsWrongWithTheFiles) {
  const Identity other(directory, "other");
  const std::string garbage_path = directory.path("garbage");
  std::ofstream(garbage_path) << "not a certificate";
  struct Case {
    TlsFiles files;
    std::string message;
  };
  const std::string absent = directory.path("absent");
  const std::string& certificate = identity.files.certificate_path;
  const std::string& key = identity.files.key_path;
  const std::vector<Case> cases = {
      {{absent, key}, "cannot read the TLS certificate " + absent + ": No such file or directory"},
      {{certificate, absent}, "cannot read the TLS key " + absent + ": No such file or directory"},
      {{"", key}, "no path was given for the TLS certificate"},
      {{garbage_path, key},
       "the TLS certificate " + garbage_path + " is not a chain of certificates in PEM form"},
      {{certificate, garbage_path}, "the TLS key " + garbage_path + " is not an unencrypted key in PEM form"},
      {{certificate, identity.encrypted_key_path},
       "the TLS key " + identity.encrypted_key_path + " is not an unencrypted key in PEM form"},
      {{certificate, other.files.key_path},
       "the TLS key " + other.files.key_path + " does not belong to the certificate " + certificate},
  };
  for (const Case& c : cases) {
    const auto context = TlsContext::load(c.files);
    ASSERT_FALSE(context.ok()) << c.message;
    EXPECT_EQ(context.error().code, Code::kInvalid);
    EXPECT_TRUE(context.error().message.starts_with(c.message)) << context.error().message;
  }
  EXPECT_FALSE(Server::start({.tls = cases[0].files}, echo).ok());
}

TEST_F(Tls, ServesLikeWithoutIt) {
  FunctionHandler handler([](const Request& request, Loop&, Respond respond) {
    respond({.body = (request.encrypted ? "encrypted " : "plain ") + std::string(request.body)});
  });
  const auto server = start(handler);
  TlsClient client(*server);
  ASSERT_TRUE(client.stream.is_connected());
  EXPECT_EQ(client.stream.version(), "TLSv1.3");
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(client->post(std::to_string(i)).body, "encrypted " + std::to_string(i));
  std::string text;
  for (int i = 0; i < 100; ++i) text += Client::post_text(std::to_string(i));
  ASSERT_TRUE(client->send(text));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(client->read_answer().body, "encrypted " + std::to_string(i));
}

TEST_F(Tls, SpeaksTls12AndNothingOlder) {
  const auto server = start(echo);
  TlsClient current(*server, {.version_max = TLS1_2_VERSION});
  ASSERT_TRUE(current.stream.is_connected());
  EXPECT_EQ(current->post("x").body, "x");
  TlsClient old(*server, {.version_max = TLS1_1_VERSION});
  EXPECT_FALSE(old.stream.is_connected());
}

TEST_F(Tls, CarriesLargeBodiesBothWays) {
  const auto server = start(echo);
  TlsClient client(*server);
  std::string body(kBodyBytesMax, 'x');
  for (size_t i = 0; i < body.size(); i += 999) body[i] = static_cast<char>(i >> 7);
  EXPECT_EQ(client->post(body).body, body);
  EXPECT_EQ(client->post("small").body, "small");
}

TEST_F(Tls, AClientThatDoesNotReadGetsAllWhenItDoes) {
  MemoryBudget budget({});
  FunctionHandler handler([](const Request& request, Loop&, Respond respond) {
    respond({.body = std::string(1 << 20, request.body[0])});
  });
  const auto server = start(handler, {.budget = &budget});
  TlsClient client(*server);
  std::string text;
  for (int i = 0; i < 40; ++i) text += Client::post_text(std::string(1, static_cast<char>('a' + i % 26)));
  ASSERT_TRUE(client->send(text));
  ASSERT_TRUE(eventually([&] { return budget.used_bytes() > 1 << 20; })) << "an answer lies there";
  for (int i = 0; i < 40; ++i)
    ASSERT_EQ(client->read_answer().body, std::string(1 << 20, static_cast<char>('a' + i % 26))) << i;
}

TEST_F(Tls, ChoosesHttp11) {
  const auto server = start(echo);
  TlsClient both(*server, {.protocols = "\x02h2\x08http/1.1"});
  EXPECT_EQ(both.stream.protocol(), "http/1.1");
  TlsClient other(*server, {.protocols = "\x02h2"});
  EXPECT_EQ(other.stream.protocol(), "");
}

TEST_F(Tls, ClosesWhoDoesNotSpeakIt) {
  const auto server = start(echo);
  SocketClient client(*server);
  client->send(Client::post_text("not encrypted"));
  EXPECT_NE(client->read_answer().status, 200);
  ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 0; }));
  EXPECT_EQ(server->figures().requests, 0u);
}

TEST_F(Tls, CutsOffAHandshakeThatDoesNotEnd) {
  ConnectionLimits limits;
  limits.head_ms = 60;
  const auto server = start(echo, {.limits = limits});
  SocketClient client(*server);
  EXPECT_TRUE(client->is_ended());
  EXPECT_EQ(server->figures().cut_off, 1u);
}

TEST_F(Tls, CutsOffARecordThatDoesNotEnd) {
  ConnectionLimits limits;
  limits.head_ms = 60;
  const auto server = start(echo, {.limits = limits});
  TlsClient client(*server);
  EXPECT_EQ(client->post("x").body, "x");
  ASSERT_TRUE(client.socket.write("\x17\x03\x03"));  // and then a length, and the rest
  EXPECT_TRUE(client->is_ended());
  EXPECT_EQ(server->figures().cut_off, 1u);
}

TEST_F(Tls, RefusesGarbageWithinIt) {
  const auto server = start(echo);
  TlsClient client(*server);
  EXPECT_EQ(client->ask("\x01garbage").status, 400);
  EXPECT_TRUE(client->is_ended());
}

TEST_F(Tls, ClosesWhenTheClientSaysGoodbye) {
  const auto server = start(echo);
  TlsClient client(*server);
  EXPECT_EQ(client->post("x").body, "x");
  client.stream.end_writing();
  EXPECT_TRUE(client->is_ended());
  ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 0; }));
}

TEST_F(Tls, FinishesAtShutdown) {
  const auto server = start(echo);
  TlsClient client(*server);
  EXPECT_EQ(client->post("x").body, "x");
  EXPECT_TRUE(server->shutdown(60'000));
  EXPECT_TRUE(client->is_ended());
}

}  // namespace
}  // namespace sheaf::http
