#include "service/job_thread.h"

#include "base/log.h"

namespace sheaf::service {

JobThread::JobThread(const ModelService& service, std::chrono::milliseconds period)
    : service_(service), period_(period), thread_([this] { work(); }) {}

JobThread::~JobThread() { stop(); }

void JobThread::stop() {
  {
    std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  stopping_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void JobThread::work() {
  std::unique_lock lock(mutex_);
  while (!is_stopped_) {
    lock.unlock();
    work_once();
    lock.lock();
    stopping_.wait_for(lock, period_, [this] { return is_stopped_; });
  }
}

void JobThread::work_once() {
  for (const std::shared_ptr<const ServedModel>& model : service_.models()) {
    {
      std::lock_guard lock(mutex_);
      if (is_stopped_) return;
    }
    const Result<run::WriteReply> worked = model->live().work();
    if (!worked.ok()) {
      log(LogLevel::kWarning, "jobs of a model could not be done",
          {{"model", model->name()}, {"reason", worked.error().message}});
    } else if (worked->copies > 0 || worked->deleted > 0) {
      log(LogLevel::kInfo, "jobs of a model were done",
          {{"model", model->name()},
           {"copies", std::to_string(worked->copies)},
           {"deleted", std::to_string(worked->deleted)}});
    }
  }
}

}  // namespace sheaf::service
