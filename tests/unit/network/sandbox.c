// SPDX-License-Identifier: MIT
// What the network helper may not do, tried from inside its sandbox.
#include "network/sandbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../../helpers/inside.h"
#include "network/protocol.h"

#define MEMORY ((size_t) 64 << 20)
#define FILE_BYTES 4096

static bool
refused (long result)
{
  return result < 0 && (errno == EPERM || errno == EACCES);
}

static bool
not_mapped (void *data)
{
  return data == MAP_FAILED && (errno == EPERM || errno == EACCES);
}

static bool
open_a_file (void)
{
  return refused (open ("/etc/passwd", O_RDONLY))
         && refused (open ("/tmp/odl-network-new", O_WRONLY | O_CREAT, 0600));
}

static bool
look_for_a_file (void)
{
  struct stat status;

  return refused (stat ("/etc/passwd", &status)) && refused (access ("/etc/passwd", R_OK))
         && refused (unlink ("/tmp/x")) && refused (rename ("/tmp/x", "/tmp/y"))
         && refused (link ("/tmp/x", "/tmp/y")) && refused (chdir ("/"))
         && refused (mkdir ("/tmp/odl-network", 0700));
}

static bool
make_a_socket (void)
{
  int both[2];

  return refused (socket (AF_INET, SOCK_STREAM, 0))
         && refused (socket (AF_INET6, SOCK_STREAM, 0))
         && refused (socket (AF_UNIX, SOCK_STREAM, 0))
         && refused (socketpair (AF_UNIX, SOCK_STREAM, 0, both));
}

static struct sockaddr_in somewhere = { .sin_family = AF_INET };

static bool
use_a_socket (void)
{
  const struct sockaddr *name = (const struct sockaddr *) &somewhere;
  char byte = 0;

  return refused (connect (3, name, sizeof somewhere))
         && refused (bind (3, name, sizeof somewhere)) && refused (listen (3, 1))
         && refused (syscall (SYS_accept4, 3, NULL, NULL, 0))
         && refused (sendto (3, &byte, 1, 0, name, sizeof somewhere))
         && refused (recvfrom (3, &byte, 1, 0, NULL, NULL));
}

static bool
send_elsewhere (void)
{
  struct msghdr message = { 0 };

  return refused (sendmsg (ODL_HELPER_FILE_FD, &message, 0))
         && refused (recvmsg (ODL_HELPER_FILE_FD, &message, 0));
}

static bool
take_part_in_more (void)
{
  return refused (syscall (SYS_fork))
         && refused (syscall (SYS_clone, SIGCHLD, 0, 0, 0, 0))
         && refused (syscall (SYS_clone3, NULL, 0)) && refused (unshare (CLONE_NEWUSER))
         && refused (syscall (SYS_io_uring_setup, 1, NULL))
         && refused (memfd_create ("x", 0)) && refused (syscall (SYS_pidfd_open, 1, 0));
}

static bool
execute (void)
{
  char *argv[] = { (char *) "true", NULL };

  return refused (execve ("/bin/true", argv, argv))
         && not_mapped (mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static bool
kill_parent (void)
{
  return refused (kill (getppid (), 0)) && refused (syscall (SYS_tkill, getppid (), 0))
         && refused (syscall (SYS_tgkill, getppid (), getppid (), 0));
}

static bool
let_go_of_life (void)
{
  return refused (close (ODL_HELPER_LIFE_FD))
         && refused (fcntl (ODL_HELPER_LIFE_FD, F_SETFL, 0))
         && refused (fcntl (ODL_HELPER_LIFE_FD, F_SETOWN, 0))
         && refused (dup2 (3, ODL_HELPER_LIFE_FD));
}

static bool
take_memory (void)
{
  return mmap (NULL, 2 * MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
               0)
             == MAP_FAILED
         && errno == ENOMEM;
}

static bool
raise_limits (void)
{
  const struct rlimit more = { RLIM_INFINITY, RLIM_INFINITY };

  return refused (setrlimit (RLIMIT_AS, &more))
         && refused (setrlimit (RLIMIT_FSIZE, &more))
         && refused (syscall (SYS_prlimit64, 0, RLIMIT_CPU, &more, NULL))
         && refused (syscall (SYS_prlimit64, getppid (), RLIMIT_CPU, &more, NULL));
}

// Of a file that was handed over, no more than was said.
static int file_fd = -1;

static bool
write_a_large_file (void)
{
  static char bytes[FILE_BYTES + 1];

  signal (SIGXFSZ, SIG_IGN);
  return pwrite (file_fd, bytes, FILE_BYTES, 0) == FILE_BYTES
         && pwrite (file_fd, bytes, 1, FILE_BYTES) < 0 && errno == EFBIG;
}

static bool
another_filter (void)
{
  return refused (syscall (SYS_seccomp, 1, 0, NULL))
         && refused (prctl (PR_SET_SECCOMP, 2, NULL));
}

// ---- One that calls ----

static bool
connects_once (void)
{
  const int fd = socket (AF_INET, SOCK_STREAM, 0);
  const int other = socket (AF_INET, SOCK_STREAM, 0);
  const struct sockaddr *name = (const struct sockaddr *) &somewhere;

  return fd >= 0 && other >= 0 && connect (fd, name, sizeof somewhere) == 0
         && odl_network_sandbox_close () && refused (socket (AF_INET, SOCK_STREAM, 0))
         && refused (connect (other, name, sizeof somewhere)) && write (fd, "x", 1) == 1
         && another_filter ();
}

// The second filter closes both families.
static bool
connects_once_by_ipv6 (void)
{
  const int fd = socket (AF_INET6, SOCK_STREAM, 0);

  return fd >= 0 && odl_network_sandbox_close ()
         && refused (socket (AF_INET6, SOCK_STREAM, 0))
         && refused (
             connect (fd, (const struct sockaddr *) &somewhere, sizeof somewhere));
}

static bool
calls_by_no_other_way (void)
{
  return refused (socket (AF_UNIX, SOCK_STREAM, 0))
         && refused (socket (AF_INET, SOCK_DGRAM, 0))
         && refused (socket (AF_INET6, SOCK_DGRAM, 0))
         && refused (socket (AF_INET6, SOCK_RAW, IPPROTO_ICMPV6))
         && refused (socket (AF_NETLINK, SOCK_RAW, 0)) && refused (listen (3, 1))
         && open_a_file () && execute ();
}

typedef struct {
  const char *name;
  bool (*holds) (void);
  bool calls;
} Trial;

static const Trial trials[] = {
  { "open-a-file", open_a_file },
  { "look-for-a-file", look_for_a_file },
  { "socket", make_a_socket },
  { "use-a-socket", use_a_socket },
  { "send-elsewhere", send_elsewhere },
  { "other-processes", take_part_in_more },
  { "execute", execute },
  { "kill-parent", kill_parent },
  { "let-go-of-life", let_go_of_life },
  { "memory", take_memory },
  { "raise-limits", raise_limits },
  { "a-large-file", write_a_large_file },
  { "another-filter", another_filter },
  { "connects-once", connects_once, true },
  { "connects-once-by-ipv6", connects_once_by_ipv6, true },
  { "calls-by-no-other-way", calls_by_no_other_way, true },
};

static int
try_inside (const void *data)
{
  const Trial *trial = data;

  if (!odl_test_refuse_landlock ()
      || !odl_network_sandbox_enter (trial->calls ? ODL_NETWORK_SANDBOX_CALL
                                                  : ODL_NETWORK_SANDBOX_ANSWER,
                                     MEMORY, FILE_BYTES))
    return ODL_TEST_NO_WALL;
  return trial->holds () ? ODL_TEST_HELD : ODL_TEST_NOT_HELD;
}

static void
test_trial (const void *data)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("sanitizers need what the sandbox refuses");
  return;
#endif
  g_assert_cmpint (odl_test_end_of (try_inside, data), ==, ODL_TEST_HELD);
}

// Somebody to connect to, on this machine.
static void
listen_here (void)
{
  const int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof somewhere;

  somewhere.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &somewhere, size), ==, 0);
  g_assert_cmpint (listen (fd, 8), ==, 0);
  g_assert_cmpint (getsockname (fd, (struct sockaddr *) &somewhere, &size), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  listen_here ();
  file_fd = memfd_create ("odl-test", MFD_CLOEXEC);
  for (size_t i = 0; i < G_N_ELEMENTS (trials); i++) {
    g_autofree char *name = g_strconcat ("/network-sandbox/", trials[i].name, NULL);
    g_test_add_data_func (name, &trials[i], test_trial);
  }
  return g_test_run ();
}
