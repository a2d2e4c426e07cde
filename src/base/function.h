// Two callables that the standard library of C++20 lacks.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace sheaf {

template <typename Signature>
class FunctionRef;

// Borrows a callable for the time of a call.
template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& callable)  // NOLINT: implicit, so that a lambda can be passed
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* erased, Args... args) -> R {
          auto& held = *static_cast<std::remove_reference_t<F>*>(erased);
          if constexpr (std::is_void_v<R>) {
            held(std::forward<Args>(args)...);
          } else {
            return held(std::forward<Args>(args)...);
          }
        }) {}

  R operator()(Args... args) const { return call_(callable_, std::forward<Args>(args)...); }

 private:
  void* callable_;
  R (*call_)(void*, Args...);
};

template <typename Signature>
class UniqueFunction;

// Owns a callable that need not be copyable.
template <typename R, typename... Args>
class UniqueFunction<R(Args...)> {
 public:
  UniqueFunction() = default;
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, UniqueFunction> && std::is_invocable_r_v<R, F&, Args...>)
      UniqueFunction(F callable)  // NOLINT: implicit, so that a lambda can be passed
      : callable_(std::make_unique<Holder<F>>(std::move(callable))) {}

  explicit operator bool() const { return callable_ != nullptr; }
  R operator()(Args... args) { return callable_->call(std::forward<Args>(args)...); }

 private:
  struct Callable {
    virtual ~Callable() = default;
    virtual R call(Args... args) = 0;
  };
  template <typename F>
  struct Holder final : Callable {
    explicit Holder(F held) : callable(std::move(held)) {}
    R call(Args... args) override {
      if constexpr (std::is_void_v<R>) {
        callable(std::forward<Args>(args)...);
      } else {
        return callable(std::forward<Args>(args)...);
      }
    }
    F callable;
  };

  std::unique_ptr<Callable> callable_;
};

}  // namespace sheaf
