// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/rle.h"

#define NOTHING 0x80

// A segment of a frame, and where its bytes go.
typedef struct {
  const uint8_t *data;
  size_t size;
  uint8_t *to;
  size_t n; // bytes that it has to give
  size_t step; // from one to the next
} Segment;

size_t
odl_dicom_rle_frame_bytes (const OdlDicomHeader *header)
{
  const size_t n = (size_t) header->rows * header->columns * header->samples;

  return header->bits_allocated == 1 ? (n + 7) / 8 : n * (header->bits_allocated / 8);
}

// Returns how many bytes it gave.
static size_t
decode_segment (const Segment *segment)
{
  size_t at = 0, done = 0;

  while (at + 1 < segment->size && done < segment->n) {
    const uint8_t code = segment->data[at++];
    if (code == NOTHING)
      continue;
    const bool repeats = code > NOTHING;
    const size_t n = repeats ? (size_t) 257 - code : (size_t) code + 1;
    for (size_t i = 0;
         i < n && done < segment->n && at + (repeats ? 0 : i) < segment->size; i++)
      segment->to[segment->step * done++] = segment->data[at + (repeats ? 0 : i)];
    at += repeats ? 1 : n;
  }
  return done;
}

bool
odl_dicom_rle_decode (const OdlDicomCompressed *compressed, OdlDicomFrame *frame)
{
  const uint8_t *head = compressed->data;
  const uint32_t n = odl_read_u32 (head);
  bool whole = true;

  for (uint32_t i = 0; i < n; i++) {
    const size_t from
        = MIN (odl_read_u32 (head + 4 * (size_t) (i + 1)), compressed->size);
    const size_t next
        = i + 1 < n ? odl_read_u32 (head + 4 * (size_t) (i + 2)) : compressed->size;
    // The highest byte of each sample comes first.
    const size_t place = G_BYTE_ORDER == G_LITTLE_ENDIAN ? n - 1 - i : i;
    const Segment segment = { head + from, MIN (next, compressed->size) - from,
                              frame->samples + place, frame->size / n, n };
    whole = decode_segment (&segment) == segment.n && whole;
  }
  return whole || compressed->cut_short;
}
