#include "http/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "base/try.h"

namespace sheaf::http {
namespace {

// In the form of ALPN.
constexpr unsigned char kSpokenProtocols[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

// The library's own reason, if it gave one.
std::string library_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason == nullptr ? "" : std::string(": ") + reason;
}

Result<void> check_readable(const char* what, const std::string& path) {
  if (path.empty()) return Error{Code::kInvalid, std::string("no path was given for the TLS ") + what};
  if (::access(path.c_str(), R_OK) == 0) return {};
  return Error{Code::kInvalid, std::string("cannot read the TLS ") + what + " " + path + ": " +
                                   std::system_category().message(errno)};
}

// Nobody is there to type a password.
int no_password(char*, int, int, void*) { return 0; }

// Of the protocols that the client offers, the one that is spoken here; without it, go on and hope.
int select_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_bytes,
                    const unsigned char* offered, unsigned int offered_bytes, void*) {
  unsigned char* found = nullptr;
  const int result = SSL_select_next_proto(&found, chosen_bytes, kSpokenProtocols, sizeof kSpokenProtocols,
                                           offered, offered_bytes);
  if (result != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_NOACK;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

// OpenSSL's view of a Socket. Its own would raise SIGPIPE and ask drained sockets once more.
int socket_read(BIO* bio, char* to, size_t bytes, size_t* got) {
  const Io io = static_cast<Socket*>(BIO_get_data(bio))->read(to, bytes);
  BIO_clear_retry_flags(bio);
  *got = io.bytes;
  switch (io.state) {
    case IoState::kDone:
      return 1;
    case IoState::kBlocked:
      BIO_set_retry_read(bio);
      return -1;
    case IoState::kEnded:
      BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
      return 0;
    case IoState::kFailed:
      return -1;
  }
  return -1;
}

int socket_write(BIO* bio, const char* from, size_t bytes, size_t* written) {
  const Io io = static_cast<Socket*>(BIO_get_data(bio))->write({from, bytes});
  BIO_clear_retry_flags(bio);
  *written = io.bytes;
  if (io.state == IoState::kDone) return 1;
  if (io.state == IoState::kBlocked) BIO_set_retry_write(bio);
  return -1;
}

long socket_control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_FLUSH) return 1;
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
  return 0;
}

const BIO_METHOD* socket_methods() {
  static const BIO_METHOD* const methods = [] {
    BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (made == nullptr) std::abort();  // out of memory
    BIO_meth_set_read_ex(made, socket_read);
    BIO_meth_set_write_ex(made, socket_write);
    BIO_meth_set_ctrl(made, socket_control);
    return made;
  }();
  return methods;
}

}  // namespace

void TlsContext::Deleter::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

Result<std::unique_ptr<TlsContext>> TlsContext::load(const TlsFiles& files) {
  TRY(check_readable("certificate", files.certificate_path));
  TRY(check_readable("key", files.key_path));
  ERR_clear_error();
  std::unique_ptr<TlsContext> context(new TlsContext(SSL_CTX_new(TLS_server_method())));
  SSL_CTX* const raw = context->get();
  if (raw == nullptr) return Error{Code::kInvalid, "cannot set up TLS" + library_reason()};
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  // Answers are framed by their length, so an end without notice hides nothing.
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                               SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(
      raw, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(raw, 1);  // one system call a record, not one for its length first
  // Sessions come back by tickets, which the client keeps.
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_default_passwd_cb(raw, no_password);
  SSL_CTX_set_alpn_select_cb(raw, select_protocol, nullptr);

  if (SSL_CTX_use_certificate_chain_file(raw, files.certificate_path.c_str()) != 1)
    return Error{Code::kInvalid, "the TLS certificate " + files.certificate_path +
                                     " is not a chain of certificates in PEM form" + library_reason()};
  if (SSL_CTX_use_PrivateKey_file(raw, files.key_path.c_str(), SSL_FILETYPE_PEM) != 1) {
    const bool is_other_key = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH;
    if (!is_other_key)
      return Error{Code::kInvalid, "the TLS key " + files.key_path +
                                       " is not an unencrypted key in PEM form" + library_reason()};
  }
  if (SSL_CTX_check_private_key(raw) != 1)
    return Error{Code::kInvalid, "the TLS key " + files.key_path + " does not belong to the certificate " +
                                     files.certificate_path};
  return context;
}

Result<std::unique_ptr<TlsContext>> TlsContext::load_for_client(const std::string& authorities_path) {
  if (!authorities_path.empty()) TRY(check_readable("authorities", authorities_path));
  ERR_clear_error();
  std::unique_ptr<TlsContext> context(new TlsContext(SSL_CTX_new(TLS_client_method())));
  SSL_CTX* const raw = context->get();
  if (raw == nullptr) return Error{Code::kInvalid, "cannot set up TLS" + library_reason()};
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(raw, 1);
  SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nullptr);
  if (authorities_path.empty()) {
    SSL_CTX_set_default_verify_paths(raw);
  } else if (SSL_CTX_load_verify_file(raw, authorities_path.c_str()) != 1) {
    return Error{Code::kInvalid, "the TLS authorities " + authorities_path +
                                     " are not certificates in PEM form" + library_reason()};
  }
  return context;
}

void TlsSession::Deleter::operator()(ssl_st* session) const { SSL_free(session); }

TlsSession::TlsSession(const TlsContext& context, Socket& socket) : session_(SSL_new(context.get())) {
  attach(socket);
  SSL_set_accept_state(session_.get());
}

TlsSession::TlsSession(const TlsContext& context, Socket& socket, const std::string& host)
    : session_(SSL_new(context.get())) {
  attach(socket);
  SSL* const raw = session_.get();
  // An address is looked for among the certificate's addresses and is no name that could be asked for.
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), host.c_str()) != 1) {
    // What the macro for it would call, with a cast of its own.
    void* const name = const_cast<char*>(host.c_str());
    if (SSL_set1_host(raw, host.c_str()) != 1 ||
        SSL_ctrl(raw, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name) != 1)
      std::abort();  // out of memory
  }
  SSL_set_hostflags(raw, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  SSL_set_alpn_protos(raw, kSpokenProtocols, sizeof kSpokenProtocols);
  SSL_set_connect_state(raw);
}

void TlsSession::attach(Socket& socket) {
  BIO* const bio = BIO_new(socket_methods());
  if (session_ == nullptr || bio == nullptr) std::abort();  // out of memory
  BIO_set_data(bio, &socket);
  BIO_set_init(bio, 1);
  SSL_set_bio(session_.get(), bio, bio);  // which owns it now
}

Io TlsSession::state_after(int result) {
  switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return {IoState::kBlocked};
    case SSL_ERROR_ZERO_RETURN:
      return {IoState::kEnded};
    default:
      is_broken_ = true;
      return {IoState::kFailed};
  }
}

Io TlsSession::shake_hands() {
  ERR_clear_error();
  const int result = SSL_do_handshake(session_.get());
  return result == 1 ? Io{IoState::kDone} : state_after(result);
}

Io TlsSession::read(char* to, size_t bytes) {
  ERR_clear_error();
  size_t got = 0;
  const int result = SSL_read_ex(session_.get(), to, bytes, &got);
  return result == 1 ? Io{IoState::kDone, got} : state_after(result);
}

Io TlsSession::write(std::string_view bytes) {
  ERR_clear_error();
  size_t written = 0;
  const int result = SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &written);
  return result == 1 ? Io{IoState::kDone, written} : state_after(result);
}

bool TlsSession::may_read() const { return SSL_has_pending(session_.get()) == 1; }

void TlsSession::end_writing() {
  if (is_broken_ || !SSL_is_init_finished(session_.get())) return;
  ERR_clear_error();
  SSL_shutdown(session_.get());
}

std::string TlsSession::distrust() const {
  const long verdict = SSL_get_verify_result(session_.get());
  return verdict == X509_V_OK ? "" : X509_verify_cert_error_string(verdict);
}

}  // namespace sheaf::http
