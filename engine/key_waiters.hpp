// Who waits for which key (BLPOP, BZPOPMIN …), in order of arrival. A waiter waits for keys of one
// type in one database; it is told nothing: when such a key comes to be the name joins the ready
// ones, and whoever ends the frame serves the waiters (commands/dispatcher.cpp). All steps cost
// O(1), add() and remove() O(keys of the waiter).
#pragma once

#include "base/function_ref.hpp"
#include "engine/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine {

class KeyWaiters;

// Leaves the queues when it is destroyed.
class Waiter {
 public:
  Waiter();
  virtual ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

 private:
  friend class KeyWaiters;
  struct Place;
  KeyWaiters* waiters_ = nullptr;  // null: waits for nothing
  std::unique_ptr<Place[]> places_;
  std::size_t place_count_ = 0;
};

// A name that may have something for those who wait.
struct ReadyKey {
  int database = 0;
  Type type = Type::list;
  std::string key;
};

class KeyWaiters {
 public:
  KeyWaiters();
  ~KeyWaiters();
  KeyWaiters(const KeyWaiters&) = delete;
  KeyWaiters& operator=(const KeyWaiters&) = delete;

  // `waiter` waits for nothing yet. A key that is named twice counts once.
  void add(Waiter& waiter, int database, Type type, std::span<const std::string_view> keys);
  void remove(Waiter& waiter);
  [[nodiscard]] bool is_empty() const { return queues_.empty(); }

  // A key came to be.
  void created(int database, Type type, std::string_view key);
  // All keys of a database came to be at once: `type_of` gives the type of one, if it is there.
  void created_all(int database,
                   base::FunctionRef<std::optional<Type>(std::string_view key)> type_of);

  [[nodiscard]] bool has_ready() const { return !ready_.empty(); }
  // In the order in which they became ready.
  [[nodiscard]] std::optional<ReadyKey> take_ready();
  // The waiter that came first; null when nobody waits.
  [[nodiscard]] Waiter* first(const ReadyKey& key) const;

 private:
  friend class Waiter;
  struct Queue;
  [[nodiscard]] static std::string name_of(int database, Type type, std::string_view key);
  void make_ready(Queue& queue);
  void erase_if_unused(Queue& queue);

  // Keyed by database number, type and key.
  std::unordered_map<std::string, std::unique_ptr<Queue>> queues_;
  std::vector<Queue*> ready_;  // from ready_start_ on
  std::size_t ready_start_ = 0;
};

}  // namespace engine
