// SPDX-License-Identifier: MIT
#include "source/helper/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/helper.h"

#define MAX_GIFTS 8

// `copies`: duplicates of the descriptors, with numbers above the final ones.
static int
spawn (const OdlHelperGift *gifts,
       const int *copies,
       size_t n_gifts,
       char *const *argv,
       pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  if (g_getenv ("ODL_DEBUG") == NULL)
    posix_spawn_file_actions_addopen (&actions, 2, "/dev/null", O_WRONLY, 0);
  for (int fd = 3; fd <= ODL_HELPER_LIFE_FD; fd++)
    posix_spawn_file_actions_addclose (&actions, fd);
  for (size_t i = 0; i < n_gifts; i++)
    posix_spawn_file_actions_adddup2 (&actions, copies[i], gifts[i].number);
  posix_spawn_file_actions_addclosefrom_np (&actions, ODL_HELPER_LIFE_FD + 1);
  int result = posix_spawn (pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return result;
}

int
odl_helper_spawn (const OdlHelperGift *gifts,
                  size_t n_gifts,
                  char *const *argv,
                  pid_t *pid)
{
  int copies[MAX_GIFTS] = { 0 };
  int result = 0;

  g_return_val_if_fail (n_gifts <= MAX_GIFTS, EINVAL);
  for (size_t i = 0; i < n_gifts; i++) {
    copies[i] = fcntl (gifts[i].given_fd, F_DUPFD_CLOEXEC, ODL_HELPER_LIFE_FD + 1);
    result = copies[i] < 0 ? errno : result;
  }
  if (result == 0)
    result = spawn (gifts, copies, n_gifts, argv, pid);
  for (size_t i = 0; i < n_gifts; i++)
    if (copies[i] >= 0)
      close (copies[i]);
  return result;
}
