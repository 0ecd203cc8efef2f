/* hiredis as C programs use it: locks by SET NX PX and scripts, BLPOP, pipelines, subscriptions.
 * Runs against the server whose port is in MORTISE_PORT; its last line counts. */
#include <hiredis/hiredis.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char* const release_script =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
static const char* const renew_script =
    "if redis.call('get', KEYS[1]) == ARGV[1] then "
    "return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";

/* Ends the test in hand, of which `failed_at` then tells the line. */
#define CHECK(condition)    \
  do {                      \
    if (!(condition)) {     \
      failed_at = __LINE__; \
      return;               \
    }                       \
  } while (0)

static int failed_at;
static redisContext* mine;
static redisContext* theirs;

typedef struct {
  redisContext* connection;
  const char* name;
  size_t name_size;
  const char* token;
} lock_t;

static redisContext* connect_server(void) {
  struct timeval patience = {10, 0};
  redisContext* connection =
      redisConnectWithTimeout("127.0.0.1", atoi(getenv("MORTISE_PORT")), patience);
  if (connection == NULL || connection->err) {
    fprintf(stderr, "no connection: %s\n", connection ? connection->errstr : "no memory");
    exit(1);
  }
  redisSetTimeout(connection, patience);
  return connection;
}

/* The reply as an integer; -1000 when it is nil or an error, 1 when it is OK. */
static long long integer_of(redisReply* reply) {
  long long value = -1000;
  if (reply != NULL && reply->type == REDIS_REPLY_INTEGER) value = reply->integer;
  if (reply != NULL && reply->type == REDIS_REPLY_STATUS) value = 1;
  if (reply != NULL) freeReplyObject(reply);
  return value;
}

static long long ask(redisContext* connection, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  redisReply* reply = redisvCommand(connection, format, arguments);
  va_end(arguments);
  return integer_of(reply);
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static lock_t lock_of(redisContext* connection, const char* name, const char* token) {
  lock_t lock = {connection, name, strlen(name), token};
  return lock;
}

static int acquire(lock_t lock, int lease) {
  return ask(lock.connection, "SET %b %s NX PX %d", lock.name, lock.name_size, lock.token, lease) ==
         1;
}

/* What SCRIPT LOAD answered for the one script and the other, and how often it was asked. */
static char digests[2][64] = {"unknown", "unknown"};
static int loads;

static void load(redisContext* connection, const char* script) {
  redisReply* reply = redisCommand(connection, "SCRIPT LOAD %s", script);
  snprintf(digests[script == renew_script], sizeof digests[0], "%s", reply->str);
  freeReplyObject(reply);
  loads++;
}

/* EVALSHA; after NOSCRIPT the script is loaded and called again. */
static long long call_script(lock_t lock, const char* script, int lease) {
  for (int attempt = 0; attempt < 2; attempt++) {
    const char* digest = digests[script == renew_script];
    redisReply* reply = redisCommand(lock.connection, "EVALSHA %s 1 %b %s %d", digest, lock.name,
                                     lock.name_size, lock.token, lease);
    int is_missing = reply != NULL && reply->type == REDIS_REPLY_ERROR &&
                     strncmp(reply->str, "NOSCRIPT ", 9) == 0;
    if (!is_missing) return integer_of(reply);
    freeReplyObject(reply);
    load(lock.connection, script);
  }
  return -1000;
}

static int release(lock_t lock) {
  return call_script(lock, release_script, 0) == 1;
}
static int renew(lock_t lock, int lease) {
  return call_script(lock, renew_script, lease) == 1;
}

static long long remaining(lock_t lock) {
  return ask(lock.connection, "PTTL %b", lock.name, lock.name_size);
}

static void acquire_contend_release(void) {
  lock_t first = lock_of(mine, "lock:order", "mine");
  lock_t second = lock_of(theirs, "lock:order", "theirs");
  CHECK(acquire(first, 30000));
  CHECK(!acquire(second, 30000));
  CHECK(remaining(first) > 20000 && remaining(first) <= 30000);
  CHECK(release(first));
  CHECK(remaining(first) == -2);
  CHECK(acquire(second, 30000));
}

static void a_stranger_neither_releases_nor_renews(void) {
  lock_t first = lock_of(mine, "lock:order", "mine");
  lock_t stranger = lock_of(theirs, "lock:order", "theirs");
  CHECK(acquire(first, 30000));
  CHECK(!release(stranger));
  CHECK(!renew(stranger, 60000));
  CHECK(remaining(first) <= 30000);
  CHECK(release(first) && !release(first));
}

static void expires_with_its_lease_and_not_before(void) {
  lock_t stalled = lock_of(mine, "lock:order", "mine");
  lock_t next = lock_of(theirs, "lock:order", "theirs");
  double begin = milliseconds();
  CHECK(acquire(stalled, 400));
  while (!acquire(next, 30000)) {
    CHECK(milliseconds() - begin < 20000);
    usleep(2000);
  }
  CHECK(milliseconds() - begin >= 399);
  CHECK(!renew(stalled, 60000) && !release(stalled));
  CHECK(remaining(next) > 20000 && remaining(next) <= 30000);
}

static void renewal_keeps_it_past_three_leases(void) {
  lock_t first = lock_of(mine, "lock:order", "mine");
  lock_t second = lock_of(theirs, "lock:order", "theirs");
  CHECK(acquire(first, 1500));
  for (int i = 0; i < 16; i++) {
    usleep(300000);
    CHECK(renew(first, 1500));
    CHECK(!acquire(second, 1500));
  }
  CHECK(release(first));
}

static void names_and_values_are_binary(void) {
  char bytes[256];
  for (int i = 0; i < 256; i++) bytes[i] = (char)i;
  CHECK(ask(mine, "SET %b %b NX PX 30000", bytes, sizeof bytes, bytes, sizeof bytes) == 1);
  redisReply* reply = redisCommand(theirs, "GET %b", bytes, sizeof bytes);
  int is_same =
      reply != NULL && reply->len == sizeof bytes && !memcmp(reply->str, bytes, reply->len);
  freeReplyObject(reply);
  CHECK(is_same);
  lock_t odd = {mine, "\0\r\n$3\r\n", 7, "mine"};
  CHECK(acquire(odd, 30000) && renew(odd, 40000) && remaining(odd) > 30000 && release(odd));
  CHECK(ask(mine, "DBSIZE") == 1);
}

static void scripts_are_loaded_again_after_a_flush(void) {
  lock_t first = lock_of(mine, "lock:order", "mine");
  for (int round = 0; round < 3; round++) {
    CHECK(acquire(first, 30000) && renew(first, 30000));
    CHECK(ask(theirs, "SCRIPT FLUSH") == 1);
    int before = loads;
    CHECK(renew(first, 40000) && loads == before + 1);
    CHECK(ask(theirs, "SCRIPT FLUSH") == 1);
    CHECK(release(first) && loads == before + 2);
  }
}

static void a_blocked_reader_is_served(void) {
  /* Sent, but not yet answered: the connection blocks on the server. */
  redisAppendCommand(mine, "BLPOP other signal 10");
  int done = 0;
  while (!done) CHECK(redisBufferWrite(mine, &done) == REDIS_OK);
  usleep(100000);
  CHECK(ask(theirs, "LPUSH signal go") == 1);
  redisReply* reply = NULL;
  CHECK(redisGetReply(mine, (void**)&reply) == REDIS_OK);
  int is_served = reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
                  !strcmp(reply->element[0]->str, "signal") &&
                  !strcmp(reply->element[1]->str, "go");
  freeReplyObject(reply);
  CHECK(is_served);
  reply = redisCommand(mine, "BLPOP signal 0.05");
  int is_nil = reply != NULL && reply->type == REDIS_REPLY_NIL;
  freeReplyObject(reply);
  CHECK(is_nil);
}

static void a_pipeline_keeps_its_order(void) {
  for (int i = 0; i < 1000; i++)
    redisAppendCommand(mine, i == 500 ? "LPUSH counter x" : "INCR counter");
  for (int i = 0; i < 1000; i++) {
    redisReply* reply = NULL;
    CHECK(redisGetReply(mine, (void**)&reply) == REDIS_OK);
    int type = reply->type;
    long long value = integer_of(reply);
    CHECK(i == 500 ? type == REDIS_REPLY_ERROR : value == (i < 500 ? i + 1 : i));
  }
}

static void a_subscriber_is_woken(void) {
  redisContext* subscriber = connect_server();
  freeReplyObject(redisCommand(subscriber, "SUBSCRIBE released"));
  CHECK(ask(mine, "PUBLISH released lock:order") == 1);
  redisReply* reply = NULL;
  CHECK(redisGetReply(subscriber, (void**)&reply) == REDIS_OK);
  int is_message = reply->elements == 3 && !strcmp(reply->element[0]->str, "message") &&
                   !strcmp(reply->element[2]->str, "lock:order");
  freeReplyObject(reply);
  redisFree(subscriber);
  CHECK(is_message);
}

static void replies_nest(void) {
  redisReply* reply =
      redisCommand(mine, "EVAL %s 0", "return {1, 'two', false, {3.99, {}}, {ok='S'}}");
  int is_right = reply != NULL && reply->elements == 5 && reply->element[0]->integer == 1 &&
                 reply->element[2]->type == REDIS_REPLY_NIL && reply->element[3]->elements == 2 &&
                 reply->element[3]->element[0]->integer == 3 &&
                 reply->element[4]->type == REDIS_REPLY_STATUS;
  freeReplyObject(reply);
  CHECK(is_right);
  CHECK(ask(mine, "ZADD scores 1.5 a -2 b") == 2);
  reply = redisCommand(mine, "ZRANGE scores 0 -1 WITHSCORES");
  is_right = reply != NULL && reply->elements == 4 && !strcmp(reply->element[1]->str, "-2") &&
             !strcmp(reply->element[3]->str, "1.5");
  freeReplyObject(reply);
  CHECK(is_right);
}

static const struct {
  const char* name;
  void (*run)(void);
} tests[] = {
    {"acquire, contend, release", acquire_contend_release},
    {"a stranger neither releases nor renews", a_stranger_neither_releases_nor_renews},
    {"expires with its lease and not before", expires_with_its_lease_and_not_before},
    {"renewal keeps it past three leases", renewal_keeps_it_past_three_leases},
    {"names and values are binary", names_and_values_are_binary},
    {"scripts are loaded again after a flush", scripts_are_loaded_again_after_a_flush},
    {"a blocked reader is served", a_blocked_reader_is_served},
    {"a pipeline keeps its order", a_pipeline_keeps_its_order},
    {"a subscriber is woken", a_subscriber_is_woken},
    {"replies nest", replies_nest},
};

int main(void) {
  size_t count = sizeof tests / sizeof tests[0];
  size_t failed = 0;
  if (getenv("MORTISE_PORT") == NULL) {
    fprintf(stderr, "MORTISE_PORT is not set: run by with_server.py\n");
    return 1;
  }
  for (size_t i = 0; i < count; i++) {
    mine = connect_server();
    theirs = connect_server();
    failed_at = ask(mine, "FLUSHALL") == 1 ? 0 : __LINE__;
    if (failed_at == 0) tests[i].run();
    if (failed_at != 0) {
      failed++;
      printf("FAILED: %s (line %d) %s\n", tests[i].name, failed_at, mine->errstr);
    }
    redisFree(mine);
    redisFree(theirs);
  }
  printf("hiredis: %zu passed, %zu failed\n", count - failed, failed);
  return failed != 0;
}
