// SPDX-License-Identifier: MIT
// The walls of the helper hold: tried from inside, in a child of the test.
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "decoder/sandbox.h"

enum {
  HELD = 0,
  OPENED_A_FILE,
  OPENED_A_SOCKET,
  MADE_A_PROCESS,
  RAN_A_PROGRAM,
  TOOK_MEMORY,
  NO_WALL = 77,
};

static int
try_to_break_out (void)
{
  const size_t memory = (size_t) 64 << 20;
  bool walled = odl_sandbox_enter (memory, 5);

#ifdef __SANITIZE_ADDRESS__
  return NO_WALL;
#endif
  if (mmap (NULL, 2 * memory, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      != MAP_FAILED)
    return TOOK_MEMORY;
  if (!walled)
    return NO_WALL;
  if (open ("/etc/passwd", O_RDONLY) >= 0 || errno != EPERM)
    return OPENED_A_FILE;
  if (socket (AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
    return OPENED_A_SOCKET;
  if (fork () >= 0 || errno != EPERM)
    return MADE_A_PROCESS;
  execl ("/bin/true", "true", NULL);
  return errno == EPERM ? HELD : RAN_A_PROGRAM;
}

static void
test_walls (void)
{
  int status = 0;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (try_to_break_out ());
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == NO_WALL) {
    g_test_skip ("no seccomp here, or under the address sanitizer");
    return;
  }
  g_assert_cmpint (WEXITSTATUS (status), ==, HELD);
}

static void
test_endless_loop (void)
{
  int status = 0;
  pid_t pid = fork ();

  if (pid == 0) {
    odl_sandbox_enter ((size_t) 64 << 20, 1);
    for (volatile unsigned i = 0;; i++)
      ;
  }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  g_assert_true (WTERMSIG (status) == SIGXCPU || WTERMSIG (status) == SIGKILL);
}

// Spends a second and has its time renewed. Returns whether it then has seven seconds
// left, of the one that has begun all.
static int
renew_after_a_second (void)
{
  struct timespec used = { 0 }, later = { 0 };
  struct rlimit limit;

  odl_sandbox_enter ((size_t) 64 << 20, 60);
  while (used.tv_sec < 1)
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  odl_sandbox_renew_time (7);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &later);
  return getrlimit (RLIMIT_CPU, &limit) == 0 && limit.rlim_cur >= (rlim_t) used.tv_sec + 8
         && limit.rlim_cur <= (rlim_t) later.tv_sec + 9;
}

// A cine is decoded by one process, frame by frame.
static void
test_each_frame_has_its_time (void)
{
  int status = 0;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (renew_after_a_second ());
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, true);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/files-sockets-processes-and-memory-are-refused", test_walls);
  g_test_add_func ("/sandbox/an-endless-loop-ends", test_endless_loop);
  g_test_add_func ("/sandbox/each-frame-has-its-time", test_each_frame_has_its_time);
  return g_test_run ();
}
