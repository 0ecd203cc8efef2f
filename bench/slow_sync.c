/* Preloaded into a server: each sync takes MORTISE_BENCH_SYNC_US microseconds at the least, as on a disk that is slower
 * than the one measured on. The thread that syncs sleeps the rest, as it would for the disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

typedef int (*sync_function)(int);

static int take_at_least(const char* name, int descriptor) {
  const char* least = getenv("MORTISE_BENCH_SYNC_US");
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += (least == NULL ? 0 : atol(least)) * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  const int result = ((sync_function)dlsym(RTLD_NEXT, name))(descriptor);
  prctl(PR_SET_TIMERSLACK, 1000UL);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  return result;
}

int fdatasync(int descriptor) { return take_at_least("fdatasync", descriptor); }
int fsync(int descriptor) { return take_at_least("fsync", descriptor); }
