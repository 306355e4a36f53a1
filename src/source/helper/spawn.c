// SPDX-License-Identifier: MIT
#include "source/helper/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/helper.h"

#define MAX_FDS 8

// `copies`: duplicates of the descriptors, with numbers above the final ones.
static int
spawn (const OdlHelperFd *fds,
       const int *copies,
       size_t n_fds,
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
  for (size_t i = 0; i < n_fds; i++)
    posix_spawn_file_actions_adddup2 (&actions, copies[i], fds[i].number);
  posix_spawn_file_actions_addclosefrom_np (&actions, ODL_HELPER_LIFE_FD + 1);
  int result = posix_spawn (pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return result;
}

int
odl_helper_spawn (const OdlHelperFd *fds, size_t n_fds, char *const *argv, pid_t *pid)
{
  int copies[MAX_FDS] = { 0 };
  int result = 0;

  g_return_val_if_fail (n_fds <= MAX_FDS, EINVAL);
  for (size_t i = 0; i < n_fds; i++) {
    copies[i] = fcntl (fds[i].given_fd, F_DUPFD_CLOEXEC, ODL_HELPER_LIFE_FD + 1);
    result = copies[i] < 0 ? errno : result;
  }
  if (result == 0)
    result = spawn (fds, copies, n_fds, argv, pid);
  for (size_t i = 0; i < n_fds; i++)
    if (copies[i] >= 0)
      close (copies[i]);
  return result;
}
