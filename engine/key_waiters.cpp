#include "engine/key_waiters.hpp"

#include "base/assert.hpp"

#include <utility>

namespace engine {

// A waiter in the queue of one key.
struct Waiter::Place {
  Waiter* waiter = nullptr;
  KeyWaiters::Queue* queue = nullptr;  // null: the key was named before
  Place* previous = nullptr;
  Place* next = nullptr;
};

struct KeyWaiters::Queue {
  std::string_view name;  // of the map
  Waiter::Place* first = nullptr;
  Waiter::Place* last = nullptr;
  bool is_ready = false;
};

namespace {
constexpr std::size_t key_offset = 2;  // behind database and type
}  // namespace

Waiter::Waiter() = default;

Waiter::~Waiter() {
  if (waiters_ != nullptr) waiters_->remove(*this);
}

KeyWaiters::KeyWaiters() = default;
KeyWaiters::~KeyWaiters() = default;

std::string KeyWaiters::name_of(int database, Type type, std::string_view key) {
  std::string name;
  name.reserve(key_offset + key.size());
  name.push_back(static_cast<char>(database));
  name.push_back(static_cast<char>(type));
  name.append(key);
  return name;
}

void KeyWaiters::add(Waiter& waiter, int database, Type type,
                     std::span<const std::string_view> keys) {
  ASSERT(waiter.waiters_ == nullptr);
  waiter.waiters_ = this;
  waiter.places_ = std::make_unique<Waiter::Place[]>(keys.size());
  waiter.place_count_ = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [at, is_new] = queues_.try_emplace(name_of(database, type, keys[i]));
    if (is_new) {
      at->second = std::make_unique<Queue>();
      at->second->name = at->first;
    }
    Queue& queue = *at->second;
    // Its place, if it has one, is the last: nobody else came in between.
    if (queue.last != nullptr && queue.last->waiter == &waiter) continue;
    Waiter::Place& place = waiter.places_[i];
    place = {&waiter, &queue, queue.last, nullptr};
    (queue.last != nullptr ? queue.last->next : queue.first) = &place;
    queue.last = &place;
  }
}

void KeyWaiters::remove(Waiter& waiter) {
  for (std::size_t i = 0; i < waiter.place_count_; ++i) {
    Waiter::Place& place = waiter.places_[i];
    if (place.queue == nullptr) continue;
    Queue& queue = *place.queue;
    (place.previous != nullptr ? place.previous->next : queue.first) = place.next;
    (place.next != nullptr ? place.next->previous : queue.last) = place.previous;
    erase_if_unused(queue);
  }
  waiter.places_.reset();
  waiter.place_count_ = 0;
  waiter.waiters_ = nullptr;
}

void KeyWaiters::erase_if_unused(Queue& queue) {
  if (queue.first != nullptr || queue.is_ready) return;
  queues_.erase(queues_.find(std::string(queue.name)));
}

void KeyWaiters::make_ready(Queue& queue) {
  if (std::exchange(queue.is_ready, true)) return;
  ready_.push_back(&queue);
}

void KeyWaiters::created(int database, Type type, std::string_view key) {
  const auto found = queues_.find(name_of(database, type, key));
  if (found != queues_.end()) make_ready(*found->second);
}

void KeyWaiters::created_all(int database,
                             base::FunctionRef<std::optional<Type>(std::string_view key)> type_of) {
  for (const auto& [name, queue] : queues_) {
    if (name[0] != static_cast<char>(database)) continue;
    const auto type = type_of(queue->name.substr(key_offset));
    if (type && static_cast<char>(*type) == name[1]) make_ready(*queue);
  }
}

std::optional<ReadyKey> KeyWaiters::take_ready() {
  if (ready_start_ == ready_.size()) {
    ready_.clear();
    ready_start_ = 0;
    return std::nullopt;
  }
  Queue& queue = *ready_[ready_start_++];
  queue.is_ready = false;
  ReadyKey key{static_cast<unsigned char>(queue.name[0]), static_cast<Type>(queue.name[1]),
               std::string(queue.name.substr(key_offset))};
  erase_if_unused(queue);
  return key;
}

Waiter* KeyWaiters::first(const ReadyKey& key) const {
  const auto found = queues_.find(name_of(key.database, key.type, key.key));
  if (found == queues_.end() || found->second->first == nullptr) return nullptr;
  return found->second->first->waiter;
}

}  // namespace engine
