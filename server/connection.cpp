#include "server/connection.hpp"

#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <cerrno>
#include <span>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace server {

using Protocol = boost::asio::generic::stream_protocol;

Connection::Connection(Turn& turn, Connections& owner, std::size_t slot,
                       const AcceptedSocket& accepted)
    : turn_(turn),
      owner_(owner),
      slot_(slot),
      socket_(turn.io(), Protocol(accepted.family, 0), accepted.descriptor),
      session_(&turn.core().open_session(this)) {
  socket_.native_non_blocking(true);
  socket_.non_blocking(true);
  commands::ConnectionFigures& figures = session_->client().figures;
  figures.address = accepted.address;
  figures.local_address = accepted.local_address;
  figures.descriptor = accepted.descriptor;
  figures.is_unix_socket = accepted.family == AF_UNIX;
  figures.is_local = accepted.is_local;
}

void Connection::wait_for_input() {
  ++waits_;
  socket_.async_read_some(boost::asio::buffer(buffer_),
                          [this](const boost::system::error_code& error, std::size_t size) {
                            on_input(error ? 0 : size);
                          });
}

std::string_view Connection::arrived(std::size_t size) {
  if (size < buffer_.size()) return {buffer_.data(), size};
  const std::span<char> all = turn_.read_buffer();
  std::copy_n(buffer_.data(), size, all.data());
  const ssize_t more = ::recv(socket_.native_handle(), all.data() + size, all.size() - size, 0);
  // An end or an error shows again at the next read.
  return {all.data(), size + static_cast<std::size_t>(std::max<ssize_t>(more, 0))};
}

void Connection::on_input(std::size_t size) {
  --waits_;
  if (session_ == nullptr) return leave_if_unused();
  is_busy_ = true;
  if (size > 0) {
    session_->feed(arrived(size));
  } else {
    session_->hang_up();
  }
  turn_.finish();
  is_busy_ = false;
  if (session_ == nullptr) return leave_if_unused();
  wait_for_input();
}

void Connection::flush() {
  if (session_ == nullptr || waits_for_room_) return;
  const std::string_view bytes = session_->output();
  if (bytes.empty()) return;
  const ssize_t sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return session_->hang_up();
  if (sent > 0) session_->output_sent(static_cast<std::size_t>(sent));
  if (!session_->output().empty()) wait_for_room();
}

void Connection::wait_for_room() {
  ++waits_;
  waits_for_room_ = true;
  socket_.async_wait(boost::asio::socket_base::wait_write,
                     [this](const boost::system::error_code&) { on_room(); });
}

void Connection::on_room() {
  --waits_;
  waits_for_room_ = false;
  if (session_ == nullptr) return leave_if_unused();
  is_busy_ = true;
  flush();
  turn_.finish();
  is_busy_ = false;
  leave_if_unused();
}

void Connection::session_ended() {
  session_ = nullptr;
  boost::system::error_code ignored;
  static_cast<void>(socket_.close(ignored));
  if (!is_busy_) leave_if_unused();
}

void Connection::leave_if_unused() {
  if (session_ == nullptr && waits_ == 0) owner_.remove(slot_);
}

void Connections::open(const AcceptedSocket& accepted) {
  std::size_t slot = slots_.size();
  if (unused_.empty()) {
    slots_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  slots_[slot] = std::make_unique<Connection>(turn_, *this, slot, accepted);
  slots_[slot]->start();
}

void Connections::remove(std::size_t slot) {
  slots_[slot].reset();
  unused_.push_back(slot);
}

}  // namespace server
