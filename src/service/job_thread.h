// Does the work that operations have left, of all models, again and again: copies and deletions whose process
// died before they were done.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "service/model_service.h"

namespace sheaf::service {

class JobThread {
 public:
  // Begins at once, and then every `period`. The service must outlive it.
  JobThread(const ModelService& service, std::chrono::milliseconds period);
  // As stop.
  ~JobThread();

  // Finishes the job that it is at, and ends the thread.
  void stop();

 private:
  void work();
  void work_once();

  const ModelService& service_;
  const std::chrono::milliseconds period_;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace sheaf::service
