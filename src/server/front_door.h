// Which part of the server a request is for.
#pragma once

#include <string>

#include "http/exchange.h"
#include "http/origin_guard.h"

namespace sheaf::server {

// /models and what is below it to one handler, /heat, /collections and the workbench to others if there are
// such, all else to the last. Thread-safe if they are, and they must outlive it.
class FrontDoor final : public http::Handler {
 public:
  FrontDoor(http::Handler& models, http::Handler* heat, http::Handler* collections, http::Handler* workbench,
            http::Handler& others)
      : models_(models), heat_(heat), collections_(collections), workbench_(workbench), others_(others) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;
  void handle_overloaded(const http::Request& request, Loop& loop, http::Respond respond) override;
  http::Response refuse(http::Refusal reason) override { return others_.refuse(reason); }

 private:
  http::Handler& handler_of(const http::Request& request);

  http::Handler& models_;
  http::Handler* const heat_;
  http::Handler* const collections_;
  http::Handler* const workbench_;
  http::Handler& others_;
};

// In place of DynamoDB's API, where the items are behind another endpoint: says so. Thread-safe.
class NoItemsHere final : public http::Handler {
 public:
  NoItemsHere(http::OriginGuard guard, std::string endpoint)
      : guard_(std::move(guard)), endpoint_(std::move(endpoint)) {}

  void handle(const http::Request& request, Loop& loop, http::Respond respond) override;

 private:
  const http::OriginGuard guard_;
  const std::string endpoint_;
};

}  // namespace sheaf::server
