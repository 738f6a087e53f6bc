#include <heddle/sim/explore/worker.hpp>

#include <cerrno>
#include <cstring>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

#include <heddle/sim/explore/rebind.hpp>

namespace heddle::sim::engine {

namespace {

bool read_all(int socket, char* into, std::size_t count) {
  while (count > 0) {
    const ::ssize_t got = ::read(socket, into, count);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got < 0) continue;
    into += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

class Worker {
 public:
  Worker(Exhaustive& search, const WorkerPlace& place)
      : search_(search), desk_(*place.desk), board_(*place.board), place_(place) {}

  void run() {
    Message message;
    while (receive_message(place_.socket, message)) {
      Message answer;
      try {
        search_.load(read_task(message.text));
        explore(answer);
      } catch (const RebindError& error) {
        answer = {Message::Kind::not_repeated, error.what(), {}};
      }
      send_message(place_.socket, answer);
    }
  }

 private:
  void explore(Message& result) {
    result.kind = Message::Kind::result;
    Tally& tally = result.tally;
    publish(tally);
    for (;;) {
      if (board_.limited && board_.runs_left.fetch_sub(1) <= 0) {
        result.text = write_task(search_.save());
        if (!search_.advance()) result.text.clear();
        return;
      }
      if (!search_.advance()) {
        if (board_.limited) board_.runs_left.fetch_add(1);
        return;
      }
      search_.run(tally);
      publish(tally);
      if (tally.failure && place_.stop_at_first_failure) return;
      if (desk_.signals.load(std::memory_order_relaxed) != 0 && !answer_signals(result)) return;
    }
  }

  void publish(const Tally& tally) {
    desk_.executions.store(tally.executions, std::memory_order_relaxed);
    desk_.blocked.store(tally.blocked, std::memory_order_relaxed);
    desk_.failures.store(tally.failures, std::memory_order_relaxed);
    desk_.share.store(tally.share, std::memory_order_relaxed);
  }

  // False: the task ends here.
  bool answer_signals(Message& result) {
    const std::uint32_t signals = desk_.signals.exchange(0);
    if ((signals & Desk::stop) != 0) {
      result.text = write_task(search_.save());
      return false;
    }
    if ((signals & Desk::give) != 0) {
      const std::optional<Task> given = search_.split();
      send_message(place_.socket,
                   {Message::Kind::given, given ? write_task(*given) : std::string(), {}});
    }
    if ((signals & Desk::snapshot) != 0) {
      send_message(place_.socket, {Message::Kind::state, write_task(search_.save()), result.tally});
    }
    return true;
  }

  Exhaustive& search_;
  Desk& desk_;
  Board& board_;
  WorkerPlace place_;
};

}  // namespace

void send_message(int socket, const Message& message) {
  ByteWriter out;
  out.number(static_cast<std::uint64_t>(message.kind));
  out.text(message.text);
  write(out, message.tally);
  const std::uint64_t size = out.bytes().size();
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes += out.bytes();
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ::ssize_t sent = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return;
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool receive_message(int socket, Message& message) {
  std::uint64_t size = 0;
  char head[sizeof size];
  if (!read_all(socket, head, sizeof head)) return false;
  std::memcpy(&size, head, sizeof size);
  std::string bytes(size, '\0');
  if (!read_all(socket, bytes.data(), bytes.size())) return false;
  ByteReader in(bytes);
  message.kind = static_cast<Message::Kind>(in.number());
  message.text = in.text();
  message.tally = read_tally(in);
  return true;
}

void work(Exhaustive& search, const WorkerPlace& place) { Worker(search, place).run(); }

}  // namespace heddle::sim::engine
