#include "server/model_watch.h"

#include "base/log.h"
#include "server/prometheus_text.h"
#include "traffic/own_reads.h"
#include "watch/forms.h"

namespace sheaf::server {
namespace {

// Metrics must not grow without end; those of a model have as many lines as it has entities and relations.
constexpr size_t kFiguresMax = 500;
// What is read beside what is counted: items that look as if they were near their limit.
constexpr watch::SamplerOptions kSampling{.requests_per_minute = 60, .scans = false, .item_read_share = 0.5};

void tell(const watch::Event& event) {
  const watch::LimitText& limit = watch::text_of(event.limit);
  const bool is_grave =
      event.severity >= watch::Severity::kWarning && event.change != watch::Event::Change::kEnds;
  const bool is_flag = limit.measure == watch::Measure::kFlag;
  const std::string place =
      event.subject.index.empty() ? event.subject.table : event.subject.table + "/" + event.subject.index;
  log(is_grave ? LogLevel::kWarning : LogLevel::kInfo, "limit warning " + std::string(name_of(event.change)),
      {{"severity", lint::name_of(event.severity)},
       {"limit", limit.name},
       {"table", place},
       {"kind", event.subject.kind},
       {"what", limit.meaning},
       {"value", is_flag ? "" : watch::amount_text(event.limit, event.value)},
       {"line", is_flag ? "" : watch::amount_text(event.limit, event.line)},
       {"forecast", limit.is_of_traffic ? "" : watch::forecast_text(event.forecast)}});
}

}  // namespace

ModelWatch::ModelWatch(Database& database, watch::KeyNamesNow names, const watch::Lines& lines,
                       const Clock& clock)
    : database_(database), names_now_(std::move(names)), clock_(clock), watcher_({.lines = lines}) {}

ModelWatch::~ModelWatch() { stop(); }

void ModelWatch::start(std::chrono::milliseconds period) {
  thread_ = std::thread([this, period] {
    std::unique_lock lock(mutex_);
    while (!stopping_.wait_for(lock, period, [this] { return is_stopped_; })) {
      lock.unlock();
      look();
      lock.lock();
    }
  });
}

void ModelWatch::stop() {
  {
    std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  stopping_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ModelWatch::look() {
  std::shared_ptr<const watch::KeyNames> names = names_now_();
  if (names->empty()) return;
  if (names != names_) {
    sampler_.emplace(watch::source_of(database_), *names, std::vector<std::string>(), kSampling);
    names_ = std::move(names);
  }
  const traffic::OwnReads own;
  const auto events = sampler_->look(watcher_, clock_.now_us());
  if (!events.ok()) return;  // tables are being made, or deleted
  for (const watch::Event& event : *events) tell(event);
  std::vector<watch::Figure> figures = watcher_.figures();
  if (figures.size() > kFiguresMax) figures.resize(kFiguresMax);
  std::lock_guard lock(mutex_);
  figures_ = std::move(figures);
}

void ModelWatch::append_text(std::string& out) const {
  std::lock_guard lock(mutex_);
  PrometheusText text(out);
  const auto labels = [](const watch::Figure& figure) {
    return Labels{{"limit", watch::text_of(figure.limit).name},
                  {"table", figure.worst.table},
                  {"index", figure.worst.index},
                  {"kind", figure.worst.kind}};
  };
  text.begin("sheaf_limit_value", "gauge", "What is nearest to a limit, by entity or relation");
  for (const watch::Figure& figure : figures_) text.value(labels(figure), figure.value);
  text.begin("sheaf_limit_share", "gauge", "The same as a share of the limit: 1 is at it");
  for (const watch::Figure& figure : figures_) text.value(labels(figure), figure.share());
  text.begin("sheaf_limit_seconds", "gauge",
             "In how many seconds the next reaches the limit at the present rate");
  for (const watch::Figure& figure : figures_) {
    if (figure.soonest.kind == watch::Forecast::Kind::kIn) text.value(labels(figure), figure.soonest.seconds);
  }
  text.begin("sheaf_limit_warnings", "gauge", "How many keys are beyond a warning line");
  for (const watch::Figure& figure : figures_)
    text.value(labels(figure), static_cast<double>(figure.warnings));
}

}  // namespace sheaf::server
