// The limit: a server that does nothing but receive requests and send answers of a given size. One event loop
// for each processor, each with its own listening socket.
#pragma once

#include <cstdint>

namespace sheaf::bench {

// Serves on loopback and never returns. The target of a request is the size of its answer in bytes, head
// included: `POST /1215 HTTP/1.1`. Understands the requests of this benchmark and no others.
[[noreturn]] void serve_echo(uint16_t port);

}  // namespace sheaf::bench
