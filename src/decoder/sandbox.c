// SPDX-License-Identifier: MIT
#include "decoder/sandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN true
#else
#define UNDER_ASAN false
#endif

// What decoding takes: memory, the descriptors at hand, one message, and the end.
static const int allowed[] = {
  SCMP_SYS (brk),          SCMP_SYS (clock_gettime),
  SCMP_SYS (close),        SCMP_SYS (dup3),
  SCMP_SYS (exit),         SCMP_SYS (exit_group),
  SCMP_SYS (fcntl),        SCMP_SYS (fstat),
  SCMP_SYS (ftruncate),    SCMP_SYS (futex),
  SCMP_SYS (getpid),       SCMP_SYS (getrandom),
  SCMP_SYS (gettid),       SCMP_SYS (gettimeofday),
  SCMP_SYS (lseek),        SCMP_SYS (madvise),
  SCMP_SYS (memfd_create), SCMP_SYS (mmap),
  SCMP_SYS (mprotect),     SCMP_SYS (mremap),
  SCMP_SYS (munmap),       SCMP_SYS (newfstatat),
  SCMP_SYS (pread64),      SCMP_SYS (read),
  SCMP_SYS (recvmsg),      SCMP_SYS (restart_syscall),
  SCMP_SYS (rt_sigaction), SCMP_SYS (rt_sigprocmask),
  SCMP_SYS (rt_sigreturn), SCMP_SYS (sched_yield),
  SCMP_SYS (sendmsg),      SCMP_SYS (sysinfo),
  SCMP_SYS (tgkill),       SCMP_SYS (time),
  SCMP_SYS (write),        SCMP_SYS (writev),
};

static bool
filter_system_calls (void)
{
  // A refused call fails with EPERM: a library that tries something needless goes on.
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ERRNO (EPERM));
  bool done = context != NULL;

  // Its own processor time only, of all limits of all processes.
  done = done
         && seccomp_rule_add (context, SCMP_ACT_ALLOW, SCMP_SYS (prlimit64), 2,
                              SCMP_A0 (SCMP_CMP_EQ, 0), SCMP_A1 (SCMP_CMP_EQ, RLIMIT_CPU))
                == 0;
  for (size_t i = 0; done && i < sizeof allowed / sizeof *allowed; i++) {
    int result = seccomp_rule_add (context, SCMP_ACT_ALLOW, allowed[i], 0);
    done = result == 0 || result == -EDOM || result == -EINVAL;
  }
  done = done && seccomp_load (context) == 0;
  if (context != NULL)
    seccomp_release (context);
  return done;
}

static size_t
address_space_now (void)
{
  unsigned long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "re");

  if (file == NULL)
    return 0;
  if (fscanf (file, "%lu", &pages) != 1)
    pages = 0;
  fclose (file);
  return pages * (size_t) sysconf (_SC_PAGESIZE);
}

static void
limit (int resource, rlim_t soft, rlim_t hard)
{
  struct rlimit old;

  if (getrlimit (resource, &old) == 0 && old.rlim_max != RLIM_INFINITY) {
    hard = hard < old.rlim_max ? hard : old.rlim_max;
    soft = soft < hard ? soft : hard;
  }
  setrlimit (resource, &(struct rlimit){ soft, hard });
}

void
odl_sandbox_renew_time (unsigned cpu_seconds)
{
  struct timespec used;
  struct rlimit old;

  if (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used) != 0
      || prlimit (0, RLIMIT_CPU, NULL, &old) != 0)
    return;
  rlim_t soft = (rlim_t) used.tv_sec + 1 + cpu_seconds;
  if (old.rlim_max != RLIM_INFINITY && soft > old.rlim_max)
    soft = old.rlim_max;
  prlimit (0, RLIMIT_CPU, &(struct rlimit){ soft, old.rlim_max }, NULL);
}

bool
odl_sandbox_enter (size_t memory, unsigned cpu_seconds)
{
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit (RLIMIT_CORE, 0, 0);
  limit (RLIMIT_CPU, cpu_seconds, RLIM_INFINITY);
  limit (RLIMIT_NOFILE, 16, 16);
  if (UNDER_ASAN)
    return false;

  size_t now = address_space_now ();
  if (now > 0)
    limit (RLIMIT_AS, now + memory, now + memory);
  return filter_system_calls ();
}
