// SPDX-License-Identifier: MIT
#include "session/browse/cameras.h"

#include "base/thread.h"
#include "source/camera/portal.h"

// Interval for asking again if there was no server.
#define REFRESH_US (3 * G_USEC_PER_SEC)

struct _OdlCameras {
  gatomicrefcount ref_count; // references of the owner, the thread and pending callbacks
  GMutex mutex; // guards the fields up to the empty line
  GCond changed;
  bool stopping;
  bool again; // something changed

  GCancellable *cancellable; // result of the portal
  GMainContext *context;
  GPtrArray *list; // this and the following are used in `context` only
  bool watches;
  OdlCamerasCb cb;
  void *data;
};

typedef struct {
  OdlCameras *cameras;
  GPtrArray *list;
} Delivery;

static void
cameras_unref (OdlCameras *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->list);
  g_main_context_unref (self->context);
  g_object_unref (self->cancellable);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
delivery_free (void *data)
{
  Delivery *delivery = data;
  cameras_unref (delivery->cameras);
  g_clear_pointer (&delivery->list, g_ptr_array_unref);
  g_free (delivery);
}

static gboolean
deliver_cb (void *data)
{
  Delivery *delivery = data;
  OdlCameras *self = delivery->cameras;
  if (!self->cb)
    return G_SOURCE_REMOVE;
  g_ptr_array_unref (self->list);
  self->list = g_steal_pointer (&delivery->list);
  self->cb (self->data);
  return G_SOURCE_REMOVE;
}

static void
deliver (OdlCameras *self, GPtrArray *list)
{
  Delivery *delivery = g_new (Delivery, 1);
  *delivery = (Delivery){ self, list };
  g_atomic_ref_count_inc (&self->ref_count);
  GSource *source = g_idle_source_new ();
  g_source_set_callback (source, deliver_cb, delivery, delivery_free);
  g_source_attach (source, self->context);
  g_source_unref (source);
}

static void
changed_cb (void *data)
{
  OdlCameras *self = data;
  g_mutex_lock (&self->mutex);
  self->again = true;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

// True to continue.
static bool
wait_for_change (OdlCameras *self)
{
  const int64_t end = g_get_monotonic_time () + REFRESH_US;
  g_mutex_lock (&self->mutex);
  while (!self->stopping && !self->again
         && g_cond_wait_until (&self->changed, &self->mutex, end))
    ;
  self->again = false;
  const bool goes_on = !self->stopping;
  g_mutex_unlock (&self->mutex);
  return goes_on;
}

static bool
is_same (const GPtrArray *a, const GPtrArray *b)
{
  bool same = a && a->len == b->len;
  for (guint i = 0; same && i < a->len; i++) {
    const OdlCamera *one = a->pdata[i], *other = b->pdata[i];
    same = g_str_equal (one->id, other->id) && g_str_equal (one->name, other->name)
           && one->formats->len == other->formats->len;
  }
  return same;
}

static void *
cameras_thread (void *data)
{
  OdlCameras *self = data;
  OdlCameraDevices *devices
      = odl_camera_devices_open (self->cancellable, changed_cb, self, NULL);
  GPtrArray *before = NULL;
  do {
    if (!devices)
      break;
    odl_camera_devices_refresh (devices);
    GPtrArray *list = odl_camera_devices_list (devices);
    if (!is_same (before, list)) {
      g_clear_pointer (&before, g_ptr_array_unref);
      before = g_ptr_array_ref (list);
      deliver (self, g_ptr_array_ref (list));
    }
    g_ptr_array_unref (list);
  } while (wait_for_change (self));
  g_clear_pointer (&before, g_ptr_array_unref);
  g_clear_pointer (&devices, odl_camera_devices_close);
  cameras_unref (self);
  return NULL;
}

void
odl_cameras_allow (OdlCameras *self)
{
  if (self->watches)
    return;
  g_atomic_ref_count_inc (&self->ref_count);
  // Without one the list stays empty, until it is asked for again.
  GThread *thread = odl_thread_new ("odl-cameras", cameras_thread, self, NULL);
  self->watches = thread != NULL;
  if (thread)
    g_thread_unref (thread);
  else
    cameras_unref (self);
}

OdlCameras *
odl_cameras_new (OdlCamerasCb cb, void *data)
{
  OdlCameras *self = g_new0 (OdlCameras, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->context = g_main_context_ref_thread_default ();
  self->list = g_ptr_array_new ();
  self->cb = cb;
  self->data = data;
  self->cancellable = g_cancellable_new ();
  if (!odl_camera_needs_portal ())
    odl_cameras_allow (self);
  return self;
}

void
odl_cameras_free (OdlCameras *self)
{
  self->cb = NULL;
  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->mutex);
  self->stopping = true;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  cameras_unref (self);
}

const GPtrArray *
odl_cameras_list (OdlCameras *self)
{
  return self->list;
}

const OdlCamera *
odl_cameras_find (OdlCameras *self, const char *id)
{
  for (guint i = 0; id && i < self->list->len; i++)
    if (g_str_equal (((OdlCamera *) self->list->pdata[i])->id, id))
      return self->list->pdata[i];
  return NULL;
}
