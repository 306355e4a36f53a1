// SPDX-License-Identifier: MIT
#include "source/operand.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vector.h"
#include "source/helper/client.h"
#include "source/metaimage.h"
#include "source/source_file.h"
#include "source/volume.h"

// More slices, of all time steps together, no kernel has.
#define MOST_KERNEL_SLICES (17 * 17)

// Voxels of two volumes are the same within a hundredth of their size, a degree (its
// cosine), and a tenth of a voxel.
#define SAME_SIZE 0.01
#define PARALLEL 0.99985
#define SAME_PLACE 0.1

static OdlImage *
refuse (const char *file, const char *reason, GError **error)
{
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED, reason);
  odl_source_file_name_error (file, error);
  return NULL;
}

static bool
is_whole (const char *file, const OdlImage *image, GError **error)
{
  const char *mark = odl_image_info (image)->mark;

  if (mark == NULL)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("it could only be read in part (%s); a second picture must be whole"),
               mark);
  odl_source_file_name_error (file, error);
  return false;
}

// In no registry: a kernel is no picture to open.
static const OdlSourceClass kernel_source = {
  .name = "kernel",
  .description = N_ ("Kernel of a convolution: NPY or text"),
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};

typedef struct {
  bool of_kernel;
  int floats; // > 0: a volume may be whole, beside so many volumes of floats
} Wanted;

static bool
is_one_volume (const OdlSourceInfo *info)
{
  return info->n_slices > 1 && info->n_frames == info->n_slices && !info->at_most;
}

static OdlImage *
read_whole (OdlSource *source, Wanted wanted, GCancellable *cancellable, GError **error)
{
  return wanted.of_kernel
             ? odl_source_read_volumes (source, cancellable, error)
             : odl_source_read_volume (source, 0, wanted.floats, cancellable, error);
}

static OdlImage *
read_image (const char *file, Wanted wanted, GCancellable *cancellable, GError **error)
{
  const bool of_kernel = wanted.of_kernel;
  const OdlDecoderRequest request = { .location = file, .format = "kernel" };
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head;

  if (!odl_source_file_read_head (file, head, &n_head, error)) // not a file
    return NULL;
  const bool kernel = of_kernel && !odl_metaimage_source.probe (file, head, n_head);
  g_autoptr (OdlSource) source
      = kernel ? odl_decoded_source_open (&kernel_source, &request, cancellable, error)
               : odl_source_open (file, cancellable, error);
  if (source == NULL)
    return NULL;
  const bool whole = of_kernel ? odl_source_is_moving (source) && !source->info.live
                                     && source->info.n_frames <= MOST_KERNEL_SLICES
                               : wanted.floats > 0 && is_one_volume (&source->info);
  if (!whole && odl_source_is_moving (source))
    return refuse (
        file,
        wanted.floats > 0 && source->info.n_slices > 1
            ? _ ("it holds volumes over time; a second volume must be a single "
                 "one. Save one of them and take that.")
            : _ ("it holds more than one picture; a second picture must be a still. "
                 "Save one of them and take that."),
        error);
  g_autoptr (OdlImage) image
      = whole ? read_whole (source, wanted, cancellable, error)
              : odl_source_read_frame (source, 0, cancellable, error);
  if (image == NULL) {
    odl_source_file_name_error (file, error);
    return NULL;
  }
  if (!is_whole (file, image, error))
    return NULL;
  return g_steal_pointer (&image);
}

OdlImage *
odl_operand_read (const char *file, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (file != NULL, NULL);
  return read_image (file, (Wanted){ 0 }, cancellable, error);
}

OdlImage *
odl_operand_read_volume (const char *file,
                         int floats,
                         GCancellable *cancellable,
                         GError **error)
{
  g_return_val_if_fail (file != NULL && floats > 0, NULL);
  return read_image (file, (Wanted){ .floats = floats }, cancellable, error);
}

// What a voxel is long (0: not known), and where it lies if the file says it.
typedef struct {
  double mm[3];
  OdlVolumeShape shape;
} Lying;

static Lying
lying_of (const OdlSource *source, const double spacing_mm[2])
{
  const int n = MAX (source->info.n_slices, 1);
  Lying at = { .mm = { spacing_mm[0], spacing_mm[1] } };

  if (odl_volume_shape_find (source, 0, n, &at.shape, NULL) && at.shape.is_placed)
    at.mm[2] = sqrt (odl_dot (at.shape.slice_step_mm, at.shape.slice_step_mm));
  return at;
}

static bool
is_of_other_size (const Lying *a, const Lying *b)
{
  bool other = false;

  for (int i = 0; i < 3; i++)
    other |= a->mm[i] > 0 && b->mm[i] > 0
             && fabs (a->mm[i] - b->mm[i]) > SAME_SIZE * MIN (a->mm[i], b->mm[i]);
  return other;
}

// Slices of a tilted gantry lead elsewhere than across their rows and columns.
static bool
leads_elsewhere (const Lying *a, const Lying *b)
{
  const double *const ours[]
      = { a->shape.orientation, a->shape.orientation + 3, a->shape.slice_step_mm };
  const double *const theirs[]
      = { b->shape.orientation, b->shape.orientation + 3, b->shape.slice_step_mm };
  bool elsewhere = false;

  for (int i = 0; i < 3; i++)
    elsewhere
        |= odl_dot (ours[i], theirs[i])
           < PARALLEL
                 * sqrt (odl_dot (ours[i], ours[i]) * odl_dot (theirs[i], theirs[i]));
  return elsewhere;
}

// From the middle of one first voxel to that of the other, in millimetres.
static double
distance_of (const Lying *a, const Lying *b)
{
  double between[3];

  for (int i = 0; i < 3; i++)
    between[i] = a->shape.position_mm[i] - b->shape.position_mm[i];
  return sqrt (odl_dot (between, between));
}

// NULL: alike.
static char *
difference_of (const Lying *ours, const Lying *theirs)
{
  const bool placed = ours->shape.is_placed && theirs->shape.is_placed;

  if (placed && leads_elsewhere (ours, theirs))
    return g_strdup (_ ("its axes lead in other directions"));
  if (is_of_other_size (ours, theirs))
    return g_strdup (_ ("its voxels are of another size"));
  const double mm = placed ? distance_of (ours, theirs) : 0;
  if (mm <= SAME_PLACE * MIN (ours->mm[0], MIN (ours->mm[1], ours->mm[2])))
    return NULL;
  return g_strdup_printf (_ ("it begins %.1f mm away"), mm);
}

char *
odl_operand_lies_otherwise (const OdlSource *source,
                            const double spacing_mm[2],
                            const char *file,
                            GCancellable *cancellable)
{
  g_autoptr (OdlSource) other = odl_source_open (file, cancellable, NULL);
  g_autoptr (OdlImage) slice
      = other != NULL ? odl_source_read_first (other, cancellable, NULL) : NULL;

  if (slice == NULL)
    return NULL;
  const Lying ours = lying_of (source, spacing_mm);
  const Lying theirs = lying_of (other, odl_image_info (slice)->spacing_mm);
  g_autofree char *difference = difference_of (&ours, &theirs);
  if (difference == NULL)
    return NULL;
  // Translators: the name of a file, then “its voxels are of another size” or the like.
  return g_strdup_printf (_ ("%s lies otherwise (%s); volumes are registered voxel by "
                             "voxel, so that displacements hold this difference, too"),
                          other->info.name, difference);
}

OdlImage *
odl_operand_read_kernel (const char *file, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (file != NULL, NULL);
  return read_image (file, (Wanted){ .of_kernel = true }, cancellable, error);
}

OdlSource *
odl_operand_open_reference (const char *file, GCancellable *cancellable, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head;

  g_return_val_if_fail (file != NULL, NULL);
  if (!odl_source_file_read_head (file, head, &n_head, error)) // not a file
    return NULL;
  return odl_source_open (file, cancellable, error);
}

OdlImage *
odl_operand_read_reference (OdlSource *source,
                            int64_t index,
                            GCancellable *cancellable,
                            GError **error)
{
  const OdlSourceInfo *info = &source->info;
  const int64_t at = odl_source_is_moving (source) ? index : 0;

  if (!info->live && info->n_frames > 0 && at >= info->n_frames) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("The reference has %d frames, too few for frame %" PRId64 "."),
                 info->n_frames, index + 1);
    odl_source_file_name_error (info->location, error);
    return NULL;
  }
  g_autoptr (OdlImage) image = odl_source_read_frame (source, at, cancellable, error);
  if (image == NULL) {
    odl_source_file_name_error (info->location, error);
    return NULL;
  }
  return is_whole (info->location, image, error) ? g_steal_pointer (&image) : NULL;
}
