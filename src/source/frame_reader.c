// SPDX-License-Identifier: MIT
#include "source/frame_reader.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "image/damaged.h"

// For sources without a rate; equal to the player's.
#define DEFAULT_RATE 25.0
// Between volumes that can be played.
#define LEAST_INTERVAL_S 0.001
#define MOST_INTERVAL_S 10.0

// Frames tried to find an intact one if the first is damaged.
#define MAX_TRIES 16

struct _OdlFrameReader {
  OdlSource *source;
  int64_t first, last; // last −1: unknown
  int64_t next;
  double rate;
  OdlImage *like; // an intact frame
  OdlImage *before; // the last one returned
  int64_t first_pts_ns;
  bool anchored; // first_pts_ns is the time at which reading started
  int64_t last_time_ns; // −1: none yet
};

OdlFrameReader *
odl_frame_reader_new (OdlSource *source, int64_t first, int64_t last, GError **error)
{
  const OdlSourceInfo *info = &source->info;
  const int64_t n = info->n_frames;

  if (!info->live && n > 0 && first >= n) {
    odl_source_set_no_frame (source, first, error);
    return NULL;
  }
  OdlFrameReader *reader = g_new0 (OdlFrameReader, 1);
  reader->source = odl_source_ref (source);
  reader->first = reader->next = first;
  reader->last = last;
  if (n > 0 && (last < 0 || (!info->live && last >= n)))
    reader->last = MAX (n - 1, first);
  reader->rate = info->frame_rate > 0 ? info->frame_rate : DEFAULT_RATE;
  reader->last_time_ns = -1;
  return reader;
}

void
odl_frame_reader_free (OdlFrameReader *reader)
{
  if (reader == NULL)
    return;
  odl_source_unref (reader->source);
  g_clear_pointer (&reader->like, odl_image_unref);
  g_clear_pointer (&reader->before, odl_image_unref);
  g_free (reader);
}

void
odl_frame_reader_set_default_rate (OdlFrameReader *reader, double frame_rate)
{
  if (reader->source->info.frame_rate <= 0 && frame_rate > 0)
    reader->rate = frame_rate;
}

double
odl_frame_reader_volume_rate (const OdlSource *source)
{
  const OdlSourceInfo *info = &source->info;
  const char *interval = odl_source_detail (source, "volume-interval-s");
  double seconds;

  return info->n_slices > 1 && info->n_frames > info->n_slices && interval != NULL
                 && odl_number_from_text (interval, &seconds)
                 && seconds >= LEAST_INTERVAL_S && seconds <= MOST_INTERVAL_S
             ? 1 / seconds
             : 0;
}

char *
odl_frame_reader_lacks_times (const OdlSource *source)
{
  const OdlSourceInfo *info = &source->info;
  const bool is_volume = info->n_slices > 0 && info->n_slices >= info->n_frames;

  if (info->frame_rate > 0 || info->frame_times_ns != NULL || info->is_stack || is_volume
      || info->live || !odl_source_is_moving (source)
      || odl_frame_reader_volume_rate (source) > 0)
    return NULL;
  const char *interval = odl_source_detail (source, "volume-interval-s");
  if (interval != NULL)
    return g_strdup_printf (
        _ ("its volumes are %s s apart, as it says (perhaps in another unit), at which "
           "they cannot be played: %g frames per second are chosen here, in the window "
           "those of the preferences"),
        interval, DEFAULT_RATE);
  return g_strdup_printf (_ ("no speed is given: %g frames per second are chosen here, "
                             "in the window those of the preferences"),
                          DEFAULT_RATE);
}

int64_t
odl_frame_reader_count (const OdlFrameReader *reader)
{
  return reader->last < 0 ? 0 : reader->last - reader->first + 1;
}

double
odl_frame_reader_rate (const OdlFrameReader *reader)
{
  return reader->source->info.frame_times_ns != NULL ? 0 : reader->rate;
}

void
odl_read_frame_free (OdlReadFrame *frame)
{
  if (frame == NULL)
    return;
  odl_image_unref (frame->image);
  g_free (frame);
}

// Finds any decodable frame when the first one is damaged. Only for sources that can
// seek back, since reading continues behind it.
static void
find_like (OdlFrameReader *reader, GCancellable *cancellable)
{
  const OdlSourceInfo *info = &reader->source->info;
  const int64_t n = info->n_frames;

  for (int64_t i = 0; i < MIN (n, MAX_TRIES) && reader->like == NULL && !info->live; i++)
    reader->like = odl_source_read_frame (reader->source, i, cancellable, NULL);
}

// The frame on screen at the start may have begun long before. The time origin is
// taken from the next frame, which starts within half an interval of its nominal time.
// (Captures number frames as they arrive.)
static void
set_time_origin (OdlFrameReader *reader, int64_t time_ns, int64_t pts_ns)
{
  const int64_t ahead_ns = pts_ns - reader->first_pts_ns - time_ns;

  if (!reader->anchored && reader->first > 0 && !reader->source->info.live
      && (double) ahead_ns > 0.75e9 / reader->rate)
    reader->first_pts_ns += ahead_ns;
  reader->anchored = true;
}

static void
set_time (OdlFrameReader *reader, OdlReadFrame *frame)
{
  const int64_t *times = reader->source->info.frame_times_ns;
  const int64_t steps = frame->index - reader->first;
  const int64_t pts_ns = odl_image_info (frame->image)->pts_ns;
  int64_t time_ns = (int64_t) ((double) steps * 1e9 / reader->rate);

  frame->duration_ns = (int64_t) (1e9 / reader->rate);
  if (times != NULL && frame->index < reader->source->info.n_frames) {
    time_ns = times[frame->index] - times[reader->first];
    frame->duration_ns = times[frame->index + 1] - times[frame->index];
  } else if (steps == 0) {
    reader->first_pts_ns = pts_ns;
  } else if (!frame->damaged && !frame->again) {
    set_time_origin (reader, time_ns, pts_ns);
    if (pts_ns - reader->first_pts_ns > reader->last_time_ns)
      time_ns = pts_ns - reader->first_pts_ns;
  }
  frame->time_ns = MAX (time_ns, reader->last_time_ns + 1);
  if (!frame->again)
    reader->last_time_ns = frame->time_ns;
}

OdlReadFrame *
odl_frame_reader_next (OdlFrameReader *reader, GCancellable *cancellable, GError **error)
{
  const int64_t index = reader->next;
  g_autoptr (GError) cause = NULL;

  if (reader->last >= 0 && index > reader->last)
    return NULL;
  OdlImage *image = odl_source_read_frame (reader->source, index, cancellable, &cause);
  bool damaged = false;
  if (image == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
    if (reader->like == NULL)
      find_like (reader, cancellable);
    if (reader->like != NULL)
      image = odl_damaged_image (reader->like);
    damaged = image != NULL;
  }
  if (image == NULL) {
    // The regular end has no message.
    if (!g_error_matches (cause, ODL_ERROR, ODL_ERROR_END) || *cause->message != '\0')
      g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
  }
  OdlReadFrame *frame = g_new0 (OdlReadFrame, 1);
  *frame = (OdlReadFrame){ .image = image, .index = index, .damaged = damaged };
  frame->again = !damaged && image == reader->before;
  if (!damaged && reader->like == NULL)
    reader->like = odl_image_ref (image);
  set_time (reader, frame);
  odl_image_unref (reader->before);
  reader->before = odl_image_ref (image);
  reader->next++;
  return frame;
}
