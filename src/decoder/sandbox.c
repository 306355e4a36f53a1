// SPDX-License-Identifier: MIT
#include "decoder/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "decoder/protocol.h"
#include "decoder/sandbox_layers.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN true
#else
#define UNDER_ASAN false
#endif

// Stands for the number of the process.
#define OWN_PROCESS UINT64_MAX

// A system call that is allowed when one of its arguments is as said. All comparisons are
// of 64 bits, and each lets only what the kernel takes for the same: where it looks at 32
// of them, a small number is said, or an upper bound.
typedef struct {
  int call;
  struct scmp_arg_cmp when;
} Rule;

typedef struct {
  unsigned descriptors; // numbers from here on cannot be had
  const int *calls; // allowed whatever their arguments; the last is END
  const Rule *rules;
} Profile;

#define END (-1)

// What decoding takes: memory, the descriptors at hand, messages, and the end.
static const int picture_calls[] = {
  SCMP_SYS (brk),
  SCMP_SYS (clock_gettime),
  SCMP_SYS (exit),
  SCMP_SYS (exit_group),
  SCMP_SYS (fstat),
  SCMP_SYS (ftruncate),
  SCMP_SYS (futex),
  SCMP_SYS (getpid),
  SCMP_SYS (getrandom),
  SCMP_SYS (gettid),
  SCMP_SYS (gettimeofday),
  SCMP_SYS (lseek),
  SCMP_SYS (madvise),
  SCMP_SYS (mremap),
  SCMP_SYS (munmap),
  SCMP_SYS (pread64),
  SCMP_SYS (pwrite64),
  SCMP_SYS (read),
  SCMP_SYS (restart_syscall),
  SCMP_SYS (rt_sigaction),
  SCMP_SYS (rt_sigprocmask),
  SCMP_SYS (rt_sigreturn),
  SCMP_SYS (sched_yield),
  SCMP_SYS (sysinfo),
  SCMP_SYS (time),
  SCMP_SYS (write),
  SCMP_SYS (writev),
  END,
};

static const Rule picture_rules[] = {
  // The pipe that holds the helper to its parent stays.
  { SCMP_SYS (close), { 0, SCMP_CMP_LT, ODL_DECODER_LIFE_FD, 0 } },
  { SCMP_SYS (dup3), { 1, SCMP_CMP_EQ, ODL_DECODER_FILE_FD, 0 } },
  { SCMP_SYS (dup3), { 1, SCMP_CMP_EQ, ODL_DECODER_PICTURE_FD, 0 } },
  { SCMP_SYS (fcntl), { 1, SCMP_CMP_EQ, F_ADD_SEALS, 0 } },
  { SCMP_SYS (fcntl), { 1, SCMP_CMP_EQ, F_GETFD, 0 } },
  { SCMP_SYS (fcntl), { 1, SCMP_CMP_EQ, F_GETFL, 0 } },
  { SCMP_SYS (recvmsg), { 0, SCMP_CMP_EQ, ODL_DECODER_SOCKET_FD, 0 } },
  { SCMP_SYS (sendmsg), { 0, SCMP_CMP_EQ, ODL_DECODER_SOCKET_FD, 0 } },
  // Memory is never made executable.
  { SCMP_SYS (mmap), { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
  { SCMP_SYS (mprotect), { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
  // Limits may be asked for, not set.
  { SCMP_SYS (prlimit64), { 2, SCMP_CMP_EQ, 0, 0 } },
  // Its own end, by abort.
  { SCMP_SYS (tgkill), { 0, SCMP_CMP_EQ, OWN_PROCESS, 0 } },
  { END, { 0 } },
};

static const Profile profiles[ODL_SANDBOX_N_PROFILES] = {
  [ODL_SANDBOX_PICTURES] = { ODL_DECODER_LIFE_FD + 1, picture_calls, picture_rules },
};

// For reports of the address sanitizer, which reads the process's own maps, and for the
// undefined-behaviour sanitizer, which asks by a pipe whether memory can be read.
static const int asan_calls[] = {
  SCMP_SYS (pipe),        SCMP_SYS (pipe2),
  SCMP_SYS (close),       SCMP_SYS (getrlimit),
  SCMP_SYS (getuid),      SCMP_SYS (newfstatat),
  SCMP_SYS (openat),      SCMP_SYS (prctl),
  SCMP_SYS (readlink),    SCMP_SYS (sched_getaffinity),
  SCMP_SYS (sigaltstack), END,
};

static bool
allow_calls (scmp_filter_ctx context, const int *calls)
{
  for (size_t i = 0; calls[i] != END; i++) {
    // Not every machine has every call.
    int result = seccomp_rule_add (context, SCMP_ACT_ALLOW, calls[i], 0);
    if (result != 0 && result != -EDOM && result != -EINVAL && result != -EEXIST)
      return false;
  }
  return true;
}

static bool
allow_rules (scmp_filter_ctx context, const Rule *rules)
{
  for (size_t i = 0; rules[i].call != END; i++) {
    struct scmp_arg_cmp when = rules[i].when;
    if (when.datum_a == OWN_PROCESS)
      when.datum_a = (scmp_datum_t) getpid ();
    if (seccomp_rule_add_array (context, SCMP_ACT_ALLOW, rules[i].call, 1, &when) != 0)
      return false;
  }
  return true;
}

static bool
filter_system_calls (const Profile *profile)
{
  // A refused call fails with EPERM: a library that tries something needless goes on.
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ERRNO (EPERM));
  bool done = context != NULL && allow_rules (context, profile->rules)
              && allow_calls (context, profile->calls)
              && (!UNDER_ASAN || allow_calls (context, asan_calls))
              && seccomp_load (context) == 0;

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

bool
odl_sandbox_end_with (int life_fd)
{
  struct pollfd life = { .fd = life_fd, .events = POLLIN };
  int flags = fcntl (life_fd, F_GETFL);

  // Not PR_SET_PDEATHSIG: that counts the life of the thread that made this process.
  if (flags < 0 || fcntl (life_fd, F_SETOWN, getpid ()) != 0
      || fcntl (life_fd, F_SETSIG, SIGKILL) != 0
      || fcntl (life_fd, F_SETFL, flags | O_ASYNC) != 0)
    return false;
  // What happened before the signal was asked for.
  return poll (&life, 1, 0) == 0;
}

void
odl_sandbox_isolate (void)
{
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  odl_sandbox_leave_namespaces ();
  odl_sandbox_drop_capabilities ();
}

bool
odl_sandbox_enter (OdlSandboxProfile profile, size_t memory, unsigned cpu_seconds)
{
  const size_t now = UNDER_ASAN ? 0 : address_space_now ();

  limit (RLIMIT_CORE, 0, 0);
  // The parent grants more for each further frame.
  limit (RLIMIT_CPU, cpu_seconds, RLIM_INFINITY);
  limit (RLIMIT_FSIZE, memory, memory);
  if (now > 0)
    limit (RLIMIT_AS, now + memory, now + memory);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  bool powerless = odl_sandbox_drop_capabilities ();
  if (!UNDER_ASAN)
    odl_sandbox_lock_land ();
  // Landlock takes a descriptor.
  limit (RLIMIT_NOFILE, profiles[profile].descriptors, profiles[profile].descriptors);
  return filter_system_calls (&profiles[profile]) && powerless;
}
