// SPDX-License-Identifier: MIT
#include "decoder/dicom/overlay.hpp"

#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"

// PS3.5 7.6: even groups from 6000 to 601E.
#define FIRST_GROUP 0x6000
#define N_GROUPS 16

#define ELEMENT_ROWS 0x0010
#define ELEMENT_COLUMNS 0x0011
#define ELEMENT_FRAMES 0x0015
#define ELEMENT_ORIGIN 0x0050
#define ELEMENT_FIRST_FRAME 0x0051
#define ELEMENT_BITS_ALLOCATED 0x0100
#define ELEMENT_BIT_POSITION 0x0102
#define ELEMENT_DATA 0x3000

namespace {

struct Overlay {
  Uint16 group = 0;
  uint32_t rows = 0, columns = 0;
  int row = 1, column = 1; // position of the first bit in the picture, from 1
  // Packed bits from `first_bit` on.
  const Uint8 *bits = NULL;
  size_t n_bits = 0;
  size_t first_bit = 0;
  // Otherwise: this bit of each sample.
  int position = 0;
};

}

static void
read_origin (DcmItem *dataset, Overlay *overlay)
{
  Sint16 row = 1, column = 1;
  const DcmTagKey tag (overlay->group, ELEMENT_ORIGIN);

  if (dataset->findAndGetSint16 (tag, row, 0).good ()
      && dataset->findAndGetSint16 (tag, column, 1).good ()) {
    overlay->row = row;
    overlay->column = column;
  }
}

// The overlay frame for frame `frame` of the picture; −1: none. An overlay without a
// frame count applies to all frames.
static int64_t
own_frame (DcmItem *dataset, const Overlay *overlay, uint32_t frame)
{
  OFString text = odl_item_text (dataset, DcmTagKey (overlay->group, ELEMENT_FRAMES));
  uint32_t first = 1;

  if (text.empty ())
    return 0;
  const int64_t n = g_ascii_strtoll (text.c_str (), NULL, 10);
  odl_item_short (dataset, DcmTagKey (overlay->group, ELEMENT_FIRST_FRAME), first);
  const int64_t own = (int64_t) frame + 1 - first;
  return own >= 0 && own < n ? own : -1;
}

// False: nothing to draw.
static bool
read_overlay (DcmItem *dataset, uint32_t frame, Overlay *overlay)
{
  const DcmTagKey data (overlay->group, ELEMENT_DATA);
  uint32_t allocated = 1, position = 0;
  unsigned long n_bytes = 0;

  if (!odl_item_short (dataset, DcmTagKey (overlay->group, ELEMENT_ROWS), overlay->rows)
      || !odl_item_short (dataset, DcmTagKey (overlay->group, ELEMENT_COLUMNS),
                          overlay->columns)
      || overlay->rows == 0 || overlay->columns == 0)
    return false;
  const int64_t own = own_frame (dataset, overlay, frame);
  if (own < 0)
    return false;
  read_origin (dataset, overlay);
  odl_item_short (dataset, DcmTagKey (overlay->group, ELEMENT_BITS_ALLOCATED), allocated);
  odl_item_short (dataset, DcmTagKey (overlay->group, ELEMENT_BIT_POSITION), position);
  overlay->position = (int) position;
  if (dataset->findAndGetUint8Array (data, overlay->bits, &n_bytes).good ()
      && overlay->bits != NULL) {
    overlay->n_bits = (size_t) n_bytes * 8;
    overlay->first_bit = (size_t) own * overlay->rows * overlay->columns;
    return true;
  }
  overlay->bits = NULL;
  return allocated > 1;
}

// Whether samples have overlay bits next to their value bits.
static bool
is_in_samples (const OdlDicomHeader *header,
               const Overlay *overlay,
               const OdlDicomSamples *samples)
{
  const int high = samples != NULL ? samples->high_bit : 0;

  return samples != NULL && header->samples == 1 && overlay->rows == header->rows
         && overlay->columns == header->columns
         && overlay->position < samples->bits_allocated
         && (overlay->position > high
             || overlay->position < high + 1 - samples->bits_stored);
}

static bool
is_set (const Overlay *overlay, const OdlDicomSamples *samples, size_t index)
{
  if (overlay->bits == NULL)
    return odl_dicom_pixels_bit (samples, index, overlay->position);
  const size_t bit = overlay->first_bit + index;
  return bit < overlay->n_bits && (overlay->bits[bit / 8] >> (bit % 8) & 1) != 0;
}

static void
draw (const OdlDicomHeader *header,
      const Overlay *overlay,
      const OdlDicomSamples *samples,
      uint8_t *bits)
{
  const size_t stride = odl_overlay_stride (header->columns);
  const int64_t top = overlay->row - 1, left = overlay->column - 1;
  const int64_t from_y = MAX (top, 0), from_x = MAX (left, 0);
  const int64_t end_y = MIN (top + overlay->rows, (int64_t) header->rows);
  const int64_t end_x = MIN (left + overlay->columns, (int64_t) header->columns);

  for (int64_t y = from_y; y < end_y; y++)
    for (int64_t x = from_x; x < end_x; x++) {
      const size_t index = (size_t) (y - top) * overlay->columns + (size_t) (x - left);
      if (is_set (overlay, samples, index))
        bits[(size_t) y * stride + (size_t) x / 8] |= (uint8_t) (1 << (x % 8));
    }
}

static void
describe (const Overlay *overlay, OdlPicture *picture)
{
  g_autofree char *key = g_strdup_printf ("overlay-%04x", overlay->group);

  odl_picture_detail (picture, key, "%ux%u at %d,%d%s", overlay->columns, overlay->rows,
                      overlay->column, overlay->row,
                      overlay->bits != NULL ? "" : ", in the samples");
}

void
odl_dicom_overlays_draw (const OdlDicomHeader *header,
                         DcmItem *dataset,
                         uint32_t frame,
                         const OdlDicomSamples *samples,
                         OdlPicture *picture)
{
  for (int i = 0; i < N_GROUPS; i++) {
    Overlay overlay;
    overlay.group = (Uint16) (FIRST_GROUP + 2 * i);
    if (!read_overlay (dataset, frame, &overlay))
      continue;
    describe (&overlay, picture);
    if (overlay.bits == NULL && !is_in_samples (header, &overlay, samples)) {
      odl_picture_warn (picture, _ ("one of its overlays is kept in bits of the samples "
                                    "that are not there, and is not drawn"));
      continue;
    }
    const size_t needed = overlay.first_bit + (size_t) overlay.rows * overlay.columns;
    if (overlay.bits != NULL && overlay.n_bits < needed)
      odl_picture_warn (picture,
                        _ ("one of its overlays ends too early; the part that is "
                           "there is drawn"));
    uint8_t *bits = odl_picture_add_overlay (picture);
    if (bits != NULL)
      draw (header, &overlay, samples, bits);
  }
}
