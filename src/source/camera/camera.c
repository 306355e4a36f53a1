// SPDX-License-Identifier: MIT
// Cameras; locations as in odl_camera_request_parse. If a camera stops or is
// unplugged, read_frame fails within a second of its last frame; it recovers when
// frames arrive again.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "source/camera/link.h"
#include "source/gst_frame.h"
#include "source/source.h"

extern const OdlSourceClass odl_camera_source;

// Signal loss: no frame for this long. Together with the display delay less than a
// second. Slow cameras get 2.5 frame intervals.
#define SILENCE_US (600 * 1000)
#define SILENT_FRAMES 2.5

// Cameras need time to adjust exposure before the first frame.
#define FIRST_PICTURE_US (8 * G_USEC_PER_SEC)

// A camera that has not negotiated a format by then is in use by another program.
#define ANSWER_US (3 * G_USEC_PER_SEC)

// A silent link is replaced after this time.
#define RENEW_US (5 * G_USEC_PER_SEC)

// Pause after a refused camera.
#define REST_US (G_USEC_PER_SEC / 2)

// Poll intervals for cancellation and for frames. Waiting in small steps excludes time
// in which the machine was suspended.
#define POLL_US (20 * 1000)
#define LEAST_LOOKS 5

// How long callers without a window wait for the device to be released.
#define RELEASE_US (2 * G_USEC_PER_SEC)

// Duration of repeated failing reads.
#define RETRY_US (200 * 1000)

typedef struct {
  OdlSource base;
  OdlCameraRequest request; // for this specific camera, once it is known
  char *name;
  GMutex mutex; // guards `link` and `parked`
  int parked; // number of openers that have parked it
  OdlCameraLink *link; // NULL: failed or parked
  OdlImage *first; // read when opening
  GError *trouble; // error of the last link that failed or was silent; NULL: none
  int64_t last_us; // monotonic time of the last frame
  int64_t closed_us; // monotonic time at which the last link was closed
  double rate; // 0: unknown
} CameraSource;

static bool
camera_probe (const char *location, const uint8_t *head, size_t n_head)
{
  return odl_camera_is_location (location);
}

static bool
check_cancelled (GCancellable *cancellable, GError **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return false;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
  return true;
}

// ---- Frames ----

// NULL without `error`: a damaged frame; the next may be intact.
static OdlImage *
take_sample (CameraSource *self, GstSample *sample)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImagePool) pool = odl_source_ref_pool (&self->base);
  const OdlGstFrameRequest request
      = { .turn = odl_camera_link_turn (self->link), .pool = pool };
  OdlImage *image = odl_gst_frame_image (sample, &request, &error);

  gst_sample_unref (sample);
  if (image == NULL) {
    g_debug ("camera: %s", error->message);
    return NULL;
  }
  self->last_us = g_get_monotonic_time ();
  g_clear_error (&self->trouble);
  g_atomic_int_add (&self->base.missed, (int) odl_camera_link_take_dropped (self->link));
  return image;
}

static void
close_link (CameraSource *self)
{
  if (self->link != NULL)
    odl_camera_link_close (self->link, 0);
  self->link = NULL;
  self->closed_us = g_get_monotonic_time ();
}

static void
renew_link (CameraSource *self)
{
  close_link (self);
  self->link = odl_camera_link_open (&self->request, true);
}

// How long the link has been expected to answer; 0: it waits for permission or for its
// camera.
static int64_t
link_age_us (const CameraSource *self)
{
  if (odl_camera_link_is_asking (self->link) || odl_camera_link_is_absent (self->link))
    return 0;
  return g_get_monotonic_time () - odl_camera_link_since (self->link);
}

static bool
is_unanswered (const CameraSource *self)
{
  return link_age_us (self) > ANSWER_US && !odl_camera_link_is_negotiated (self->link);
}

static void
set_busy (const char *name, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_BUSY,
               _ ("The camera “%s” does not answer: another program may be using it. "
                  "Close that program and try again."),
               name);
}

// The error of an earlier link is obsolete once this one has found its camera and given
// it time: a camera that was plugged in again is not unplugged, even if it is silent.
static void
judge_link (CameraSource *self)
{
  if (link_age_us (self) <= ANSWER_US || odl_camera_link_report (self->link) == NULL)
    return;
  g_clear_error (&self->trouble);
  if (is_unanswered (self))
    set_busy (self->name, &self->trouble);
}

// Replaces the link if that may help.
static void
renew_stale_link (CameraSource *self)
{
  const int64_t now = g_get_monotonic_time ();

  if (self->link == NULL) {
    if (!g_error_matches (self->trouble, ODL_ERROR, ODL_ERROR_DENIED)
        && now - self->closed_us > REST_US)
      renew_link (self);
    return;
  }
  if (now - self->last_us > RENEW_US && link_age_us (self) > RENEW_US) {
    judge_link (self);
    renew_link (self);
  }
}

static void
set_trouble (CameraSource *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  (void) locker;
  if (self->link != NULL)
    judge_link (self);
  if (self->link != NULL && odl_camera_link_is_absent (self->link))
    g_set_error (error, ODL_ERROR, ODL_ERROR_NO_DEVICE,
                 _ ("The camera “%s” was unplugged. Plug it in again."), self->name);
  else if (self->trouble != NULL)
    g_propagate_error (error, g_error_copy (self->trouble));
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_NO_SIGNAL,
                 _ ("The camera “%s” sends no pictures any more. Check its cable and its "
                    "lens cover."),
                 self->name);
}

static int64_t
silence_us (const CameraSource *self)
{
  const double patience
      = self->rate > 0 ? SILENT_FRAMES * G_USEC_PER_SEC / self->rate : 0;

  return MAX (SILENCE_US, (int64_t) patience);
}

// Polls once. NULL without `failure`: no frame yet.
static OdlImage *
look (CameraSource *self, GError **failure)
{
  OdlImage *image = NULL;

  g_mutex_lock (&self->mutex);
  if (self->parked == 0)
    renew_stale_link (self);
  const bool linked = self->link != NULL;
  if (linked) {
    GstSample *sample = odl_camera_link_pull (self->link, POLL_US, failure);
    image = sample != NULL ? take_sample (self, sample) : NULL;
    if (*failure != NULL)
      close_link (self);
  }
  g_mutex_unlock (&self->mutex);
  if (!linked)
    g_usleep (POLL_US);
  return image;
}

static void
camera_park (OdlSource *source, bool park)
{
  CameraSource *self = (CameraSource *) source;

  g_mutex_lock (&self->mutex);
  self->parked += park ? 1 : -1;
  OdlCameraLink *link = park ? g_steal_pointer (&self->link) : NULL;
  self->closed_us = g_get_monotonic_time ();
  g_mutex_unlock (&self->mutex);
  if (link != NULL)
    odl_camera_link_close (link, RELEASE_US);
}

static OdlImage *
camera_read_frame (OdlSource *source,
                   int64_t index,
                   GCancellable *cancellable,
                   GError **error)
{
  CameraSource *self = (CameraSource *) source;
  const int64_t end
      = MAX (self->last_us + silence_us (self), g_get_monotonic_time () + RETRY_US);

  if (self->first != NULL)
    return g_steal_pointer (&self->first);
  for (int looks = 0; looks < LEAST_LOOKS || g_get_monotonic_time () < end; looks++) {
    GError *failure = NULL;
    if (check_cancelled (cancellable, error))
      return NULL;
    OdlImage *image = look (self, &failure);
    if (image != NULL)
      return image;
    if (failure == NULL)
      continue;
    g_clear_error (&self->trouble);
    self->trouble = failure;
    break;
  }
  set_trouble (self, error);
  return NULL;
}

// ---- Opening ----

// Writes "name, format" into the description.
static void
describe (CameraSource *self, double rate)
{
  const OdlCameraReport *report = odl_camera_link_report (self->link);
  OdlSourceInfo *info = &self->base.info;

  g_free (info->name);
  info->name = g_strdup (report->name);
  info->format = report->chosen.width > 0 ? odl_camera_format_short (&report->chosen)
                                          : g_strdup (_ ("camera"));
  info->frame_rate = rate;
  info->timing = g_strdup (_ ("the camera's own pace"));
  info->n_frames = info->declared_frames = 0;
  info->live = info->capture = true;
  if (!report->suits)
    info->warning = g_strdup_printf (
        _ ("The camera does not offer the format that was asked for; it runs at %s."),
        report->format);
  g_autofree char *location = odl_camera_location (
      report->id, report->chosen.width > 0 ? &report->chosen : NULL);
  odl_source_add_detail (&self->base, "camera", "%s", report->id);
  odl_source_add_detail (&self->base, "device", "%s", report->name);
  odl_source_add_detail (&self->base, "camera-location", "%s", location);
  if (*report->offered != '\0')
    odl_source_add_detail (&self->base, "offers", "%s", report->offered);
  // From now on, only this camera matches.
  self->name = g_strdup (report->name);
  odl_camera_request_clear (&self->request);
  self->request = (OdlCameraRequest){
    .name = g_strdup (report->id),
    .or_name = g_strdup (report->name),
    .width = report->chosen.width,
    .height = report->chosen.height,
    .rate = odl_camera_format_rate (&report->chosen),
    .encoding = report->chosen.width > 0 ? (int) report->chosen.encoding : -1,
  };
}

// Waits for the first frame, and for the user's permission.
static bool
wait_for_first (CameraSource *self, GCancellable *cancellable, GError **error)
{
  int64_t end = g_get_monotonic_time () + FIRST_PICTURE_US;

  while (g_get_monotonic_time () < end) {
    GError *failure = NULL;
    if (check_cancelled (cancellable, error))
      return false;
    GstSample *sample = odl_camera_link_pull (self->link, POLL_US, &failure);
    if (failure != NULL) {
      g_propagate_error (error, failure);
      return false;
    }
    if (odl_camera_link_is_asking (self->link))
      end = g_get_monotonic_time () + FIRST_PICTURE_US;
    else if (is_unanswered (self)) {
      const OdlCameraReport *report = odl_camera_link_report (self->link);
      set_busy (report != NULL ? report->name : self->base.info.location, error);
      return false;
    }
    if (sample == NULL)
      continue;
    OdlGstFrameKind kind;
    if (odl_gst_frame_describe (gst_sample_get_caps (sample), &kind))
      self->rate = kind.rate;
    self->first = take_sample (self, sample);
    if (self->first != NULL)
      return true;
  }
  return odl_error_set (error, ODL_ERROR_NO_SIGNAL,
                        _ ("The camera sends no pictures. Check its cable and whether "
                           "another program uses it."));
}

static void
camera_close (OdlSource *source)
{
  CameraSource *self = (CameraSource *) source;
  // A window must not block; a command waits, so that the device is free when it ends.
  const bool in_window = g_main_context_is_owner (g_main_context_default ());

  if (self->link != NULL)
    odl_camera_link_close (self->link, in_window ? 0 : RELEASE_US);
  g_clear_pointer (&self->first, odl_image_unref);
  g_clear_error (&self->trouble);
  odl_camera_request_clear (&self->request);
  g_free (self->name);
  g_mutex_clear (&self->mutex);
}

static OdlSource *
camera_open (const char *location, GCancellable *cancellable, GError **error)
{
  g_auto (OdlCameraRequest) request = { 0 };

  if (!odl_camera_request_parse (&request, location, error) || !odl_gst_start (error))
    return NULL;
  CameraSource *self = g_new0 (CameraSource, 1);
  odl_source_init (&self->base, &odl_camera_source, location);
  g_mutex_init (&self->mutex);
  self->link = odl_camera_link_open (&request, false);
  if (!wait_for_first (self, cancellable, error)) {
    // Releasing a failed camera may take long; the error is reported first.
    close_link (self);
    odl_source_unref (&self->base);
    return NULL;
  }
  describe (self, self->rate);
  return &self->base;
}

static const char *const examples[]
    = { "webcam", "webcam:NAME", "webcam:NAME,size=1280x720,rate=30,format=mjpeg", NULL };

const OdlSourceClass odl_camera_source = {
  .name = "camera",
  .description = N_ ("A camera, live: through the desktop's portal, PipeWire or "
                     "Video4Linux"),
  .examples = examples,
  .probe = camera_probe,
  .open = camera_open,
  .close = camera_close,
  .read_frame = camera_read_frame,
  .park = camera_park,
};
