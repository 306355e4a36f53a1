// SPDX-License-Identifier: MIT
#include "source/dicom/segments_item.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vector.h"
#include "image/volume/oblique.h"
#include "image/volume/stack.h"
#include "source/dicom/dicom.h"
#include "source/dicom/ordered.h"
#include "source/dicom/said.h"
#include "source/helper/client.h"
#include "source/helper/process.h"
#include "source/source_file.h"

// ---- the table -----------------------------------------------------------------------

OdlSegments *
odl_segments_ref (OdlSegments *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
free_frames (void *frames, guint n)
{
  void **each = frames;

  for (guint i = 0; each != NULL && i < n; i++)
    g_free (each[i]);
  g_free (each);
}

void
odl_segments_unref (OdlSegments *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->path);
  free_frames (self->bits, self->head.n_frames);
  free_frames (self->labels, self->head.n_frames);
  g_free (self->segments);
  g_free (self->frames);
  g_free (self->first_point);
  g_free (self->points);
  g_free (self);
}

// What the helper may say.
static bool
is_sane_head (const OdlDecoderSegments *head, gsize size)
{
  const bool contours = head->kind == ODL_SEGMENTS_CONTOURS;

  return head->magic == ODL_DECODER_MAGIC && head->version == ODL_DECODER_VERSION
         && head->kind < ODL_SEGMENTS_N_KINDS
         && head->n_segments <= ODL_DECODER_MAX_SEGMENTS
         && head->n_frames <= ODL_DECODER_MAX_SEGMENT_FRAMES
         && head->n_points <= ODL_DECODER_MAX_SEGMENT_POINTS
         && (head->full > 0) == !contours && head->full < 256 && head->width <= 65535
         && head->height <= 65535
         && memchr (head->frame_of_reference, '\0', sizeof head->frame_of_reference)
         && (contours || (head->width > 0 && head->height > 0))
         && size
                == sizeof *head + head->n_segments * sizeof (OdlDecoderSegment)
                       + head->n_frames * sizeof (OdlDecoderSegmentFrame)
                       + (gsize) head->n_points * 3 * sizeof (double);
}

static bool
are_finite (const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!(fabs (values[i]) < 1e6))
      return false;
  return true;
}

static bool
is_sane_frame (const OdlDecoderSegments *head, const OdlDecoderSegmentFrame *frame)
{
  const bool contours = head->kind == ODL_SEGMENTS_CONTOURS;
  double normal[3];

  if ((frame->segment >= head->n_segments && frame->segment != ODL_SEGMENTS_NONE)
      || memchr (frame->instance, '\0', sizeof frame->instance) == NULL)
    return false;
  return contours || !frame->is_placed
         || (are_finite (frame->position, 3) && are_finite (frame->orientation, 6)
             && odl_stack_normal (frame->orientation, normal) && frame->spacing_mm[0] > 0
             && frame->spacing_mm[0] < 1e4 && frame->spacing_mm[1] > 0
             && frame->spacing_mm[1] < 1e4 && frame->thickness_mm >= 0
             && frame->thickness_mm < 1e4);
}

static bool
share_out (OdlSegments *self)
{
  const OdlDecoderSegments *head = &self->head;
  guint n_points = 0;

  for (guint i = 0; i < head->n_segments; i++)
    if (memchr (self->segments[i].name, '\0', sizeof self->segments[i].name) == NULL
        || !g_utf8_validate (self->segments[i].name, -1, NULL))
      return false;
  self->first_point = g_new (guint, MAX (head->n_frames, 1));
  for (guint i = 0; i < head->n_frames; i++) {
    OdlDecoderSegmentFrame *frame = &self->frames[i];
    // A direction that is none is like one that is not known.
    if (head->kind != ODL_SEGMENTS_CONTOURS && !is_sane_frame (head, frame))
      frame->is_placed = 0;
    if (!is_sane_frame (head, frame) || frame->n_points > head->n_points - n_points)
      return false;
    self->first_point[i] = n_points;
    n_points += frame->n_points;
  }
  return are_finite (self->points, (gsize) head->n_points * 3);
}

static OdlSegments *
parse (GBytes *bytes, GError **error)
{
  gsize size = 0;
  const guint8 *at = g_bytes_get_data (bytes, &size);
  g_autoptr (OdlSegments) self = g_new0 (OdlSegments, 1);
  OdlDecoderSegments head;

  g_atomic_ref_count_init (&self->ref_count);
  if (size >= sizeof head)
    memcpy (&head, at, sizeof head);
  if (size < sizeof head || !is_sane_head (&head, size)) {
    odl_helper_set_invalid_answer (error);
    return NULL;
  }
  self->head = head;
  at += sizeof head;
  const gsize sizes[]
      = { head.n_segments * sizeof *self->segments, head.n_frames * sizeof *self->frames,
          (gsize) head.n_points * 3 * sizeof *self->points };
  self->segments = g_memdup2 (at, sizes[0]);
  self->frames = g_memdup2 (at += sizes[0], sizes[1]);
  self->points = g_memdup2 (at + sizes[1], sizes[2]);
  if (share_out (self))
    return g_steal_pointer (&self);
  odl_helper_set_invalid_answer (error);
  return NULL;
}

// ---- masks ---------------------------------------------------------------------------

static unsigned
sample_at (const OdlImageInfo *info, int x, int y)
{
  const guint8 *at = (const guint8 *) info->planes[0].data
                     + (gsize) y * info->planes[0].row_stride_bytes
                     + (gsize) x * info->planes[0].sample_stride_bytes;

  return info->type == ODL_SAMPLE_U8 ? *at : *(const guint16 *) (const void *) at;
}

static void
keep_frame (OdlSegments *self, guint index, const OdlImageInfo *info)
{
  const OdlDecoderSegments *head = &self->head;
  const int width = (int) head->width, height = (int) head->height;
  const gsize stride = odl_overlay_stride (head->width);
  const bool halves = head->kind == ODL_SEGMENTS_FRACTIONAL;

  if (self->labels != NULL)
    self->labels[index] = g_new (guint16, (gsize) width * (gsize) height);
  else
    self->bits[index] = g_malloc0 (stride * (gsize) height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const unsigned value = sample_at (info, x, y);
      if (self->labels != NULL)
        self->labels[index][(gsize) y * (gsize) width + (gsize) x] = (guint16) value;
      else if (halves ? 2 * value >= head->full : value != 0)
        self->bits[index][(gsize) y * stride + (gsize) x / 8] |= 1 << (x % 8);
    }
}

static bool
read_frames (OdlSegments *self,
             OdlSource *source,
             GCancellable *cancellable,
             GError **error)
{
  const OdlDecoderSegments *head = &self->head;

  for (guint i = 0; i < head->n_frames; i++) {
    if (self->labels == NULL && self->frames[i].segment == ODL_SEGMENTS_NONE)
      continue;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, cancellable, error);
    if (image == NULL)
      return false;
    const OdlImageInfo *info = odl_image_info (image);
    if (info->extent.x != (int) head->width || info->extent.y != (int) head->height
        || info->channels != 1
        || (info->type != ODL_SAMPLE_U8 && info->type != ODL_SAMPLE_U16))
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("its samples are no masks of segments"));
    keep_frame (self, i, info);
  }
  return true;
}

// Numbers of segments, though the file may have colours for them. Transfer full.
static OdlSource *
open_labels (const char *path, GCancellable *cancellable, GError **error)
{
  const OdlDecoderRequest request = { .location = path, .format = "dicom-labels" };

  return odl_decoded_source_open (&odl_dicom_source, &request, cancellable, error);
}

static bool
read_masks (OdlSegments *self,
            const char *path,
            GCancellable *cancellable,
            GError **error)
{
  const OdlDecoderSegments *head = &self->head;
  const bool labels = head->kind == ODL_SEGMENTS_LABELS;
  const uint64_t frame = labels ? (uint64_t) head->width * head->height * sizeof (guint16)
                                : odl_overlay_stride (head->width) * head->height;

  if (head->kind == ODL_SEGMENTS_CONTOURS)
    return true;
  if (frame * head->n_frames > ODL_SEGMENTS_MOST_BYTES)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its segments take %.0f MB of memory, and at most %.0f MB "
                             "are taken for them"),
                          (double) frame * head->n_frames / 1e6,
                          (double) ODL_SEGMENTS_MOST_BYTES / 1e6);
  if (labels)
    self->labels = g_new0 (guint16 *, MAX (head->n_frames, 1));
  else
    self->bits = g_new0 (guint8 *, MAX (head->n_frames, 1));
  g_autoptr (OdlSource) source = labels ? open_labels (path, cancellable, error)
                                        : odl_source_open (path, cancellable, error);
  if (source == NULL)
    return false;
  if (MAX (source->info.n_frames, 1) < head->n_frames)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it declares %u frames but holds %d"), head->n_frames,
                          (int) MAX (source->info.n_frames, 1));
  return read_frames (self, source, cancellable, error);
}

// Masks of a segment are stacked along one normal; those that are turned otherwise would
// be missing without a word.
static bool
check_turns (const OdlSegments *self, GError **error)
{
  g_autofree const OdlDecoderSegmentFrame **firsts
      = g_new0 (const OdlDecoderSegmentFrame *, MAX (self->head.n_segments, 1));

  for (guint i = 0; i < self->head.n_frames; i++) {
    const OdlDecoderSegmentFrame *frame = &self->frames[i];
    const guint segment = self->head.kind == ODL_SEGMENTS_LABELS ? 0 : frame->segment;
    if (!frame->is_placed || segment >= self->head.n_segments)
      continue;
    const OdlDecoderSegmentFrame **first = &firsts[segment];
    for (int k = 0; *first != NULL && k < 6; k++)
      if (fabs (frame->orientation[k] - (*first)->orientation[k])
          >= ODL_SEGMENTS_SAME_DIRECTION)
        return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                              _ ("the frames of a segment are turned against each other, "
                                 "which is not drawn"));
    *first = *first != NULL ? *first : frame;
  }
  return true;
}

OdlSegments *
odl_segments_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) bytes = odl_ordered_ask (path, "dicom-segments", "", NULL, error);
  g_autoptr (OdlSegments) self = bytes != NULL ? parse (bytes, error) : NULL;

  if (self != NULL)
    self->path = g_strdup (path);
  if (self != NULL && check_turns (self, error)
      && read_masks (self, path, cancellable, error))
    return g_steal_pointer (&self);
  if (bytes != NULL)
    odl_source_file_name_error (path, error);
  return NULL;
}

int
odl_segments_count (const OdlSegments *self)
{
  return (int) self->head.n_segments;
}

const char *
odl_segments_path (const OdlSegments *self)
{
  return self->path;
}

bool
odl_segments_are_structures (const OdlSegments *self)
{
  return self->head.kind == ODL_SEGMENTS_CONTOURS;
}

const char *
odl_segments_name (const OdlSegments *self, int segment)
{
  return self->segments[segment].name;
}

// ---- planes --------------------------------------------------------------------------

static void
set_axes (OdlSegmentsPlane *plane,
          const double middle[3],
          const double orientation[6],
          const double spacing_mm[2])
{
  for (int i = 0; i < 3; i++) {
    plane->across[i] = orientation[i] * spacing_mm[0];
    plane->down[i] = orientation[3 + i] * spacing_mm[1];
    plane->corner[i] = middle[i] - (plane->across[i] + plane->down[i]) / 2;
  }
}

// Where the slices of a source lie.
typedef struct {
  double origin[3], orientation[6], normal[3];
  bool steps;
  double step[3];
} Slices;

static bool
find_slices (const OdlSource *source, Slices *slices)
{
  slices->steps
      = odl_numbers_from_text (odl_source_detail (source, "slice-step"), 3, slices->step);
  return odl_numbers_from_text (odl_source_detail (source, "image-position"), 3,
                                slices->origin)
         && odl_numbers_from_text (odl_source_detail (source, "image-orientation"), 6,
                                   slices->orientation)
         && odl_stack_normal (slices->orientation, slices->normal);
}

// The middle of the first sample of a slice. False: nobody knows.
static bool
find_middle (const OdlSource *source,
             const Slices *slices,
             int64_t frame,
             double middle[3])
{
  const int n = MAX (
      source->info.n_slices > 0 ? source->info.n_slices : (int) source->info.n_frames, 1);
  const int index = (int) (frame % n);
  g_autofree double *along = g_new (double, n);
  const char *listed = odl_source_detail (source, "slice-places");

  memcpy (middle, slices->origin, 3 * sizeof *middle);
  if (slices->steps) {
    for (int i = 0; i < 3; i++)
      middle[i] += index * slices->step[i];
    return true;
  }
  if (!odl_numbers_from_text (listed, n, along))
    return n == 1;
  const double by = along[index] - odl_dot (slices->origin, slices->normal);
  for (int i = 0; i < 3; i++)
    middle[i] += by * slices->normal[i];
  return true;
}

static const char *
frame_of_reference (const OdlSource *source)
{
  const char *named = odl_source_detail (source, "frame-of-reference");

  return named != NULL && *named != '\0' ? named : NULL;
}

void
odl_segments_plane_of (const OdlSource *source,
                       int64_t frame,
                       const OdlImageInfo *info,
                       OdlSegmentsPlane *plane)
{
  double middle[3];
  gint64 stored = 0;
  Slices slices;

  *plane = (OdlSegmentsPlane){ .width = info->extent.x,
                               .height = info->extent.y,
                               .frame_of_reference = frame_of_reference (source) };
  plane->instance = odl_said_instance (source, frame, &stored);
  plane->frame = stored;
  plane->is_placed = find_slices (source, &slices) && info->spacing_mm[0] > 0
                     && info->spacing_mm[1] > 0
                     && find_middle (source, &slices, frame, middle);
  if (!plane->is_placed)
    return;
  set_axes (plane, middle, slices.orientation, info->spacing_mm);
  if (slices.steps)
    plane->step_mm = fabs (odl_dot (slices.step, slices.normal));
}

bool
odl_segments_plane_through (const OdlSource *source,
                            const OdlImageInfo *volume,
                            OdlPlaneKind kind,
                            const OdlPlanesLook *look,
                            OdlSegmentsPlane *plane)
{
  const OdlPlanes planes = odl_planes_of (volume);
  const OdlOblique turned = look->oblique.turned && look->oblique.plane == kind
                                ? look->oblique
                                : odl_oblique_straight (&planes, kind);
  double centre[2];
  Slices slices;

  if (!find_slices (source, &slices) || !slices.steps || !(volume->spacing_mm[0] > 0)
      || !(volume->spacing_mm[1] > 0))
    return false;
  *plane = (OdlSegmentsPlane){ .width = planes.planes[kind].width,
                               .height = planes.planes[kind].height,
                               .is_placed = true,
                               .frame_of_reference = frame_of_reference (source) };
  odl_planes_centre (&planes, kind, &look->voxel, centre);
  for (int i = 0; i < 3; i++) {
    const double steps[3]
        = { slices.orientation[i] * volume->spacing_mm[0],
            slices.orientation[3 + i] * volume->spacing_mm[1], slices.step[i] };
    plane->corner[i] = slices.origin[i];
    for (int axis = 0; axis < 3; axis++) {
      const double across = turned.across[axis] / planes.scale[axis];
      const double down = turned.down[axis] / planes.scale[axis];
      plane->across[i] += steps[axis] * across;
      plane->down[i] += steps[axis] * down;
      plane->corner[i]
          += steps[axis] * (look->voxel.at[axis] - centre[0] * across - centre[1] * down);
    }
  }
  return true;
}

bool
odl_segments_fit (const OdlSegments *self, const OdlSegmentsPlane *plane)
{
  if (plane->frame_of_reference != NULL
      && strcmp (plane->frame_of_reference, self->head.frame_of_reference) == 0)
    return true;
  for (guint i = 0; plane->instance != NULL && i < self->head.n_frames; i++)
    if (strcmp (self->frames[i].instance, plane->instance) == 0)
      return true;
  return false;
}

bool
odl_segments_is_in (const uint8_t *head, size_t n)
{
  static const char *const classes[]
      = { "1.2.840.10008.5.1.4.1.1.66.4", "1.2.840.10008.5.1.4.1.1.66.7",
          "1.2.840.10008.5.1.4.1.1.481.3" };

  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++) {
    const size_t length = strlen (classes[i]);
    const uint8_t *found = memmem (head, n, classes[i], length);
    const size_t after = found != NULL ? (size_t) (found - head) + length : n;
    // Its length is odd or even, and what follows is padding or the next element.
    if (after < n && (head[after] == 0 || head[after] == ' ' || head[after] == 2))
      return true;
  }
  return false;
}
