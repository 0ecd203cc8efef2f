// LD_PRELOAD: remembers what a power failure would take away. Every call that changes a file below
// DISK_SHIM_DIR, or a name there, is logged before it is made, with the bytes that it replaces; so
// is every fdatasync and fsync. tests/crash/disk_log.py reads the log once the process was killed
// and puts the old bytes, sizes and names back. Two threads may call at once: "called" and
// "returned" are numbers of one clock, and a sync covers what had returned when it was called.
//
//   DISK_SHIM_DIR      absolute path of the directory to watch, without links in it
//   DISK_SHIM_KEEP     directory on the same file system, outside of it: each file gets a second
//                      name there, its inode number, so that no inode is lost or used again
//   DISK_SHIM_LOG      the log, mapped, so that the end of this process loses none of it. One that
//                      is there goes on: what an earlier process did not sync may still be lost.
//   DISK_SHIM_SYNC_US  a sync begins up to that much later, at random: disks are slow
//
//   log     "DISKLOG1", u64 used bytes, u64 clock, 40 bytes unused, entry*
//   entry   struct entry, then data_bytes of old bytes, or of names ("from\0to\0"), to a multiple
//           of 8. kind is written last: the process can be killed at any instant.
//
// sync_file_range, sync and syncfs count for nothing here. What would escape (O_TRUNC, a copy of a
// descriptor, a shared mapping, punched holes) ends the process loudly.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { no_entry, change, create, make_directory, move, removal, file_sync, directory_sync };
enum { descriptors_max = 65536, log_bytes_max = 1 << 30, flag_durable = 1 };
static const uint64_t failed = UINT64_MAX;

struct entry {
  _Atomic uint32_t kind;
  uint32_t flags;
  uint64_t bytes;   // of this entry with its data
  uint64_t called;  // the clock when the call began
  _Atomic uint64_t returned;  // 0: it has not; all ones: with an error
  _Atomic uint64_t inode;
  uint64_t offset, length;      // change: the range
  uint64_t old_size, new_size;  // change: of the file
  uint64_t data_bytes;
};

struct log {
  char magic[8];
  uint64_t used;
  _Atomic uint64_t clock;
  uint64_t unused[5];
};

struct descriptor {
  _Atomic uint64_t inode;  // 0: not one of ours
  int is_directory;
  int is_durable;  // O_SYNC or O_DSYNC
};

static struct log* journal;  // null: this process is not watched
static char root[PATH_MAX];
static size_t root_length;
static const char* keep;
static long sync_us_max;
static struct descriptor descriptors[descriptors_max];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Null before prepare(): of the first calls, those that a sanitizer makes, see below.
#define REAL(name) static __typeof__(&name) real_##name
REAL(open);
REAL(openat);
REAL(close);
REAL(closedir);
REAL(write);
REAL(pwrite);
REAL(writev);
REAL(pwritev);
REAL(pwritev2);
REAL(ftruncate);
REAL(fallocate);
REAL(fdatasync);
REAL(fsync);
REAL(rename);
REAL(renameat);
REAL(unlink);
REAL(unlinkat);
REAL(mkdir);
REAL(mkdirat);
REAL(mmap);
REAL(dup);
REAL(dup2);
REAL(dup3);

static void die(const char* what) {
  dprintf(STDERR_FILENO, "disk_shim: %s\n", what);
  _exit(99);
}

static void open_log(const char* path) {
  const int file = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || real_ftruncate(file, log_bytes_max) != 0) die("cannot open DISK_SHIM_LOG");
  struct log* mapped =
      real_mmap(NULL, log_bytes_max, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) die("cannot map DISK_SHIM_LOG");
  real_close(file);
  if (mapped->used == 0) {
    memcpy(mapped->magic, "DISKLOG1", 8);
    mapped->used = sizeof *mapped;
  }
  journal = mapped;
}

__attribute__((constructor)) static void prepare(void) {
#define FIND(name) real_##name = (__typeof__(real_##name))dlsym(RTLD_NEXT, #name)
  FIND(open), FIND(openat), FIND(close), FIND(closedir);
  FIND(write), FIND(pwrite), FIND(writev), FIND(pwritev), FIND(pwritev2);
  FIND(ftruncate), FIND(fallocate), FIND(fdatasync), FIND(fsync);
  FIND(rename), FIND(renameat), FIND(unlink), FIND(unlinkat), FIND(mkdir), FIND(mkdirat);
  FIND(mmap), FIND(dup), FIND(dup2), FIND(dup3);
  const char* directory = getenv("DISK_SHIM_DIR");
  const char* path = getenv("DISK_SHIM_LOG");
  keep = getenv("DISK_SHIM_KEEP");
  if (directory == NULL || path == NULL || keep == NULL) return;
  root_length = strlen(directory);
  if (root_length >= sizeof root) die("DISK_SHIM_DIR is too long");
  memcpy(root, directory, root_length + 1);
  if (getenv("DISK_SHIM_SYNC_US") != NULL) sync_us_max = atol(getenv("DISK_SHIM_SYNC_US"));
  open_log(path);
}

// --- the log. `mutex` is held while an entry is added.

static uint64_t tick(void) { return atomic_fetch_add(&journal->clock, 1) + 1; }

static struct entry* add(const struct entry* filled, enum kind kind) {
  const uint64_t bytes = (sizeof *filled + filled->data_bytes + 7) / 8 * 8;
  if (journal->used + bytes > log_bytes_max) die("the log is full");
  struct entry* added = (struct entry*)((char*)journal + journal->used);
  memcpy(added, filled, sizeof *filled);
  added->bytes = bytes;
  journal->used += bytes;
  atomic_store(&added->kind, kind);
  return added;
}

static char* data_of_next(void) {
  return (char*)journal + journal->used + sizeof(struct entry);
}

// Keeps errno, and the result of the call.
static long note_return(struct entry* entry, long result) {
  const int error = errno;
  atomic_store(&entry->returned, result < 0 ? failed : tick());
  errno = error;
  return result;
}

// --- what belongs to the directory

// The name below the root, or null: not there. `directory` as for openat.
static const char* name_below(int directory, const char* path, char* buffer) {
  if (journal == NULL) return NULL;
  size_t length = 0;
  if (path[0] != '/') {
    char link[64];
    snprintf(link, sizeof link, directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d",
             directory);
    const ssize_t got = readlink(link, buffer, PATH_MAX);
    if (got < 0 || (size_t)got + strlen(path) + 2 > PATH_MAX) return NULL;
    length = (size_t)got;
    buffer[length++] = '/';
  }
  if (length + strlen(path) + 1 > PATH_MAX) return NULL;
  while (path[0] == '.' && path[1] == '/') path += 2;
  strcpy(buffer + length, path);
  if (strncmp(buffer, root, root_length) != 0) return NULL;
  if (buffer[root_length] == '\0') return buffer + root_length;
  return buffer[root_length] == '/' ? buffer + root_length + 1 : NULL;
}

static uint64_t inode_of(int directory, const char* path) {
  struct stat status;
  return fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_ino : 0;
}

static int is_ours(int fd) {
  return journal != NULL && fd >= 0 && fd < descriptors_max &&
         atomic_load(&descriptors[fd].inode) != 0;
}

static void forget(int fd) {
  if (is_ours(fd)) atomic_store(&descriptors[fd].inode, 0);
}

// The inode behind `fd`; 0 when it is none of ours (any more).
static uint64_t status_of(int fd, struct stat* status) {
  if (!is_ours(fd)) return 0;
  if (fstat(fd, status) != 0) return 0;
  if (status->st_ino == descriptors[fd].inode) return status->st_ino;
  forget(fd);
  return 0;
}

static void remember(int fd, int flags) {
  struct stat status;
  if (fd >= descriptors_max) die("too many descriptors");
  if (fstat(fd, &status) != 0) die("fstat of what was just opened");
  descriptors[fd].is_directory = S_ISDIR(status.st_mode);
  descriptors[fd].is_durable = (flags & (O_SYNC | O_DSYNC)) != 0;
  atomic_store(&descriptors[fd].inode, status.st_ino);
}

static struct entry* add_names(enum kind kind, uint64_t inode, const char* from, const char* to) {
  struct entry entry = {.called = tick(), .inode = inode};
  const size_t from_bytes = strlen(from) + 1, to_bytes = strlen(to) + 1;
  memcpy(data_of_next(), from, from_bytes);
  memcpy(data_of_next() + from_bytes, to, to_bytes);
  entry.data_bytes = from_bytes + to_bytes;
  return add(&entry, kind);
}

// --- names

static int open_below(int directory, const char* path, int flags, mode_t mode, const char* name) {
  struct stat status;
  if ((flags & O_TMPFILE) == O_TMPFILE) die("O_TMPFILE");
  pthread_mutex_lock(&mutex);
  const int existed = fstatat(directory, path, &status, 0) == 0;
  if (existed && (flags & O_TRUNC) != 0 && status.st_size != 0) die("O_TRUNC");
  struct entry* entry =
      !existed && (flags & O_CREAT) != 0 ? add_names(create, 0, name, "") : NULL;
  const int fd = real_openat(directory, path, flags, mode);
  if (fd >= 0) remember(fd, flags);
  if (entry != NULL && fd >= 0) {
    char kept[PATH_MAX];
    atomic_store(&entry->inode, descriptors[fd].inode);
    snprintf(kept, sizeof kept, "%s/%llu", keep, (unsigned long long)descriptors[fd].inode);
    if (linkat(directory, path, AT_FDCWD, kept, 0) != 0) die("cannot link into DISK_SHIM_KEEP");
  }
  if (entry != NULL) note_return(entry, fd);
  pthread_mutex_unlock(&mutex);
  return fd;
}

static int open_any(int directory, const char* path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  if (real_openat == NULL) return (int)syscall(SYS_openat, directory, path, flags, mode);
  const char* name = name_below(directory, path, buffer);
  if (name == NULL) return real_openat(directory, path, flags, mode);
  return open_below(directory, path, flags, mode, name);
}

#define MODE_OF(flags)                                    \
  mode_t mode = 0;                                        \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {           \
    va_list list;                                         \
    va_start(list, flags);                                \
    mode = va_arg(list, mode_t);                          \
    va_end(list);                                         \
  }

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_any(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_any(AT_FDCWD, path, flags, mode);
}
int openat(int directory, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_any(directory, path, flags, mode);
}
int openat64(int directory, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_any(directory, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return open_any(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int close(int fd) {
  if (real_close == NULL) return (int)syscall(SYS_close, fd);
  forget(fd);
  return real_close(fd);
}
int closedir(DIR* stream) {
  forget(dirfd(stream));
  return real_closedir(stream);
}

int renameat(int old_directory, const char* from, int new_directory, const char* to) {
  char old_buffer[PATH_MAX], new_buffer[PATH_MAX];
  const char* old_name = name_below(old_directory, from, old_buffer);
  const char* new_name = name_below(new_directory, to, new_buffer);
  if (old_name == NULL && new_name == NULL) {
    return real_renameat(old_directory, from, new_directory, to);
  }
  if (old_name == NULL || new_name == NULL) die("a rename into or out of DISK_SHIM_DIR");
  pthread_mutex_lock(&mutex);
  struct entry* entry = add_names(move, inode_of(old_directory, from), old_name, new_name);
  const int result =
      (int)note_return(entry, real_renameat(old_directory, from, new_directory, to));
  pthread_mutex_unlock(&mutex);
  return result;
}
int rename(const char* from, const char* to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int unlinkat(int directory, const char* path, int flags) {
  char buffer[PATH_MAX];
  const char* name = name_below(directory, path, buffer);
  if (name == NULL) return real_unlinkat(directory, path, flags);
  if (flags != 0) die("a directory is removed");
  pthread_mutex_lock(&mutex);
  struct entry* entry = add_names(removal, inode_of(directory, path), name, "");
  const int result = (int)note_return(entry, real_unlinkat(directory, path, flags));
  pthread_mutex_unlock(&mutex);
  return result;
}
int unlink(const char* path) { return unlinkat(AT_FDCWD, path, 0); }

int mkdirat(int directory, const char* path, mode_t mode) {
  char buffer[PATH_MAX];
  const char* name = name_below(directory, path, buffer);
  if (name == NULL) return real_mkdirat(directory, path, mode);
  pthread_mutex_lock(&mutex);
  struct entry* entry = add_names(make_directory, 0, name, "");
  const int result = (int)note_return(entry, real_mkdirat(directory, path, mode));
  pthread_mutex_unlock(&mutex);
  return result;
}
int mkdir(const char* path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// --- bytes and sizes

// A change of `length` bytes at `offset`: what they were, as far as the file reaches.
static struct entry* add_change(int fd, const struct stat* status, struct entry entry) {
  const uint64_t size = (uint64_t)status->st_size;
  entry.called = tick();
  entry.inode = status->st_ino;
  entry.old_size = size;
  if (entry.offset < size) {
    const uint64_t room = log_bytes_max - journal->used - sizeof entry;
    entry.data_bytes = entry.length < size - entry.offset ? entry.length : size - entry.offset;
    if (entry.data_bytes > room) die("the log is full");
    const ssize_t got = pread(fd, data_of_next(), entry.data_bytes, (off_t)entry.offset);
    if (got != (ssize_t)entry.data_bytes) die("cannot read what is overwritten");
  }
  return add(&entry, change);
}

static ssize_t write_below(int fd, const struct iovec* parts, int count, off_t offset, int flags) {
  struct stat status;
  struct entry entry = {0};
  pthread_mutex_lock(&mutex);
  if (status_of(fd, &status) == 0) {
    pthread_mutex_unlock(&mutex);
    return real_pwritev2(fd, parts, count, offset, flags);
  }
  for (int i = 0; i < count; ++i) entry.length += parts[i].iov_len;
  const int appends = (fcntl(fd, F_GETFL) & O_APPEND) != 0;
  const off_t from = appends ? status.st_size : offset < 0 ? lseek(fd, 0, SEEK_CUR) : offset;
  entry.offset = (uint64_t)from;
  entry.new_size = entry.offset + entry.length;
  if (entry.new_size < (uint64_t)status.st_size) entry.new_size = (uint64_t)status.st_size;
  if (descriptors[fd].is_durable || (flags & (RWF_SYNC | RWF_DSYNC)) != 0) {
    entry.flags = flag_durable;
  }
  struct entry* added = add_change(fd, &status, entry);
  const ssize_t written = note_return(added, real_pwritev2(fd, parts, count, offset, flags));
  pthread_mutex_unlock(&mutex);
  return written;
}

ssize_t write(int fd, const void* bytes, size_t length) {
  if (!is_ours(fd)) return real_write(fd, bytes, length);
  return write_below(fd, &(struct iovec){(void*)bytes, length}, 1, -1, 0);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  return is_ours(fd) ? write_below(fd, parts, count, -1, 0) : real_writev(fd, parts, count);
}
ssize_t pwrite(int fd, const void* bytes, size_t length, off_t offset) {
  if (!is_ours(fd)) return real_pwrite(fd, bytes, length, offset);
  return write_below(fd, &(struct iovec){(void*)bytes, length}, 1, offset, 0);
}
ssize_t pwrite64(int fd, const void* bytes, size_t length, off64_t offset) {
  return pwrite(fd, bytes, length, offset);
}
ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t offset) {
  if (!is_ours(fd)) return real_pwritev(fd, parts, count, offset);
  return write_below(fd, parts, count, offset, 0);
}
ssize_t pwritev64(int fd, const struct iovec* parts, int count, off64_t offset) {
  return pwritev(fd, parts, count, offset);
}
ssize_t pwritev2(int fd, const struct iovec* parts, int count, off_t offset, int flags) {
  if (!is_ours(fd)) return real_pwritev2(fd, parts, count, offset, flags);
  return write_below(fd, parts, count, offset, flags);
}

static int resize(int fd, uint64_t size, int (*perform)(int fd, off_t offset, off_t size),
                  off_t offset) {
  struct stat status;
  pthread_mutex_lock(&mutex);
  if (status_of(fd, &status) == 0) {
    pthread_mutex_unlock(&mutex);
    return perform(fd, offset, (off_t)size - offset);
  }
  const uint64_t old_size = (uint64_t)status.st_size;
  const uint64_t low = size < old_size ? size : old_size, high = size < old_size ? old_size : size;
  struct entry* entry = add_change(
      fd, &status, (struct entry){.offset = low, .length = high - low, .new_size = size});
  const int result = (int)note_return(entry, perform(fd, offset, (off_t)size - offset));
  pthread_mutex_unlock(&mutex);
  return result;
}

static int perform_truncate(int fd, off_t offset, off_t size) {
  return real_ftruncate(fd, offset + size);
}
static int perform_allocate(int fd, off_t offset, off_t size) {
  return real_fallocate(fd, 0, offset, size);
}

int ftruncate(int fd, off_t size) {
  if (!is_ours(fd)) return real_ftruncate(fd, size);
  return resize(fd, (uint64_t)size, perform_truncate, 0);
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
  struct stat status;
  if (status_of(fd, &status) == 0) return real_fallocate(fd, mode, offset, length);
  if ((mode & ~FALLOC_FL_KEEP_SIZE) != 0) die("fallocate with a mode that changes bytes");
  if (mode != 0 || offset + length <= status.st_size) {
    return real_fallocate(fd, mode, offset, length);
  }
  return resize(fd, (uint64_t)(offset + length), perform_allocate, offset);
}
int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  return fallocate(fd, mode, offset, length);
}
int posix_fallocate(int fd, off_t offset, off_t length) {
  return fallocate(fd, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  return posix_fallocate(fd, offset, length);
}

// --- syncs. The clock is read before anything else may wait.

static int sync_below(int fd, int (*perform)(int)) {
  struct stat status;
  struct entry entry = {.called = tick()};
  pthread_mutex_lock(&mutex);
  entry.inode = status_of(fd, &status);
  if (entry.inode == 0) {
    pthread_mutex_unlock(&mutex);
    return perform(fd);
  }
  char link[64], path[PATH_MAX], buffer[PATH_MAX];
  const char* name = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t got = readlink(link, path, sizeof path - 1);
  path[got < 0 ? 0 : got] = '\0';
  if (descriptors[fd].is_directory) name = name_below(AT_FDCWD, path, buffer);
  entry.data_bytes = strlen(name) + 1;
  strcpy(data_of_next(), name);
  struct entry* added = add(&entry, descriptors[fd].is_directory ? directory_sync : file_sync);
  const long wait_us = sync_us_max > 0 ? random() % sync_us_max : 0;
  pthread_mutex_unlock(&mutex);
  if (wait_us > 0) usleep((useconds_t)wait_us);
  return (int)note_return(added, perform(fd));
}

int fdatasync(int fd) { return is_ours(fd) ? sync_below(fd, real_fdatasync) : real_fdatasync(fd); }
int fsync(int fd) { return is_ours(fd) ? sync_below(fd, real_fsync) : real_fsync(fd); }

// --- what this log could not follow

void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  if (is_ours(fd) && (flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0) {
    die("a shared mapping");
  }
  if (real_mmap == NULL) {
    return (void*)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
  }
  return real_mmap(address, length, protection, flags, fd, offset);
}
void* mmap64(void* address, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mmap(address, length, protection, flags, fd, offset);
}
int dup(int fd) {
  if (is_ours(fd)) die("dup");
  return real_dup(fd);
}
int dup2(int from, int to) {
  if (is_ours(from)) die("dup2");
  forget(to);
  return real_dup2(from, to);
}
int dup3(int from, int to, int flags) {
  if (is_ours(from)) die("dup3");
  forget(to);
  return real_dup3(from, to, flags);
}
