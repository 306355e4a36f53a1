// SPDX-License-Identifier: MIT
#include "python/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/helper.h"
#include "decoder/sandbox_filter.h"
#include "decoder/sandbox_layers.h"

// Of processor time; the program raises it with each frame.
#define CPU_SECONDS 60

// ---- a root folder of its own --------------------------------------------------------

// What an interpreter and its packages are made of, as far as it is there.
static const char *const libraries[]
    = { "/usr/lib", "/usr/lib32", "/usr/lib64",        "/usr/local/lib",
        "/lib",     "/lib64",     "/etc/alternatives", "/etc/ld.so.cache",
        NULL };
// The loaders of the systems that there are packages for.
static const char *const loaders[]
    = { "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
        "/lib/ld-linux-armhf.so.3", "/lib/ld-linux.so.2", NULL };
// A folder that every system has and nothing here needs; the new root covers it.
#define COVERED "/tmp"
#define LONGEST 1024

static bool
write_text (const char *path, const char *text)
{
  const int fd = open (path, O_WRONLY | O_CLOEXEC);
  const bool done = fd >= 0 && write (fd, text, strlen (text)) == (ssize_t) strlen (text);

  if (fd >= 0)
    close (fd);
  return done;
}

// A process without a number in its own namespace could make no folders.
static bool
unshare_all (void)
{
  const int all
      = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  const unsigned user = geteuid (), group = getegid ();
  char text[64];

  if (unshare (CLONE_NEWUSER | all) != 0)
    return unshare (all) == 0;
  write_text ("/proc/self/setgroups", "deny");
  snprintf (text, sizeof text, "%u %u 1", user, user);
  const bool mapped = write_text ("/proc/self/uid_map", text);
  snprintf (text, sizeof text, "%u %u 1", group, group);
  return mapped && write_text ("/proc/self/gid_map", text);
}

// The folders above the last part of `path`.
static bool
make_parents (char *path)
{
  for (char *end = strchr (path + 1, '/'); end != NULL; end = strchr (end + 1, '/')) {
    *end = '\0';
    const bool done = mkdir (path, 0755) == 0 || errno == EEXIST;
    *end = '/';
    if (!done)
      return false;
  }
  return true;
}

static bool
set_read_only (const char *path, unsigned how)
{
  struct mount_attr attributes
      = { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV };

  return syscall (SYS_mount_setattr, AT_FDCWD, path, how, &attributes, sizeof attributes)
         == 0;
}

// The same at the same place below the new root, which can be read and no more. A link
// stays one; what is not there is left out.
static bool
bring (const char *path)
{
  char place[LONGEST], link[LONGEST];
  struct stat status;

  if (lstat (path, &status) != 0)
    return true;
  snprintf (place, sizeof place, COVERED "%s", path);
  if (!make_parents (place))
    return false;
  if (S_ISLNK (status.st_mode)) {
    const ssize_t n = readlink (path, link, sizeof link - 1);
    link[n < 0 ? 0 : n] = '\0';
    return n > 0 && symlink (link, place) == 0;
  }
  const int fd = S_ISDIR (status.st_mode)
                     ? -1
                     : open (place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd >= 0)
    close (fd);
  else if (!S_ISDIR (status.st_mode) || mkdir (place, 0755) != 0)
    return false;
  return mount (path, place, NULL, MS_BIND | MS_REC, NULL) == 0
         && set_read_only (place, AT_RECURSIVE);
}

static bool
change_root (const char *interpreter)
{
  if (mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
      || mount ("ondelette", COVERED, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=755")
             != 0)
    return false;
  for (const char *const *path = libraries; *path != NULL; path++)
    if (!bring (*path))
      return false;
  return bring (interpreter) && chdir (COVERED) == 0
         && syscall (SYS_pivot_root, ".", ".") == 0 && umount2 (".", MNT_DETACH) == 0
         && chdir ("/") == 0 && set_read_only ("/", 0);
}

// ---- system calls --------------------------------------------------------------------

// Files that can be read, memory, and the end. Nothing here waits, so that what an author
// writes either works, which takes its time, or ends.
static const int allowed[] = {
  SCMP_SYS (access),
  SCMP_SYS (arch_prctl),
  SCMP_SYS (brk),
  SCMP_SYS (clock_getres),
  SCMP_SYS (clock_gettime),
  SCMP_SYS (execve),
  SCMP_SYS (exit),
  SCMP_SYS (exit_group),
  SCMP_SYS (faccessat),
  SCMP_SYS (faccessat2),
  SCMP_SYS (fadvise64),
  SCMP_SYS (fstat),
  SCMP_SYS (fstatfs),
  SCMP_SYS (getcpu),
  SCMP_SYS (getcwd),
  SCMP_SYS (getdents64),
  SCMP_SYS (getegid),
  SCMP_SYS (geteuid),
  SCMP_SYS (getgid),
  SCMP_SYS (getpid),
  SCMP_SYS (getppid),
  SCMP_SYS (getrandom),
  SCMP_SYS (getrusage),
  SCMP_SYS (gettid),
  SCMP_SYS (gettimeofday),
  SCMP_SYS (getuid),
  SCMP_SYS (lseek),
  SCMP_SYS (lstat),
  SCMP_SYS (madvise),
  SCMP_SYS (mmap),
  SCMP_SYS (mprotect),
  SCMP_SYS (mremap),
  SCMP_SYS (munmap),
  SCMP_SYS (newfstatat),
  SCMP_SYS (open),
  SCMP_SYS (openat),
  SCMP_SYS (pread64),
  SCMP_SYS (read),
  SCMP_SYS (readlink),
  SCMP_SYS (readlinkat),
  SCMP_SYS (restart_syscall),
  SCMP_SYS (rseq),
  SCMP_SYS (rt_sigaction),
  SCMP_SYS (rt_sigprocmask),
  SCMP_SYS (rt_sigreturn),
  SCMP_SYS (sched_getaffinity),
  SCMP_SYS (sched_yield),
  SCMP_SYS (set_robust_list),
  SCMP_SYS (set_tid_address),
  SCMP_SYS (sigaltstack),
  SCMP_SYS (stat),
  SCMP_SYS (statx),
  SCMP_SYS (sysinfo),
  SCMP_SYS (time),
  SCMP_SYS (times),
  SCMP_SYS (uname),
  SCMP_SYS (write),
  ODL_SANDBOX_END,
};

static const OdlSandboxRule rules[] = {
  // The life pipe must stay open, and as it is.
  { SCMP_SYS (close), 1, { ODL_SANDBOX_BELOW (0, ODL_HELPER_LIFE_FD) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_GETFD) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_GETFL) } },
  { SCMP_SYS (fcntl), 1, { ODL_SANDBOX_IS (1, F_DUPFD_CLOEXEC) } },
  // What was locked is woken, and nobody waits.
  { SCMP_SYS (futex), 1, { ODL_SANDBOX_IS (1, FUTEX_WAKE) } },
  { SCMP_SYS (futex), 1, { ODL_SANDBOX_IS (1, FUTEX_WAKE_PRIVATE) } },
  // Reading limits is allowed, setting them is not.
  { SCMP_SYS (prlimit64), 1, { ODL_SANDBOX_IS (2, 0) } },
  // abort ().
  { SCMP_SYS (tgkill),
    2,
    { ODL_SANDBOX_IS (0, ODL_SANDBOX_OWN_PROCESS), ODL_SANDBOX_IS (2, SIGABRT) } },
  { .call = ODL_SANDBOX_END },
};

// ---- all layers ----------------------------------------------------------------------

const char *
odl_python_sandbox_enter (const char *interpreter, uint64_t memory)
{
  const OdlSandboxFilter filter = { .calls = allowed, .rules = rules };
  const char *executable[]
      = { interpreter, loaders[0], loaders[1], loaders[2], loaders[3], NULL };

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return "no_new_privs";
  if (!unshare_all ())
    return "namespaces";
  if (!change_root (interpreter))
    return "mount namespaces";
  if (!odl_sandbox_drop_capabilities ())
    return "capabilities";
  if (!odl_sandbox_landlock_running (libraries, executable))
    return "Landlock";
  odl_sandbox_limit (RLIMIT_CORE, 0, 0);
  odl_sandbox_limit (RLIMIT_FSIZE, 0, 0);
  odl_sandbox_limit (RLIMIT_CPU, CPU_SECONDS, RLIM_INFINITY);
  odl_sandbox_limit (RLIMIT_NOFILE, ODL_HELPER_LIFE_FD + 1, ODL_HELPER_LIFE_FD + 1);
  odl_sandbox_limit (RLIMIT_AS, memory, memory);
  return odl_sandbox_allow (&filter) ? NULL : "seccomp";
}
