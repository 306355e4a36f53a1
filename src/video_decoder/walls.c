// SPDX-License-Identifier: MIT
#include "video_decoder/walls.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <gst/gst.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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
};

// Allowed when the masked argument is as said.
typedef struct {
  int call;
  unsigned n;
  struct scmp_arg_cmp when[2];
} Rule;

#define MASKED(argument, mask, value) \
  { \
    argument, SCMP_CMP_MASKED_EQ, mask, value \
  }
#define EXACT(argument, value) \
  { \
    argument, SCMP_CMP_EQ, value, 0 \
  }
#define WRITE_FLAGS \
  (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

static const Rule rules[] = {
  // Memory is written or executed, never both, and what is shared is the parent's.
  { SCMP_SYS (mmap), 2, { MASKED (2, PROT_EXEC, 0), MASKED (3, MAP_ANONYMOUS, 0) } },
  { SCMP_SYS (mmap), 2, { MASKED (2, PROT_EXEC, 0), MASKED (3, MAP_TYPE, MAP_PRIVATE) } },
  { SCMP_SYS (mmap),
    2,
    { MASKED (2, PROT_EXEC | PROT_WRITE, PROT_EXEC), MASKED (3, MAP_ANONYMOUS, 0) } },
  { SCMP_SYS (mprotect), 1, { MASKED (2, PROT_EXEC, 0) } },
  { SCMP_SYS (openat), 1, { MASKED (2, WRITE_FLAGS, 0) } },
  { SCMP_SYS (open), 1, { MASKED (1, WRITE_FLAGS, 0) } },
  // Threads, not processes.
  { SCMP_SYS (clone),
    1,
    { MASKED (0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM) } },
  { SCMP_SYS (socketpair), 1, { EXACT (0, AF_UNIX) } },
  { SCMP_SYS (prctl), 1, { EXACT (0, PR_SET_NAME) } },
  { SCMP_SYS (prctl), 1, { EXACT (0, PR_GET_NAME) } },
  // For the second filter.
  { SCMP_SYS (prctl), 1, { EXACT (0, PR_SET_NO_NEW_PRIVS) } },
  { SCMP_SYS (prctl), 1, { EXACT (0, PR_SET_SECCOMP) } },
  // Its own limits, to read.
  { SCMP_SYS (prlimit64), 2, { EXACT (0, 0), EXACT (2, 0) } },
};

static bool
is_absent (int result)
{
  return result == -EDOM || result == -EINVAL || result == -EFAULT || result == -EEXIST;
}

static bool
add_rules (scmp_filter_ctx context)
{
  const struct scmp_arg_cmp own[] = { EXACT (0, (scmp_datum_t) getpid ()) };

  for (size_t i = 0; i < G_N_ELEMENTS (allowed); i++) {
    const int result = seccomp_rule_add (context, SCMP_ACT_ALLOW, allowed[i], 0);
    if (result != 0 && !is_absent (result))
      return false;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (rules); i++)
    if (seccomp_rule_add_array (context, SCMP_ACT_ALLOW, rules[i].call, rules[i].n,
                                rules[i].when)
        != 0)
      return false;
  // glibc then takes clone and openat, whose arguments can be seen.
  return seccomp_rule_add (context, SCMP_ACT_ERRNO (ENOSYS), SCMP_SYS (clone3), 0) == 0
         && seccomp_rule_add (context, SCMP_ACT_ERRNO (ENOSYS), SCMP_SYS (openat2), 0)
                == 0
         && seccomp_rule_add_array (context, SCMP_ACT_ALLOW, SCMP_SYS (tgkill), 1, own)
                == 0;
}

static bool
filter_system_calls (void)
{
  // A refused call fails with EPERM: a library that tries something needless goes on.
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ERRNO (EPERM));
  const bool done = context != NULL
                    && seccomp_attr_set (context, SCMP_FLTATR_CTL_TSYNC, 1) == 0
                    && add_rules (context) && seccomp_load (context) == 0;

  if (context != NULL)
    seccomp_release (context);
  return done;
}

bool
odl_walls_close (void)
{
  static const int refused[] = { SCMP_SYS (open), SCMP_SYS (openat) };
  const struct scmp_arg_cmp code[] = { MASKED (2, PROT_EXEC, PROT_EXEC) };

  if (UNDER_SANITIZER)
    return true;
  scmp_filter_ctx context = seccomp_init (SCMP_ACT_ALLOW);
  bool done = context != NULL && seccomp_attr_set (context, SCMP_FLTATR_CTL_TSYNC, 1) == 0
              && seccomp_rule_add_array (context, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (mmap),
                                         1, code)
                     == 0;
  for (size_t i = 0; done && i < G_N_ELEMENTS (refused); i++) {
    const int result = seccomp_rule_add (context, SCMP_ACT_ERRNO (EPERM), refused[i], 0);
    done = result == 0 || is_absent (result);
  }
  done = done && seccomp_load (context) == 0;
  if (context != NULL)
    seccomp_release (context);
  return done;
}

// ---- Files ----

// Of the kernel's interface, which the headers of older systems lack.
#define LANDLOCK_READ 0xcu // files and folders
typedef struct {
  uint64_t files, network, scoped;
} LandlockRules;
typedef struct {
  uint64_t allowed;
  int32_t folder;
} __attribute__ ((packed)) LandlockPath;

static const struct {
  long version;
  size_t size; // of the rules that it takes
  LandlockRules forbidden;
} landlock[] = {
  { 6, 24, { 0xffff, 3, 3 } }, // abstract sockets, signals
  { 5, 16, { 0xffff, 3, 0 } }, // ioctl of devices
  { 4, 16, { 0x7fff, 3, 0 } }, // TCP
  { 3, 8, { 0x7fff, 0, 0 } }, // truncate
  { 2, 8, { 0x3fff, 0, 0 } }, // rename and link between folders
  { 1, 8, { 0x1fff, 0, 0 } },
};

// Besides the folders of plugins.
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
allow_path (int rules_fd, const char *path)
{
  const int fd = open (path, O_PATH | O_CLOEXEC);
  const bool folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  const LandlockPath one = { folder ? LANDLOCK_READ : 4u, fd };

  if (fd < 0)
    return;
  syscall (SYS_landlock_add_rule, rules_fd, 1, &one, 0);
  close (fd);
}

// Each plugin's folder and the one above it, where the libraries of its own may lie.
static void
allow_plugins (int rules_fd)
{
  g_autoptr (GHashTable) seen
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GList *plugins = gst_registry_get_plugin_list (gst_registry_get ());

  for (GList *l = plugins; l != NULL; l = l->next) {
    const char *file = gst_plugin_get_filename (l->data);
    char *folder = file != NULL ? g_path_get_dirname (file) : NULL;
    if (folder == NULL || !g_hash_table_add (seen, folder))
      continue;
    allow_path (rules_fd, folder);
  }
  gst_plugin_list_free (plugins);
}

static void
lock_files (void)
{
  const long version = syscall (SYS_landlock_create_ruleset, NULL, 0, 1u);
  size_t i = 0;

  if (version < 1)
    return;
  while (landlock[i].version > version)
    i++;
  const int fd = (int) syscall (SYS_landlock_create_ruleset, &landlock[i].forbidden,
                                landlock[i].size, 0);
  if (fd < 0)
    return;
  for (size_t k = 0; k < G_N_ELEMENTS (readable); k++)
    allow_path (fd, readable[k]);
  allow_plugins (fd);
  syscall (SYS_landlock_restrict_self, fd, 0);
  close (fd);
}

// ---- Limits ----

static void
limit (int resource, rlim_t value)
{
  struct rlimit old;

  if (getrlimit (resource, &old) == 0 && old.rlim_max != RLIM_INFINITY)
    value = MIN (value, old.rlim_max);
  setrlimit (resource, &(struct rlimit){ value, value });
}

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
odl_walls_enter (size_t memory)
{
  limit (RLIMIT_CORE, 0);
  limit (RLIMIT_FSIZE, 0);
  limit (RLIMIT_NOFILE, DESCRIPTORS);
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return false;
  odl_sandbox_leave_namespaces ();
  const bool powerless = odl_sandbox_drop_capabilities ();
  if (UNDER_SANITIZER)
    return true;
  limit (RLIMIT_DATA, private_memory_now () + memory);
  lock_files ();
  return filter_system_calls () && powerless;
}
