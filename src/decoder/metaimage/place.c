// SPDX-License-Identifier: MIT
#include "decoder/metaimage/place.h"

#include <string.h>

// Axes of LPS in the directions that letters name as their beginnings. False: these are
// no three axes of the body, such as "???".
static bool
from_letters (const char *letters, double m[3][4])
{
  static const char *const ends[3] = { "RL", "AP", "IS" };
  int found = 0;

  memset (m, 0, 12 * sizeof (double));
  for (int axis = 0; axis < 3 && letters[axis] != '\0'; axis++)
    for (int row = 0; row < 3; row++) {
      const char *end = strchr (ends[row], g_ascii_toupper (letters[axis]));
      if (end == NULL)
        continue;
      m[row][axis] = end == ends[row] ? 1 : -1;
      found |= 1 << row;
    }
  return found == 7;
}

static bool
from_matrix (const OdlMetaPlace *written, int n_axes, double m[3][4])
{
  for (int row = 0; row < 3; row++)
    for (int axis = 0; axis < 3; axis++)
      m[row][axis] = written->matrix[n_axes * axis + row];
  return written->n_matrix == n_axes * n_axes && odl_place_is_sane (m);
}

// MetaIO takes missing directions for those of LPS.
static void
set_identity (double m[3][4])
{
  memset (m, 0, 12 * sizeof (double));
  for (int axis = 0; axis < 3; axis++)
    m[axis][axis] = 1;
}

// Directions as ITK takes them: what is longer than 1 makes voxels larger.
static void
set_steps (OdlMetaHeader *header)
{
  double (*lps)[4] = header->place.lps;

  for (int axis = 0; axis < 3; axis++) {
    const double mm = header->spacing_mm[axis] > 0 ? header->spacing_mm[axis] : 1;
    for (int row = 0; row < 3; row++)
      lps[row][axis] *= mm;
  }
}

static bool
leads_elsewhere (const double a[3][4], const double b[3][4])
{
  OdlPlace one = { .extent = { 2, 2, 2 } }, other = one;

  memcpy (one.lps, a, sizeof one.lps);
  memcpy (other.lps, b, sizeof other.lps);
  odl_place_turn (&one);
  odl_place_turn (&other);
  return strcmp (one.letters, other.letters) != 0;
}

void
odl_meta_place (OdlMetaHeader *header, const OdlMetaPlace *written, int n_axes)
{
  OdlPlace *place = &header->place;
  double matrix[3][4] = { { 0 } }, letters[3][4];

  place->extent[0] = header->width;
  place->extent[1] = header->height;
  place->extent[2] = MAX (header->n_slices, 1);
  const bool has_letters = from_letters (written->letters, letters);
  const bool has_matrix = from_matrix (written, n_axes, matrix);
  if (written->n_matrix > 0 && !has_matrix)
    header->ignored = "TransformMatrix";
  set_identity (place->lps);
  if (has_matrix || has_letters)
    memcpy (place->lps, has_matrix ? matrix : letters, sizeof place->lps);
  header->place_differs = has_matrix && has_letters && leads_elsewhere (matrix, letters);
  set_steps (header);
  for (int row = 0; row < 3 && written->n_offset == 3; row++)
    place->lps[row][3] = written->offset[row];
  const bool offset_is_sane = odl_place_is_sane (place->lps);
  if (written->n_offset > 0 && (written->n_offset < 3 || !offset_is_sane))
    header->ignored = "Offset";
  // Letters without a first voxel are no place, and neither is one without directions.
  header->is_placed
      = header->ignored == NULL && (has_matrix || has_letters || written->n_offset == 3);
  if (header->is_placed)
    odl_place_turn (place);
  else
    odl_place_keep (place);
}
