// SPDX-License-Identifier: MIT
#include "network/sandbox.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "decoder/sandbox_filter.h"
#include "decoder/sandbox_layers.h"
#include "network/protocol.h"

// The parent raises it with each message.
#define CPU_SECONDS 30

// Memory, the connection, files that were handed over, messages, exit.
static const int allowed[] = {
  SCMP_SYS (brk),
  SCMP_SYS (clock_gettime),
  SCMP_SYS (exit),
  SCMP_SYS (exit_group),
  SCMP_SYS (fstat),
  SCMP_SYS (ftruncate),
  SCMP_SYS (futex),
  SCMP_SYS (getpeername),
  SCMP_SYS (getpid),
  SCMP_SYS (getrandom),
  SCMP_SYS (gettid),
  SCMP_SYS (gettimeofday),
  SCMP_SYS (lseek),
  SCMP_SYS (madvise),
  SCMP_SYS (mremap),
  SCMP_SYS (munmap),
  SCMP_SYS (poll),
  SCMP_SYS (ppoll),
  SCMP_SYS (pread64),
  SCMP_SYS (pselect6),
  SCMP_SYS (pwrite64),
  SCMP_SYS (read),
  SCMP_SYS (restart_syscall),
  SCMP_SYS (rt_sigaction),
  SCMP_SYS (rt_sigprocmask),
  SCMP_SYS (rt_sigreturn),
  SCMP_SYS (sched_yield),
  SCMP_SYS (select),
  SCMP_SYS (shutdown),
  SCMP_SYS (time),
  SCMP_SYS (write),
  SCMP_SYS (writev),
  ODL_SANDBOX_END,
};

static const OdlSandboxRule rules[] = {
  // The life pipe must stay open, and as it is.
  { SCMP_SYS (close), 1, { ODL_SANDBOX_BELOW (0, ODL_HELPER_LIFE_FD) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_GETFD) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_GETFL) } },
  { SCMP_SYS (fcntl),
    2,
    { ODL_SANDBOX_BELOW (0, ODL_HELPER_LIFE_FD), ODL_SANDBOX_IS (1, F_SETFL) } },
  { SCMP_SYS (recvmsg), 1, { ODL_SANDBOX_IS (0, ODL_HELPER_SOCKET_FD) } },
  { SCMP_SYS (sendmsg), 1, { ODL_SANDBOX_IS (0, ODL_HELPER_SOCKET_FD) } },
  // How long to wait, and when to send.
  { SCMP_SYS (setsockopt), 1, { ODL_SANDBOX_BELOW (1, IPPROTO_TCP + 1) } },
  // No executable memory.
  { SCMP_SYS (mmap), 1, { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0) } },
  { SCMP_SYS (mprotect), 1, { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0) } },
  // Reading limits is allowed, setting them is not.
  { SCMP_SYS (prlimit64), 1, { ODL_SANDBOX_IS (2, 0) } },
  // abort ().
  { SCMP_SYS (tgkill), 1, { ODL_SANDBOX_IS (0, ODL_SANDBOX_OWN_PROCESS) } },
  { .call = ODL_SANDBOX_END },
};

static const OdlSandboxRule rules_to_call[] = {
  { SCMP_SYS (socket),
    2,
    { ODL_SANDBOX_IS (0, AF_INET), ODL_SANDBOX_IS (1, SOCK_STREAM) } },
  { SCMP_SYS (socket),
    2,
    { ODL_SANDBOX_IS (0, AF_INET6), ODL_SANDBOX_IS (1, SOCK_STREAM) } },
  { SCMP_SYS (connect), 0, { { 0 } } },
  { SCMP_SYS (getsockopt), 0, { { 0 } } },
  // For the second filter.
  { SCMP_SYS (seccomp), 0, { { 0 } } },
  { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_SET_NO_NEW_PRIVS) } },
  { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_SET_SECCOMP) } },
  { .call = ODL_SANDBOX_END },
};

bool
odl_network_sandbox_enter (OdlNetworkSandbox kind, size_t memory, uint64_t file_bytes)
{
  const bool calls = kind == ODL_NETWORK_SANDBOX_CALL;
  const OdlSandboxFilter filter = { .calls = allowed,
                                    .more_calls = odl_sandbox_sanitizer_calls (),
                                    .rules = rules,
                                    .more_rules = calls ? rules_to_call : NULL };

  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  odl_sandbox_unshare (calls);
  const bool powerless = odl_sandbox_drop_capabilities ();
  odl_sandbox_limit (RLIMIT_CORE, 0, 0);
  odl_sandbox_limit (RLIMIT_CPU, CPU_SECONDS, RLIM_INFINITY);
  odl_sandbox_limit (RLIMIT_FSIZE, file_bytes, file_bytes);
  odl_sandbox_limit_memory (memory);
  if (!ODL_SANDBOX_UNDER_ASAN)
    odl_sandbox_landlock (NULL, calls);
  odl_sandbox_limit (RLIMIT_NOFILE, ODL_HELPER_LIFE_FD + 1, ODL_HELPER_LIFE_FD + 1);
  return odl_sandbox_allow (&filter) && powerless;
}

bool
odl_network_sandbox_close (void)
{
  static const int calls[]
      = { SCMP_SYS (socket), SCMP_SYS (connect), SCMP_SYS (seccomp), ODL_SANDBOX_END };
  static const OdlSandboxRule filters[] = {
    { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_SET_SECCOMP) } },
    { .call = ODL_SANDBOX_END },
  };

  return odl_sandbox_deny (&(OdlSandboxFilter){ .calls = calls, .rules = filters });
}
