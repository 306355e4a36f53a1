// SPDX-License-Identifier: MIT
// What the video decoder may not do, tried from inside its sandbox.
#include "video_decoder/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <gst/gst.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../helpers/inside.h"

#define MEMORY ((size_t) 64 << 20)

static bool
refused (long result)
{
  return result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS);
}

static bool
not_mapped (void *data)
{
  return data == MAP_FAILED && (errno == EPERM || errno == EACCES);
}

static char secret[] = "/tmp/odl-sandbox-XXXXXX";

static bool
read_a_file (void)
{
  return refused (open (secret, O_RDONLY));
}

static bool
read_a_library (void)
{
  return open ("/usr/lib", O_RDONLY | O_DIRECTORY) >= 0;
}

static bool
write_a_file (void)
{
  return refused (open (secret, O_WRONLY));
}

static bool
make_a_file (void)
{
  return refused (open ("/tmp/odl-sandbox-new", O_RDONLY | O_CREAT, 0600));
}

static bool
make_a_socket (void)
{
  return refused (socket (AF_INET, SOCK_STREAM, 0))
         && refused (socket (AF_UNIX, SOCK_STREAM, 0));
}

static bool
make_a_memory_file (void)
{
  return refused (memfd_create ("x", 0));
}

static bool
fork_off (void)
{
  return refused (syscall (SYS_fork)) && refused (syscall (SYS_vfork))
         && refused (syscall (SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static bool
clone_by_3 (void)
{
  return syscall (SYS_clone3, NULL, 0) < 0 && errno == ENOSYS
         && syscall (437 /* openat2 */, 0, 0, 0, 0) < 0 && errno == ENOSYS;
}

static bool
execute (void)
{
  char *argv[] = { (char *) "true", NULL };

  return refused (execve ("/bin/true", argv, argv));
}

static bool
write_and_execute (void)
{
  return not_mapped (mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
         && not_mapped (mmap (NULL, 4096, PROT_READ | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static bool
make_executable (void)
{
  void *page
      = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return page != MAP_FAILED && refused (mprotect (page, 4096, PROT_READ | PROT_EXEC));
}

static bool
share_memory (void)
{
  return not_mapped (
      mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
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

  return refused (setrlimit (RLIMIT_DATA, &more))
         && refused (setrlimit (RLIMIT_FSIZE, &more));
}

static bool
kill_parent (void)
{
  return refused (kill (getppid (), 0)) && refused (syscall (SYS_tkill, getppid (), 0))
         && refused (syscall (SYS_tgkill, getppid (), getppid (), 0));
}

static void *
nothing (void *data)
{
  return data;
}

// Threads are allowed, and what they need.
static bool
have_threads (void)
{
  return g_thread_join (g_thread_new ("one", nothing, &nothing)) == &nothing;
}

static bool
open_later (void)
{
  return odl_video_sandbox_close () && refused (open ("/usr/lib", O_RDONLY | O_DIRECTORY))
         && have_threads ();
}

static bool
execute_later (void)
{
  const int fd = open ("/usr/lib/os-release", O_RDONLY);

  return fd >= 0
         && mmap (NULL, 16, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED
         && odl_video_sandbox_close ()
         && not_mapped (mmap (NULL, 16, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0));
}

typedef struct {
  const char *name;
  bool (*holds) (void);
  bool needs_landlock;
} Trial;

static const Trial trials[] = {
  { "read-a-file", read_a_file, true },
  { "libraries-can-be-read", read_a_library },
  { "write-a-file", write_a_file },
  { "make-a-file", make_a_file },
  { "socket", make_a_socket },
  { "memory-file", make_a_memory_file },
  { "fork", fork_off },
  { "clone3", clone_by_3 },
  { "execute", execute },
  { "write-and-execute", write_and_execute },
  { "make-executable", make_executable },
  { "shared-memory", share_memory },
  { "memory", take_memory },
  { "raise-limits", raise_limits },
  { "kill-parent", kill_parent },
  { "threads-can-be-made", have_threads },
  { "open-later", open_later },
  { "execute-later", execute_later },
};

static int
try_inside (const void *data)
{
  const Trial *trial = data;

  if ((!trial->needs_landlock && !odl_test_refuse_landlock ())
      || !odl_video_sandbox_enter (MEMORY))
    return ODL_TEST_NO_WALL;
  return trial->holds () ? ODL_TEST_HELD : ODL_TEST_NOT_HELD;
}

static void
test_trial (const void *data)
{
  const Trial *trial = data;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("sanitizers need what the sandbox refuses");
  return;
#endif
  if (trial->needs_landlock && syscall (444, NULL, 0, 1) < 1) {
    g_test_skip ("the kernel has no Landlock");
    return;
  }
  g_assert_cmpint (odl_test_end_of (try_inside, trial), ==, ODL_TEST_HELD);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  close (mkstemp (secret));
  for (size_t i = 0; i < G_N_ELEMENTS (trials); i++) {
    g_autofree char *name = g_strconcat ("/video-sandbox/", trials[i].name, NULL);
    g_test_add_data_func (name, &trials[i], test_trial);
  }
  const int result = g_test_run ();
  unlink (secret);
  return result;
}
