// SPDX-License-Identifier: MIT
#include "video_decoder/sandbox.h"

#include <fcntl.h>
#include <glib.h>
#include <gst/gst.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "decoder/sandbox_filter.h"
#include "decoder/sandbox_layers.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER true
#else
#define UNDER_SANITIZER false
#endif

#define DESCRIPTORS 256

// ---- System calls ----

// Threads, memory, reading, waiting, messages to the parent.
static const int allowed[] = {
  SCMP_SYS (access),
  SCMP_SYS (arch_prctl),
  SCMP_SYS (brk),
  SCMP_SYS (clock_getres),
  SCMP_SYS (clock_gettime),
  SCMP_SYS (clock_nanosleep),
  SCMP_SYS (close),
  SCMP_SYS (eventfd2),
  SCMP_SYS (exit),
  SCMP_SYS (exit_group),
  SCMP_SYS (faccessat),
  SCMP_SYS (faccessat2),
  SCMP_SYS (fadvise64),
  SCMP_SYS (fcntl),
  SCMP_SYS (fstat),
  SCMP_SYS (fstatfs),
  SCMP_SYS (futex),
  SCMP_SYS (getcpu),
  SCMP_SYS (getcwd),
  SCMP_SYS (getdents64),
  SCMP_SYS (getegid),
  SCMP_SYS (geteuid),
  SCMP_SYS (getgid),
  SCMP_SYS (getpid),
  SCMP_SYS (getpriority),
  SCMP_SYS (getrandom),
  SCMP_SYS (getrusage),
  SCMP_SYS (gettid),
  SCMP_SYS (gettimeofday),
  SCMP_SYS (getuid),
  SCMP_SYS (lseek),
  SCMP_SYS (madvise),
  SCMP_SYS (membarrier),
  SCMP_SYS (mremap),
  SCMP_SYS (munmap),
  SCMP_SYS (nanosleep),
  SCMP_SYS (newfstatat),
  SCMP_SYS (pipe2),
  SCMP_SYS (poll),
  SCMP_SYS (ppoll),
  SCMP_SYS (pread64),
  SCMP_SYS (read),
  SCMP_SYS (readlink),
  SCMP_SYS (readlinkat),
  SCMP_SYS (recvmsg),
  SCMP_SYS (restart_syscall),
  SCMP_SYS (rseq),
  SCMP_SYS (rt_sigaction),
  SCMP_SYS (rt_sigprocmask),
  SCMP_SYS (rt_sigreturn),
  SCMP_SYS (sched_getaffinity),
  SCMP_SYS (sched_getparam),
  SCMP_SYS (sched_getscheduler),
  SCMP_SYS (sched_yield),
  SCMP_SYS (seccomp),
  SCMP_SYS (sendmsg),
  SCMP_SYS (set_robust_list),
  SCMP_SYS (sigaltstack),
  SCMP_SYS (stat),
  SCMP_SYS (statx),
  SCMP_SYS (sysinfo),
  SCMP_SYS (time),
  SCMP_SYS (uname),
  SCMP_SYS (write),
  SCMP_SYS (writev),
  ODL_SANDBOX_END,
};

#define WRITE_FLAGS \
  (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

static const OdlSandboxRule rules[] = {
  // Memory is writable or executable, never both; shared memory belongs to the parent.
  { SCMP_SYS (mmap),
    2,
    { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0), ODL_SANDBOX_MASKED (3, MAP_ANONYMOUS, 0) } },
  { SCMP_SYS (mmap),
    2,
    { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0),
      ODL_SANDBOX_MASKED (3, MAP_TYPE, MAP_PRIVATE) } },
  { SCMP_SYS (mmap),
    2,
    { ODL_SANDBOX_MASKED (2, PROT_EXEC | PROT_WRITE, PROT_EXEC),
      ODL_SANDBOX_MASKED (3, MAP_ANONYMOUS, 0) } },
  { SCMP_SYS (mprotect), 1, { ODL_SANDBOX_MASKED (2, PROT_EXEC, 0) } },
  { SCMP_SYS (openat), 1, { ODL_SANDBOX_MASKED (2, WRITE_FLAGS, 0) } },
  { SCMP_SYS (open), 1, { ODL_SANDBOX_MASKED (1, WRITE_FLAGS, 0) } },
  // Threads, not processes.
  { SCMP_SYS (clone),
    1,
    { ODL_SANDBOX_MASKED (0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM) } },
  { SCMP_SYS (socketpair), 1, { ODL_SANDBOX_IS (0, AF_UNIX) } },
  { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_SET_NAME) } },
  { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_GET_NAME) } },
  // For the second filter.
  { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_SET_NO_NEW_PRIVS) } },
  { SCMP_SYS (prctl), 1, { ODL_SANDBOX_IS (0, PR_SET_SECCOMP) } },
  // Reading its own limits.
  { SCMP_SYS (prlimit64), 2, { ODL_SANDBOX_IS (0, 0), ODL_SANDBOX_IS (2, 0) } },
  { SCMP_SYS (tgkill), 1, { ODL_SANDBOX_IS (0, ODL_SANDBOX_OWN_PROCESS) } },
  { .call = ODL_SANDBOX_END },
};

// glibc then falls back to clone and openat, whose arguments can be checked.
static const int unknown[] = { SCMP_SYS (clone3), SCMP_SYS (openat2), ODL_SANDBOX_END };

bool
odl_video_sandbox_close (void)
{
  static const int calls[] = { SCMP_SYS (open), SCMP_SYS (openat), ODL_SANDBOX_END };
  static const OdlSandboxRule code[] = {
    { SCMP_SYS (mmap), 1, { ODL_SANDBOX_MASKED (2, PROT_EXEC, PROT_EXEC) } },
    { .call = ODL_SANDBOX_END },
  };

  return UNDER_SANITIZER
         || odl_sandbox_deny (&(OdlSandboxFilter){ .calls = calls, .rules = code });
}

// ---- Files ----

// In addition to the plugin folders.
static const char *const readable[] = { "/usr/lib",
                                        "/usr/lib64",
                                        "/usr/local/lib",
                                        "/lib",
                                        "/lib64",
                                        "/usr/share/locale",
                                        "/etc/ld.so.cache",
                                        "/proc/cpuinfo",
                                        "/sys/devices/system/cpu" };

static void
lock_files (void)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GList *plugins = gst_registry_get_plugin_list (gst_registry_get ());

  for (size_t i = 0; i < G_N_ELEMENTS (readable); i++)
    g_ptr_array_add (paths, g_strdup (readable[i]));
  for (GList *l = plugins; l != NULL; l = l->next) {
    const char *file = gst_plugin_get_filename (l->data);
    char *folder = file != NULL ? g_path_get_dirname (file) : NULL;
    if (folder != NULL && g_hash_table_add (seen, folder))
      g_ptr_array_add (paths, folder);
    else
      g_free (folder);
  }
  g_ptr_array_add (paths, NULL);
  odl_sandbox_landlock ((const char *const *) paths->pdata, false);
  gst_plugin_list_free (plugins);
}

// ---- Limits ----

static size_t
private_memory_now (void)
{
  g_autofree char *text = NULL;
  const char *line = NULL;

  if (g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    line = strstr (text, "VmData:");
  return line != NULL ? (size_t) g_ascii_strtoull (line + 7, NULL, 10) << 10 : 0;
}

bool
odl_video_sandbox_enter (size_t memory)
{
  const OdlSandboxFilter filter
      = { .calls = allowed, .rules = rules, .unknown = unknown };

  odl_sandbox_limit (RLIMIT_CORE, 0, 0);
  odl_sandbox_limit (RLIMIT_FSIZE, 0, 0);
  odl_sandbox_limit (RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return false;
  odl_sandbox_unshare (false);
  const bool powerless = odl_sandbox_drop_capabilities ();
  if (UNDER_SANITIZER)
    return true;
  const size_t most = private_memory_now () + memory;
  odl_sandbox_limit (RLIMIT_DATA, most, most);
  lock_files ();
  return odl_sandbox_allow (&filter) && powerless;
}
