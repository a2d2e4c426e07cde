// Encrypted connections, TLS 1.2 and newer, by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "http/socket.h"

struct ssl_ctx_st;
struct ssl_st;

namespace sheaf::http {

struct TlsFiles {
  std::string certificate_path;  // PEM: the server's own first, then the chain to the authority
  std::string key_path;          // PEM, not encrypted
};

// What one side of encrypted connections needs: a server its certificate and key, a client those whom it
// trusts. Thread-safe.
class TlsContext {
 public:
  // kInvalid, with a message that names the file, if one cannot be read or the two do not belong together.
  static Result<std::unique_ptr<TlsContext>> load(const TlsFiles& files);
  // For a client that trusts the authorities in a file in PEM form, or, without one, those that the system
  // does. kInvalid, with a message that names the file, if it cannot be read.
  static Result<std::unique_ptr<TlsContext>> load_for_client(const std::string& authorities_path);

  ssl_ctx_st* get() const { return context_.get(); }

 private:
  struct Deleter {
    void operator()(ssl_ctx_st* context) const;
  };
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  std::unique_ptr<ssl_ctx_st, Deleter> context_;
};

// One encrypted connection over a socket that never waits. It holds no buffers while nothing is under way.
class TlsSession {
 public:
  // The server's side. Both must outlive it; the socket keeps its place.
  TlsSession(const TlsContext& context, Socket& socket);
  // The client's side. Hands are only shaken with a server whose certificate is for `host`, a name or an
  // address, and comes from somebody whom the context trusts.
  TlsSession(const TlsContext& context, Socket& socket, const std::string& host);

  // kDone when both sides agreed. Until then nothing can be read or written.
  Io shake_hands();
  Io read(char* to, size_t bytes);
  // After kBlocked, the same bytes must be written again; they may lie elsewhere.
  Io write(std::string_view bytes);
  // Whether a read may find something that the socket has already given.
  bool may_read() const;
  // Tells the other side that no more will come, if that can be said without waiting.
  void end_writing();
  // What was wrong with the server's certificate, if hands were not shaken because of it.
  std::string distrust() const;

 private:
  struct Deleter {
    void operator()(ssl_st* session) const;
  };
  void attach(Socket& socket);
  Io state_after(int result);

  std::unique_ptr<ssl_st, Deleter> session_;
  bool is_broken_ = false;
};

}  // namespace sheaf::http
