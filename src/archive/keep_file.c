// SPDX-License-Identifier: MIT
#include "archive/keep_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

bool
odl_look_at_file (OdlPeer **peer, int fd, OdlNetworkReport *report, GError **error)
{
  OdlNetworkOrder order = { .kind = ODL_NETWORK_LOOK_AT };
  const OdlPeerStart how
      = { .role = ODL_NETWORK_LOOK, .connection_fd = -1, .most_bytes = 1 };

  if (*peer == NULL)
    *peer = odl_peer_start (&how, error);
  if (*peer == NULL || !odl_peer_order (*peer, &order, NULL, fd, error)
      || !odl_peer_receive (*peer, report, NULL, 0, NULL, error)) {
    odl_peer_end (*peer);
    *peer = NULL;
    return false;
  }
  return (report->kind == ODL_NETWORK_LOOKED && report->status == ODL_STATUS_SUCCESS)
         || odl_error_set (error, ODL_ERROR_CORRUPT,
                           _ ("it does not say of which study and series it is"));
}

bool
odl_copy_file (int from, int to, GError **error)
{
  struct stat status;
  off_t at = 0;

  if (fstat (from, &status) != 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s", g_strerror (errno));
  while (at < status.st_size) {
    const ssize_t n = sendfile (to, from, &at, (size_t) (status.st_size - at));
    if (n == 0 || (n < 0 && errno != EINTR))
      return odl_error_set (error, ODL_ERROR_IO, "%s", g_strerror (n < 0 ? errno : EIO));
  }
  return true;
}

bool
odl_keep_file (OdlInstances *instances,
               OdlPeer **peer,
               const char *file,
               OdlKept *kept,
               char **path,
               GError **error)
{
  OdlNetworkReport report;
  const int from = g_open (file, O_RDONLY | O_CLOEXEC, 0);

  if (from < 0)
    return odl_error_set (error, ODL_ERROR_IO, "%s", g_strerror (errno));
  const int to = odl_instances_new_file (instances, error);
  const bool done
      = to >= 0 && odl_look_at_file (peer, from, &report, error)
        && odl_copy_file (from, to, error)
        && odl_instances_keep (instances, to, &report.facts, kept, path, error);
  close (from);
  if (to >= 0)
    close (to);
  return done;
}
