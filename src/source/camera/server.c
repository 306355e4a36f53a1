// SPDX-License-Identifier: MIT
#include "source/camera/server.h"

#include <glib/gi18n-lib.h>
#include <gst/gst.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "source/camera/portal.h"

#define FACTORY "pipewiredeviceprovider"
#define PROVIDER_KEY "odl-provider"

// ---- PipeWire's socket ----

// In libpipewire's order: its own folder, the session's, the system's.
static const char *const folder_variables[]
    = { "PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR", "USERPROFILE" };
#define SYSTEM_FOLDER "/run/pipewire"
#define DEFAULT_NAME "pipewire-0"

// Does not wait if the listen queue is full; the caller retries later.
static int
connect_to (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  if (strlen (path) >= sizeof address.sun_path)
    return -1;
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  const int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return -1;
  if (connect (fd, (const struct sockaddr *) &address, sizeof address) == 0)
    return fd;
  close (fd);
  return -1;
}

static int
connect_in (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return connect_to (path);
}

static int
connect_to_socket (void)
{
  const char *name = g_getenv ("PIPEWIRE_REMOTE");
  const char *folder = NULL;

  if (name == NULL || *name == '\0')
    name = DEFAULT_NAME;
  if (g_path_is_absolute (name))
    return connect_to (name);
  for (size_t i = 0; folder == NULL && i < G_N_ELEMENTS (folder_variables); i++)
    folder = g_getenv (folder_variables[i]);
  const int fd = folder != NULL ? connect_in (folder, name) : -1;
  return fd >= 0 ? fd : connect_in (SYSTEM_FOLDER, name);
}

// ---- The provider ----

bool
odl_camera_server_is_there (GstDeviceProvider *provider)
{
  struct pollfd connection = { .fd = -1 };

  g_object_get (provider, "fd", &connection.fd, NULL);
  return poll (&connection, 1, 0) >= 0
         && (connection.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

static GstPluginFeature *
load_factory (GError **error)
{
  g_autoptr (GstDeviceProviderFactory) found = gst_device_provider_factory_find (FACTORY);
  GstPluginFeature *factory
      = found != NULL ? gst_plugin_feature_load (GST_PLUGIN_FEATURE (found)) : NULL;

  if (factory == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("Cameras need GStreamer's plugin for PipeWire, which is not "
                            "installed; install gstreamer1.0-pipewire."));
  return factory;
}

// The shared provider, or NULL. Call it with the factory's lock held.
static GstDeviceProvider *
find_shared (GstPluginFeature *factory)
{
  GstDeviceProvider *provider = g_object_get_data (G_OBJECT (factory), PROVIDER_KEY);

  return provider != NULL && odl_camera_server_is_there (provider)
             ? gst_object_ref (provider)
             : NULL;
}

// PipeWire's plugin (0.3.65) crashes when the last user of a connection stops, because
// it receives errors after releasing it. Shared providers are therefore never
// released; the factory keeps them. A provider whose server has gone also keeps its
// descriptor open, since the plugin identifies connections by number.
static GstDeviceProvider *
share_provider (GstPluginFeature *factory, int fd)
{
  const GType type = gst_device_provider_factory_get_device_provider_type (
      GST_DEVICE_PROVIDER_FACTORY (factory));

  GST_OBJECT_LOCK (factory);
  GstDeviceProvider *provider = find_shared (factory);
  const bool late = provider != NULL; // another thread was first
  if (!late) {
    provider = gst_object_ref_sink (g_object_new (type, "fd", fd, NULL));
    g_object_set_data (G_OBJECT (factory), PROVIDER_KEY, gst_object_ref (provider));
  }
  GST_OBJECT_UNLOCK (factory);
  if (late)
    close (fd);
  return provider;
}

GstDeviceProvider *
odl_camera_server_provider (bool asks, GCancellable *cancellable, GError **error)
{
  g_autoptr (GstPluginFeature) factory = load_factory (error);

  if (factory == NULL)
    return NULL;
  GST_OBJECT_LOCK (factory);
  GstDeviceProvider *provider = find_shared (factory);
  GST_OBJECT_UNLOCK (factory);
  if (provider != NULL)
    return provider;
  int fd = -1;
  if (!odl_camera_needs_portal ())
    fd = connect_to_socket ();
  else if (asks)
    fd = odl_camera_portal_open (cancellable, error);
  return fd >= 0 ? share_provider (factory, fd) : NULL;
}
