// SPDX-License-Identifier: MIT
#include "source/camera/devices.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <gst/gst.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "source/camera/portal.h"

#include "source/gst_frame.h"

// A private PipeWire connection for enumerating cameras, which detects when the server
// goes and reconnects when it returns.

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

// False once its server has gone; its devices are then invalid. Any thread; does not
// block.
static bool
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

// The device provider of the current server, shared by all callers; never stop it.
// Outside a sandbox it connects to PipeWire's socket; NULL without an error: no
// server. In a sandbox it asks the portal, unless there is a connection already or
// `asks` is false; then NULL without an error means no connection. `cancellable` (may
// be NULL) withdraws the request. Transfer full. Not the main thread. Errors of
// odl_camera_portal_open; ODL_ERROR_UNSUPPORTED if the plugin is not installed.
static GstDeviceProvider *
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

// In display order.
enum { PIPEWIRE, V4L2, N_KINDS };

#define V4L2_FACTORY "v4l2deviceprovider"

// Properties that identify a device, and its file; the first present one counts.
static const char *const id_keys[]
    = { "node.name", "object.path", "device.path", "api.v4l2.path", NULL };
static const char *const path_keys[] = { "api.v4l2.path", "device.path", NULL };

struct _OdlCameraDevices {
  struct {
    GstDeviceProvider *provider; // NULL: not installed, or no server
    GstBus *bus;
    gulong handler;
    bool started;
  } kinds[N_KINDS];
  gatomicrefcount ref_count; // held by the owner and the handlers
  GMutex mutex; // guards cb
  OdlCameraDevicesCb cb; // NULL: closed
  void *data;
};

static void
devices_unref (OdlCameraDevices *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_free (self);
}

// ---- Watching ----

// The provider's bus is shared: messages are examined in a sync handler and discarded.
static void
message_cb (GstBus *bus, GstMessage *message, OdlCameraDevices *self)
{
  const GstMessageType type = GST_MESSAGE_TYPE (message);

  if (type != GST_MESSAGE_DEVICE_ADDED && type != GST_MESSAGE_DEVICE_REMOVED
      && type != GST_MESSAGE_DEVICE_CHANGED)
    return;
  g_mutex_lock (&self->mutex);
  if (self->cb != NULL)
    self->cb (self->data);
  g_mutex_unlock (&self->mutex);
}

static void
handler_gone_cb (void *data, GClosure *closure)
{
  devices_unref (data);
}

static void
empty_bus (GstBus *bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop (bus)) != NULL)
    gst_message_unref (message);
}

// Takes ownership of `provider`, which may be NULL.
static void
attach (OdlCameraDevices *self, int kind, GstDeviceProvider *provider)
{
  if (provider == NULL)
    return;
  GstBus *bus = gst_device_provider_get_bus (provider);
  gst_bus_enable_sync_message_emission (bus);
  g_atomic_ref_count_inc (&self->ref_count);
  self->kinds[kind].handler = g_signal_connect_data (
      bus, "sync-message", G_CALLBACK (message_cb), self, handler_gone_cb, 0);
  self->kinds[kind].bus = bus;
  self->kinds[kind].provider = provider;
  self->kinds[kind].started = false;
}

// PipeWire's provider shares its connection with all pipelines. If stopped while one
// is running, version 0.3.65 later accesses freed devices; so it is never stopped.
static void
detach (OdlCameraDevices *self, int kind)
{
  GstDeviceProvider *provider = g_steal_pointer (&self->kinds[kind].provider);

  if (provider == NULL)
    return;
  GstBus *bus = g_steal_pointer (&self->kinds[kind].bus);
  g_signal_handler_disconnect (bus, self->kinds[kind].handler);
  gst_bus_disable_sync_message_emission (bus);
  if (self->kinds[kind].started && kind != PIPEWIRE)
    gst_device_provider_stop (provider);
  empty_bus (bus);
  gst_object_unref (bus);
  gst_object_unref (provider);
}

static bool
is_there (OdlCameraDevices *self, int kind)
{
  return self->kinds[kind].provider != NULL
         && (kind != PIPEWIRE || odl_camera_server_is_there (self->kinds[kind].provider));
}

void
odl_camera_devices_refresh (OdlCameraDevices *self)
{
  if (!is_there (self, PIPEWIRE)) {
    detach (self, PIPEWIRE);
    // Enumerating must not prompt the user.
    attach (self, PIPEWIRE, odl_camera_server_provider (false, NULL, NULL));
  }
  for (size_t i = 0; i < N_KINDS; i++)
    if (self->kinds[i].provider != NULL && !self->kinds[i].started)
      self->kinds[i].started = gst_device_provider_start (self->kinds[i].provider);
}

bool
odl_camera_devices_need_permission (OdlCameraDevices *self)
{
  return odl_camera_needs_portal () && !is_there (self, PIPEWIRE);
}

// ---- Starting ----

// One of the two providers suffices.
static bool
find_providers (OdlCameraDevices *self, GCancellable *cancellable, GError **error)
{
  GError *cause = NULL;

  attach (self, PIPEWIRE, odl_camera_server_provider (true, cancellable, &cause));
  if (!odl_camera_needs_portal ())
    attach (self, V4L2, gst_device_provider_factory_get_by_name (V4L2_FACTORY));
  if (cause == NULL)
    return true;
  if (self->kinds[V4L2].provider != NULL) {
    g_clear_error (&cause);
    return true;
  }
  g_propagate_error (error, cause);
  return false;
}

OdlCameraDevices *
odl_camera_devices_open (GCancellable *cancellable,
                         OdlCameraDevicesCb cb,
                         void *data,
                         GError **error)
{
  if (!odl_gst_start (error))
    return NULL;
  OdlCameraDevices *self = g_new0 (OdlCameraDevices, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->cb = cb;
  self->data = data;
  if (!find_providers (self, cancellable, error)) {
    odl_camera_devices_close (self);
    return NULL;
  }
  odl_camera_devices_refresh (self);
  return self;
}

void
odl_camera_devices_close (OdlCameraDevices *self)
{
  g_mutex_lock (&self->mutex);
  self->cb = NULL;
  g_mutex_unlock (&self->mutex);
  for (int i = 0; i < N_KINDS; i++)
    detach (self, i);
  devices_unref (self);
}

// ---- Listing ----

static void
camera_free (void *data)
{
  OdlCamera *camera = data;

  g_free (camera->id);
  g_free (camera->path);
  g_free (camera->name);
  g_array_unref (camera->formats);
  gst_object_unref (camera->device);
  g_free (camera);
}

static char *
property_of (GstDevice *device, const char *const *keys)
{
  GstStructure *properties = gst_device_get_properties (device);
  char *text = NULL;

  for (size_t i = 0; properties != NULL && text == NULL && keys[i] != NULL; i++)
    text = g_strdup (gst_structure_get_string (properties, keys[i]));
  if (properties != NULL)
    gst_structure_free (properties);
  return text;
}

static bool
has_path (const GPtrArray *cameras, const char *path)
{
  for (guint i = 0; path != NULL && i < cameras->len; i++)
    if (g_strcmp0 (((OdlCamera *) cameras->pdata[i])->path, path) == 0)
      return true;
  return false;
}

// Cameras of the same model are distinguished as "NAME (2)".
static char *
unique_name (const GPtrArray *cameras, const char *wanted)
{
  g_autofree char *valid = g_utf8_make_valid (wanted, -1);
  char *name = g_strdup (valid);

  for (int number = 2; number < 100; number++) {
    bool taken = false;
    for (guint i = 0; i < cameras->len; i++)
      taken = taken || g_str_equal (((OdlCamera *) cameras->pdata[i])->name, name);
    if (!taken)
      break;
    g_free (name);
    name = g_strdup_printf ("%s (%d)", valid, number);
  }
  return name;
}

static void
add_device (GPtrArray *cameras, GstDevice *device)
{
  if (!gst_device_has_classes (device, "Video/Source"))
    return;
  g_autofree char *path = property_of (device, path_keys);
  if (has_path (cameras, path))
    return;
  g_autofree char *shown = gst_device_get_display_name (device);
  OdlCamera *camera = g_new0 (OdlCamera, 1);
  GstCaps *caps = gst_device_get_caps (device);
  camera->id = property_of (device, id_keys);
  if (camera->id == NULL)
    camera->id = g_strdup (shown != NULL ? shown : "");
  camera->path = g_steal_pointer (&path);
  camera->name = unique_name (cameras, shown != NULL && *shown ? shown : camera->id);
  camera->formats = odl_camera_formats_from_caps (caps);
  camera->device = gst_object_ref (device);
  g_clear_pointer (&caps, gst_caps_unref);
  g_ptr_array_add (cameras, camera);
}

GPtrArray *
odl_camera_list_new (GList *devices)
{
  GPtrArray *cameras = g_ptr_array_new_with_free_func (camera_free);

  for (GList *at = devices; at != NULL; at = at->next)
    add_device (cameras, at->data);
  return cameras;
}

GPtrArray *
odl_camera_devices_list (OdlCameraDevices *self)
{
  GList *devices = NULL;

  for (int i = 0; i < N_KINDS; i++) {
    if (!is_there (self, i) || !self->kinds[i].started)
      continue;
    empty_bus (self->kinds[i].bus);
    devices = g_list_concat (devices,
                             gst_device_provider_get_devices (self->kinds[i].provider));
  }
  GPtrArray *cameras = odl_camera_list_new (devices);
  g_list_free_full (devices, gst_object_unref);
  return cameras;
}

// ---- Finding ----

typedef bool (*Match) (const OdlCamera *camera, const char *name);

static bool
has_id (const OdlCamera *camera, const char *name)
{
  return g_str_equal (camera->id, name);
}

static bool
has_name (const OdlCamera *camera, const char *name)
{
  return g_str_equal (camera->name, name);
}

static bool
holds_name (const OdlCamera *camera, const char *name)
{
  g_autofree char *whole = g_utf8_casefold (camera->name, -1);
  g_autofree char *part = g_utf8_casefold (name, -1);

  return strstr (whole, part) != NULL;
}

static void
set_not_found (const GPtrArray *cameras, const char *name, GError **error)
{
  GString *there = g_string_new (NULL);

  for (guint i = 0; i < cameras->len; i++)
    g_string_append_printf (there, "%s“%s”", i > 0 ? ", " : "",
                            ((const OdlCamera *) cameras->pdata[i])->name);
  if (cameras->len == 0)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_NO_DEVICE,
                         _ ("No camera was found. Connect one, or switch it on, and try "
                            "again."));
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE,
                 _ ("The camera “%s” was not found. Connect it, or choose another one: "
                    "%s."),
                 name, there->str);
  g_string_free (there, TRUE);
}

const OdlCamera *
odl_camera_find (const GPtrArray *cameras, const char *name, GError **error)
{
  static const Match matches[] = { has_id, has_name, holds_name };

  if (name == NULL && cameras->len > 0)
    return cameras->pdata[0];
  for (size_t m = 0; name != NULL && m < G_N_ELEMENTS (matches); m++) {
    const OdlCamera *found = NULL;
    int n = 0;
    for (guint i = 0; i < cameras->len; i++)
      if (matches[m](cameras->pdata[i], name)) {
        found = cameras->pdata[i];
        n++;
      }
    if (n == 1)
      return found;
  }
  set_not_found (cameras, name, error);
  return NULL;
}

// Sets PipeWire source elements to the mode that cameras need; leaves others unchanged.
static void
set_up_element (GstElement *element)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  // PipeWire would silently switch to another camera when this one is removed.
  if (g_object_class_find_property (klass, "stream-properties") != NULL) {
    GstStructure *properties = gst_structure_new ("properties", "node.dont-reconnect",
                                                  G_TYPE_STRING, "true", NULL);
    g_object_set (element, "stream-properties", properties, NULL);
    gst_structure_free (properties);
    // Copies the frames, because PipeWire unmaps shared memory when a camera goes,
    // even while it is read. (0.3.65 copies just after releasing its lock, which
    // leaves a race of some microseconds per frame for cameras that are programs.
    // Device memory is mapped by us.)
    g_object_set (element, "do-timestamp", TRUE, "always-copy", TRUE, NULL);
  }
}

GstElement *
odl_camera_make_element (const OdlCamera *camera)
{
  GstElement *element = gst_device_create_element (camera->device, NULL);

  if (element == NULL)
    return NULL;
  set_up_element (element);
  return element;
}
