// SPDX-License-Identifier: MIT
// The decoder's sandbox: each denied operation is tried from inside, in a child process
// of the test, which may have another parent.
#include "decoder/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../helpers/inside.h"
#include "decoder/protocol.h"
#include "decoder/sandbox_layers.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN true
#else
#define UNDER_ASAN false
#endif

#define MEMORY ((size_t) 64 << 20)

static bool
enter (void)
{
  odl_sandbox_isolate ();
  return odl_sandbox_enter (MEMORY, 5);
}

// ---- System calls ----

// Stand for numbers that are known when it is tried.
#define PARENT (-1000001)
#define LIFE ODL_HELPER_LIFE_FD
#define WRITABLE (PROT_READ | PROT_WRITE)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)

static char page[4096] __attribute__ ((aligned (4096)));
static struct stat seen;
static struct rlimit more = { RLIM_INFINITY, RLIM_INFINITY };
static struct iovec iov = { page, sizeof page };
static struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };
static const char file[] = "/etc/passwd";
static const char program[] = "/bin/true";
static const char nothing[] = "";
static const char *const arguments[] = { program, NULL };
static struct clone_args clone_request;

#define A(x) ((long) (x))

static const struct {
  const char *name;
  long call;
  long with[6];
  bool asan; // allowed to the address sanitizer
} forbidden[] = {
  { "open", SYS_openat, { AT_FDCWD, A (file), O_RDONLY }, true },
  { "open-beside", SYS_openat, { ODL_HELPER_FILE_FD, A (file), O_RDONLY }, true },
  { "make-a-file", SYS_openat, { AT_FDCWD, A ("/tmp/x"), O_CREAT | O_WRONLY }, true },
  { "stat", SYS_newfstatat, { AT_FDCWD, A (file), A (&seen), 0 }, true },
  { "stat-empty", SYS_newfstatat, { 3, A (nothing), A (&seen), AT_EMPTY_PATH }, true },
  { "statx", SYS_statx, { AT_FDCWD, A (file), 0, 0xfff, A (page) } },
  { "access", SYS_faccessat, { AT_FDCWD, A (file), R_OK } },
  { "readlink", SYS_readlinkat, { AT_FDCWD, A ("/proc/self/exe"), A (page), 100 } },
  { "unlink", SYS_unlinkat, { AT_FDCWD, A ("/tmp/x"), 0 } },
  { "name-to-handle", SYS_name_to_handle_at, { AT_FDCWD, A (file), A (page), 0, 0 } },
  { "watch-files", SYS_inotify_init1, { 0 } },
  { "chroot", SYS_chroot, { A ("/") } },
  { "chdir", SYS_chdir, { A ("/") } },
  { "mount", SYS_mount, { A ("none"), A ("/mnt"), A ("tmpfs"), 0, 0 } },
  { "socket", SYS_socket, { AF_INET, SOCK_STREAM, 0 } },
  { "unix-socket", SYS_socket, { AF_UNIX, SOCK_STREAM, 0 } },
  { "socketpair", SYS_socketpair, { AF_UNIX, SOCK_STREAM, 0, A (page) } },
  { "send-elsewhere", SYS_sendmsg, { LIFE, A (&message), 0 } },
  { "receive-elsewhere", SYS_recvmsg, { 6, A (&message), MSG_DONTWAIT } },
  { "clone", SYS_clone, { SIGCHLD, 0, 0, 0, 0 } },
  { "clone-thread", SYS_clone, { CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0, 0, 0, 0 } },
  { "clone3", SYS_clone3, { A (&clone_request), sizeof clone_request } },
  { "execve", SYS_execve, { A (program), A (arguments), A (arguments + 1) } },
  { "execute-a-memory-file",
    SYS_execveat,
    { 6, A (nothing), A (arguments), A (arguments + 1), AT_EMPTY_PATH } },
  { "kill-parent", SYS_kill, { PARENT, SIGCONT } },
  { "kill-all", SYS_kill, { -1, 0 } },
  { "tgkill-parent", SYS_tgkill, { PARENT, PARENT, SIGCONT } },
  { "tkill-parent", SYS_tkill, { PARENT, SIGCONT } },
  { "queue-signal", SYS_rt_sigqueueinfo, { PARENT, SIGCONT, A (page) } },
  { "pidfd", SYS_pidfd_open, { PARENT, 0 } },
  { "trace-parent", SYS_ptrace, { 16 /* PTRACE_ATTACH */, PARENT, 0, 0 } },
  { "read-parent", SYS_process_vm_readv, { PARENT, A (&iov), 1, A (&iov), 1, 0 } },
  { "map-executable", SYS_mmap, { 0, 4096, PROT_READ | PROT_EXEC, ANONYMOUS, -1, 0 } },
  { "map-writable-and-executable",
    SYS_mmap,
    { 0, 4096, WRITABLE | PROT_EXEC, ANONYMOUS, -1, 0 } },
  { "map-file-executable", SYS_mmap, { 0, 4096, PROT_EXEC, MAP_PRIVATE, 6, 0 } },
  { "make-executable", SYS_mprotect, { A (page), 4096, PROT_READ | PROT_EXEC } },
  { "make-executable-by-key", SYS_pkey_mprotect, { A (page), 4096, PROT_EXEC, -1 } },
  { "read-implies-execute", SYS_personality, { 0x0400000 } },
  { "shared-segment", SYS_shmget, { 0, 4096, 0600 } },
  { "memory-file", SYS_memfd_create, { A ("x"), MFD_ALLOW_SEALING } },
  { "raise-time", SYS_prlimit64, { 0, RLIMIT_CPU, A (&more), 0 } },
  { "raise-memory", SYS_prlimit64, { 0, RLIMIT_AS, A (&more), 0 } },
  { "raise-files", SYS_setrlimit, { RLIMIT_FSIZE, A (&more) } },
  { "limit-parent", SYS_prlimit64, { PARENT, RLIMIT_CPU, A (&more), 0 } },
  { "unshare", SYS_unshare, { CLONE_NEWUSER } },
  { "set-user", SYS_setuid, { 0 } },
  { "set-capabilities", SYS_capset, { A (page), A (page) } },
  { "another-filter", SYS_seccomp, { 1, 0, A (page) } },
  { "process-control", SYS_prctl, { PR_SET_DUMPABLE, 1 }, true },
  { "device-control", SYS_ioctl, { 1, 0x5401, A (page) } },
  { "io-uring", SYS_io_uring_setup, { 4, A (page) } },
  { "bpf", SYS_bpf, { 0, A (page), 64 } },
  { "performance-events", SYS_perf_event_open, { A (page), 0, -1, -1, 0 } },
  { "page-faults", SYS_userfaultfd, { 0 } },
  { "keys", SYS_keyctl, { 0, -3, 0 } },
  { "let-go-of-parent", SYS_close, { LIFE }, true },
  { "let-go-of-parent-64", SYS_close, { (long) 0x100000000 + LIFE }, true },
  { "replace-life", SYS_dup3, { 6, LIFE, O_CLOEXEC } },
  { "duplicate", SYS_dup, { 6 } },
  { "no-signal-of-life", SYS_fcntl, { LIFE, F_SETSIG, SIGIO } },
  { "no-owner-of-life", SYS_fcntl, { LIFE, F_SETOWN, 0 } },
  { "no-notice-of-life", SYS_fcntl, { LIFE, F_SETFL, 0 } },
};

static int
try_call (const void *data)
{
  const size_t i = GPOINTER_TO_SIZE (data);
  const pid_t parent = getppid ();
  long a[6];

  for (int k = 0; k < 6; k++)
    a[k] = forbidden[i].with[k] == PARENT ? parent : forbidden[i].with[k];
  if (!odl_test_refuse_landlock () || !enter ())
    return ODL_TEST_NO_WALL;
  long result = syscall (forbidden[i].call, a[0], a[1], a[2], a[3], a[4], a[5]);
  return result == -1 && errno == EPERM ? ODL_TEST_HELD : ODL_TEST_NOT_HELD;
}

static void
test_call (const void *data)
{
  const size_t i = GPOINTER_TO_SIZE (data);

  if (UNDER_ASAN && forbidden[i].asan)
    g_test_skip ("the address sanitizer needs it");
  else
    g_assert_cmpint (odl_test_end_of (try_call, data), ==, ODL_TEST_HELD);
}

// ---- What decoding needs ----

static int
try_what_is_needed (const void *data)
{
  int memory = memfd_create ("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  struct rlimit had;

  dup2 (memory, ODL_DECODER_PICTURE_FD);
  if (memory < 0 || ftruncate (ODL_DECODER_PICTURE_FD, 8192) != 0 || !enter ())
    return ODL_TEST_NO_WALL;
  char *data_at = mmap (NULL, 8192, WRITABLE, MAP_SHARED, ODL_DECODER_PICTURE_FD, 0);
  if (data_at == MAP_FAILED)
    return ODL_TEST_NOT_HELD;
  data_at[1] = 1;
  bool good = munmap (data_at, 8192) == 0 && ftruncate (ODL_DECODER_PICTURE_FD, 4096) == 0
              && fcntl (ODL_DECODER_PICTURE_FD, F_ADD_SEALS, F_SEAL_WRITE) == 0
              && syscall (SYS_tgkill, getpid (), gettid (), 0) == 0
              && getrlimit (RLIMIT_CPU, &had) == 0 && close (6) == 0;
  char *block = malloc (1 << 20);
  return good && block != NULL && mprotect (page, 4096, PROT_READ) == 0
             ? ODL_TEST_HELD
             : ODL_TEST_NOT_HELD;
}

static void
test_what_is_needed (void)
{
  g_assert_cmpint (odl_test_end_of (try_what_is_needed, NULL), ==, ODL_TEST_HELD);
}

static int
abort_inside (const void *data)
{
  enter ();
  signal (SIGABRT, SIG_DFL);
  abort ();
}

static void
test_abort (void)
{
  g_assert_cmpint (odl_test_end_of (abort_inside, NULL), ==, 256 + SIGABRT);
}

// ---- Limits ----

static int
take_memory (const void *data)
{
  enter ();
  return mmap (NULL, 2 * MEMORY, PROT_READ, ANONYMOUS, -1, 0) == MAP_FAILED
             ? ODL_TEST_HELD
             : ODL_TEST_NOT_HELD;
}

// Neither by growing what was sealed, nor by another file that came from somewhere.
static int
fill_files (const void *data)
{
  const off_t far = (off_t) MEMORY;

  signal (SIGXFSZ, SIG_IGN);
  int sealed = memfd_create ("sealed", MFD_ALLOW_SEALING), loose = memfd_create ("x", 0);
  if (ftruncate (sealed, 4096) != 0 || fcntl (sealed, F_ADD_SEALS, F_SEAL_GROW) != 0)
    return ODL_TEST_NO_WALL;
  enter ();
  return ftruncate (sealed, 8192) != 0 && ftruncate (loose, far + 1) != 0
                 && pwrite (loose, page, 1, far) < 0 && pwrite (loose, page, 1, 0) == 1
             ? ODL_TEST_HELD
             : ODL_TEST_NOT_HELD;
}

static void
test_memory (void)
{
  if (UNDER_ASAN)
    g_test_skip ("the address sanitizer needs all of the address space");
  else
    g_assert_cmpint (odl_test_end_of (take_memory, NULL), ==, ODL_TEST_HELD);
  g_assert_cmpint (odl_test_end_of (fill_files, NULL), ==, ODL_TEST_HELD);
}

static void
test_endless_loop (void)
{
  int status = 0;
  pid_t pid = fork ();

  if (pid == 0) {
    odl_sandbox_enter (MEMORY, 1);
    for (volatile unsigned i = 0;; i++)
      ;
  }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  g_assert_true (WTERMSIG (status) == SIGXCPU || WTERMSIG (status) == SIGKILL);
}

// A cine is decoded by one process, frame by frame: whoever started it grants more time,
// also across the borders of its namespaces.
static void
test_each_frame_has_its_time (void)
{
  int ready[2], status = 0;
  char word;

  g_assert_no_errno (pipe (ready));
  pid_t pid = fork ();
  if (pid == 0) {
    struct timespec used = { 0 };
    enter ();
    while (write (ready[1], "", 1) != 1)
      ;
    while (used.tv_sec < 6)
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
    _exit (ODL_TEST_HELD);
  }
  g_assert_cmpint (read (ready[0], &word, 1), ==, 1);
  struct rlimit time = { 60, RLIM_INFINITY };
  g_assert_no_errno (prlimit (pid, RLIMIT_CPU, &time, NULL));
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  close (ready[0]);
  close (ready[1]);
}

// ---- Where the kernel says no ----

static int
enter_where_refused (const void *error)
{
  if (!odl_test_refuse_filters (GPOINTER_TO_INT (error)))
    return ODL_TEST_NO_WALL;
  return enter () ? ODL_TEST_NOT_HELD : ODL_TEST_HELD;
}

static void
test_refused (void)
{
  static const int errors[] = { ENOSYS, EINVAL, EPERM, EACCES };

  for (size_t i = 0; i < G_N_ELEMENTS (errors); i++)
    g_assert_cmpint (odl_test_end_of (enter_where_refused, GINT_TO_POINTER (errors[i])),
                     ==, ODL_TEST_HELD);
}

// ---- Layers ----

static int
open_behind_landlock (const void *data)
{
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!odl_sandbox_landlock (NULL, false))
    return ODL_TEST_NO_WALL;
  if (open (file, O_RDONLY) >= 0 || errno != EACCES)
    return ODL_TEST_NOT_HELD;
  return open ("/tmp/odl-never", O_CREAT | O_WRONLY, 0600) < 0 && errno == EACCES
             ? ODL_TEST_HELD
             : ODL_TEST_NOT_HELD;
}

static int
look_at_namespaces (const void *data)
{
  static const char *const kinds[] = { "net", "ipc", "uts", "cgroup" };
  char before[G_N_ELEMENTS (kinds)][64] = { 0 }, after[64];

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *path = g_build_filename ("/proc/self/ns", kinds[i], NULL);
    if (readlink (path, before[i], 63) < 0)
      return ODL_TEST_NO_WALL;
  }
  if (!odl_sandbox_unshare (false))
    return ODL_TEST_NO_WALL;
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *path = g_build_filename ("/proc/self/ns", kinds[i], NULL);
    ssize_t n = readlink (path, after, 63);
    if (n < 0 || strncmp (before[i], after, (size_t) n) == 0)
      return ODL_TEST_NOT_HELD;
  }
  return ODL_TEST_HELD;
}

// Also of root, whose capabilities would come back with a namespace of users.
static int
look_at_capabilities (const void *data)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };

  odl_sandbox_isolate ();
  if (syscall (SYS_capget, &header, sets) != 0)
    return ODL_TEST_NO_WALL;
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
    if ((sets[i].effective | sets[i].permitted | sets[i].inheritable) != 0)
      return ODL_TEST_NOT_HELD;
  return prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? ODL_TEST_HELD : ODL_TEST_NOT_HELD;
}

static void
test_layer (const void *data)
{
  const int end = odl_test_end_of ((int (*) (const void *)) data, NULL);

  if (end == ODL_TEST_NO_WALL)
    g_test_skip ("not on this kernel, or not for this user");
  else
    g_assert_cmpint (end, ==, ODL_TEST_HELD);
}

// ---- The parent's end ----

static void
end_at_once (void)
{
  sigset_t all;

  sigfillset (&all);
  enter ();
  sigprocmask (SIG_BLOCK, &all, NULL);
  if (!UNDER_ASAN)
    close (ODL_HELPER_LIFE_FD);
  for (;;)
    ;
}

// A helper that works, will hear nothing, and has lost its parent.
static void
test_end_with_parent (void)
{
  int life[2], told[2], status = 0;
  pid_t helper = 0;

  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  g_assert_no_errno (pipe (told));
  pid_t parent = fork ();
  if (parent == 0) {
    if (pipe (life) != 0)
      _exit (1);
    helper = fork ();
    if (helper == 0) {
      dup2 (life[0], ODL_HELPER_LIFE_FD);
      close (life[0]);
      close (life[1]);
      if (!odl_sandbox_die_with_parent (ODL_HELPER_LIFE_FD))
        _exit (1);
      helper = getpid ();
      if (write (told[1], &helper, sizeof helper) < 0)
        _exit (1);
      end_at_once ();
    }
    for (;;)
      pause ();
  }
  g_assert_cmpint (read (told[0], &helper, sizeof helper), ==, sizeof helper);
  g_assert_cmpint (waitpid (-1, &status, WNOHANG), ==, 0);
  kill (parent, SIGKILL);
  g_assert_cmpint (waitpid (parent, &status, 0), ==, parent);
  g_assert_cmpint (waitpid (helper, &status, 0), ==, helper);
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGKILL);
  close (told[0]);
  close (told[1]);
}

// The parent was gone before the helper asked.
static int
come_late (const void *data)
{
  int life[2];

  if (pipe (life) != 0)
    return ODL_TEST_NO_WALL;
  close (life[1]);
  return odl_sandbox_die_with_parent (life[0]) || odl_sandbox_die_with_parent (-1)
             ? ODL_TEST_NOT_HELD
             : ODL_TEST_HELD;
}

static void
test_parent_gone_before (void)
{
  g_assert_cmpint (odl_test_end_of (come_late, NULL), ==, ODL_TEST_HELD);
}

int
main (int argc, char **argv)
{
  int life[2], spare = memfd_create ("spare", 0);

  // What the rows of the table find.
  g_assert_no_errno (pipe (life));
  dup2 (life[0], ODL_HELPER_LIFE_FD);
  dup2 (spare, 6);
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (forbidden); i++) {
    g_autofree char *path = g_strconcat ("/sandbox/refused/", forbidden[i].name, NULL);
    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_call);
  }
  g_test_add_func ("/sandbox/what-is-needed", test_what_is_needed);
  g_test_add_func ("/sandbox/abort", test_abort);
  g_test_add_func ("/sandbox/memory", test_memory);
  g_test_add_func ("/sandbox/an-endless-loop-ends", test_endless_loop);
  g_test_add_func ("/sandbox/each-frame-has-its-time", test_each_frame_has_its_time);
  g_test_add_func ("/sandbox/a-refusal-is-told", test_refused);
  g_test_add_data_func ("/sandbox/landlock", (void *) open_behind_landlock, test_layer);
  g_test_add_data_func ("/sandbox/namespaces", (void *) look_at_namespaces, test_layer);
  g_test_add_data_func ("/sandbox/capabilities", (void *) look_at_capabilities,
                        test_layer);
  g_test_add_func ("/sandbox/ends-with-its-parent", test_end_with_parent);
  g_test_add_func ("/sandbox/parent-gone-before", test_parent_gone_before);
  return g_test_run ();
}
