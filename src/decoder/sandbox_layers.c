// SPDX-License-Identifier: MIT
#include "decoder/sandbox_layers.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
odl_sandbox_drop_capabilities (void)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };

  // Reading fails after the last capability the kernel knows; dropping fails for a
  // process without capabilities.
  for (int i = 0; prctl (PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
    prctl (PR_CAPBSET_DROP, i, 0, 0, 0);
  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  syscall (SYS_capset, &header, sets);

  memset (sets, 0xff, sizeof sets);
  if (syscall (SYS_capget, &header, sets) != 0)
    return false;
  for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
    if ((sets[i].effective | sets[i].permitted | sets[i].inheritable) != 0)
      return false;
  return true;
}

bool
odl_sandbox_unshare (bool online)
{
  const int network = online ? 0 : CLONE_NEWNET;
  const int all = network | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

  return unshare (CLONE_NEWUSER | all) == 0 || unshare (all) == 0;
}

// Kernel headers may be older than the kernel.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#define LANDLOCK_VERSION 1u // flag: query the version
#define LANDLOCK_PATH 1 // kind of rule
#define LANDLOCK_EXECUTE 1u
#define LANDLOCK_READ_FILE 4u
#define LANDLOCK_READ_FOLDER 8u
#define LANDLOCK_CONNECT UINT64_C (2)

typedef struct {
  uint64_t files;
  uint64_t network;
  uint64_t scoped;
} LandlockRules;

typedef struct {
  uint64_t allowed;
  int32_t fd;
} __attribute__ ((packed)) LandlockPath;

// Access rights introduced by each version of Landlock; all are denied.
static const struct {
  long version;
  size_t size; // size of the ruleset attribute
  LandlockRules forbidden;
} landlock[] = {
  { 6, 24, { 0xffff, 3, 3 } }, // abstract sockets, signals
  { 5, 16, { 0xffff, 3, 0 } }, // ioctl of devices
  { 4, 16, { 0x7fff, 3, 0 } }, // TCP
  { 3, 8, { 0x7fff, 0, 0 } }, // truncate
  { 2, 8, { 0x3fff, 0, 0 } }, // rename and link between folders
  { 1, 8, { 0x1fff, 0, 0 } },
};

static void
allow_path (int rules_fd, const char *path, uint64_t how)
{
  struct stat status;
  LandlockPath rule = { how, open (path, O_PATH | O_CLOEXEC) };

  if (rule.fd < 0)
    return;
  if (fstat (rule.fd, &status) == 0 && S_ISDIR (status.st_mode))
    rule.allowed |= LANDLOCK_READ_FOLDER;
  syscall (SYS_landlock_add_rule, rules_fd, LANDLOCK_PATH, &rule, 0);
  close (rule.fd);
}

static bool
restrict_files (const char *const *readable, const char *const *executable, bool online)
{
  long version = syscall (SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
  size_t i = 0;

  if (version < 1)
    return false;
  while (landlock[i].version > version)
    i++;
  LandlockRules forbidden = landlock[i].forbidden;
  if (online)
    forbidden.network &= ~LANDLOCK_CONNECT;
  int fd = (int) syscall (SYS_landlock_create_ruleset, &forbidden, landlock[i].size, 0);
  if (fd < 0)
    return false;
  for (; readable != NULL && *readable != NULL; readable++)
    allow_path (fd, *readable, LANDLOCK_READ_FILE);
  for (; executable != NULL && *executable != NULL; executable++)
    allow_path (fd, *executable, LANDLOCK_READ_FILE | LANDLOCK_EXECUTE);
  bool done = syscall (SYS_landlock_restrict_self, fd, 0) == 0;
  close (fd);
  return done;
}

bool
odl_sandbox_landlock (const char *const *readable, bool online)
{
  return restrict_files (readable, NULL, online);
}

bool
odl_sandbox_landlock_running (const char *const *readable, const char *const *executable)
{
  return restrict_files (readable, executable, false);
}

void
odl_sandbox_limit (int resource, rlim_t soft, rlim_t hard)
{
  struct rlimit old;

  if (getrlimit (resource, &old) == 0 && old.rlim_max != RLIM_INFINITY) {
    hard = hard < old.rlim_max ? hard : old.rlim_max;
    soft = soft < hard ? soft : hard;
  }
  setrlimit (resource, &(struct rlimit){ soft, hard });
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

void
odl_sandbox_limit_memory (size_t more)
{
  const size_t now = ODL_SANDBOX_UNDER_ASAN ? 0 : address_space_now ();

  if (now > 0)
    odl_sandbox_limit (RLIMIT_AS, now + more, now + more);
}
