// SPDX-License-Identifier: MIT
#include "decoder/sandbox.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "decoder/protocol.h"
#include "decoder/sandbox_filter.h"
#include "decoder/sandbox_layers.h"

// Calls needed for decoding: memory, existing descriptors, messages, exit.
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
  ODL_SANDBOX_END,
};

static const OdlSandboxRule picture_rules[] = {
  // The life pipe must stay open.
  { SCMP_SYS (close), 1, { ODL_SANDBOX_BELOW (0, ODL_HELPER_LIFE_FD) } },
  { SCMP_SYS (dup3), 1, { ODL_SANDBOX_IS (1, ODL_HELPER_FILE_FD) } },
  { SCMP_SYS (dup3), 1, { ODL_SANDBOX_IS (1, ODL_DECODER_PICTURE_FD) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_ADD_SEALS) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_GETFD) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_GETFL) } },
  { SCMP_SYS (recvmsg), 1, { ODL_SANDBOX_IS (0, ODL_HELPER_SOCKET_FD) } },
  { SCMP_SYS (sendmsg), 1, { ODL_SANDBOX_IS (0, ODL_HELPER_SOCKET_FD) } },
  // No executable memory.
  { SCMP_SYS (mmap), 1, { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0) } },
  { SCMP_SYS (mprotect), 1, { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0) } },
  // Reading limits is allowed, setting them is not.
  { SCMP_SYS (prlimit64), 1, { ODL_SANDBOX_IS (2, 0) } },
  // abort ().
  { SCMP_SYS (tgkill), 1, { ODL_SANDBOX_IS (0, ODL_SANDBOX_OWN_PROCESS) } },
  { .call = ODL_SANDBOX_END },
};

bool
odl_sandbox_die_with_parent (int life_fd)
{
  struct pollfd life = { .fd = life_fd, .events = POLLIN };
  int flags = fcntl (life_fd, F_GETFL);

  // Not PR_SET_PDEATHSIG: that signals the death of the parent thread, not of the
  // process.
  if (flags < 0 || fcntl (life_fd, F_SETOWN, getpid ()) != 0
      || fcntl (life_fd, F_SETSIG, SIGKILL) != 0
      || fcntl (life_fd, F_SETFL, flags | O_ASYNC) != 0)
    return false;
  // The end may have been closed before the signal was requested.
  return poll (&life, 1, 0) == 0;
}

void
odl_sandbox_isolate (void)
{
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  odl_sandbox_unshare (false);
  odl_sandbox_drop_capabilities ();
}

bool
odl_sandbox_enter (size_t memory, unsigned cpu_seconds)
{
  const OdlSandboxFilter filter = { .calls = picture_calls,
                                    .more_calls = odl_sandbox_sanitizer_calls (),
                                    .rules = picture_rules };

  odl_sandbox_limit (RLIMIT_CORE, 0, 0);
  // The parent raises it for each further frame.
  odl_sandbox_limit (RLIMIT_CPU, cpu_seconds, RLIM_INFINITY);
  odl_sandbox_limit (RLIMIT_FSIZE, memory, memory);
  odl_sandbox_limit_memory (memory);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  bool powerless = odl_sandbox_drop_capabilities ();
  if (!ODL_SANDBOX_UNDER_ASAN)
    odl_sandbox_landlock (NULL, false);
  // Landlock needs a descriptor. Higher numbers are unavailable.
  odl_sandbox_limit (RLIMIT_NOFILE, ODL_HELPER_LIFE_FD + 1, ODL_HELPER_LIFE_FD + 1);
  return odl_sandbox_allow (&filter) && powerless;
}
