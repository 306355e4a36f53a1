// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/frames.h"

#include <string.h>
#include <sys/mman.h>

#include "decoder/dicom/pixels/codestream.h"

#define ITEM_HEAD_BYTES 8
#define RLE_HEAD_BYTES 64
#define RLE_MAX_SEGMENTS 15
// Zero bytes after the end of a stream accepted as padding.
#define MAX_PADDING 8
// Fragments scanned when opening a file: each may take a disk 10 ms.
#define FIRST_ITEMS 256
// From this distance on, intermediate frames are skipped without reading ahead.
#define FAR_FRAMES 16
#define MAX_PROMISE 4

typedef enum {
  ITEM_WHOLE,
  ITEM_CUT, // the data ends within it
  ITEM_END, // sequence delimiter
  ITEM_NONE, // end of the data, or not an item
} ItemKind;

typedef struct {
  OdlDicomSpan span; // its value, as far as available
  size_t next; // offset of the next item
} Item;

// Items are little endian without VR.
static ItemKind
read_item (const OdlDicomScan *scan, size_t at, Item *item)
{
  const size_t left = at < scan->size ? scan->size - at : 0;

  if (left < ITEM_HEAD_BYTES || odl_read_u16 (scan->data + at) != 0xfffe)
    return ITEM_NONE;
  const uint16_t element = odl_read_u16 (scan->data + at + 2);
  if (element == 0xe0dd)
    return ITEM_END;
  if (element != 0xe000)
    return ITEM_NONE;
  const size_t length = odl_read_u32 (scan->data + at + 4);
  const size_t there = MIN (length, left - ITEM_HEAD_BYTES);
  item->span = (OdlDicomSpan){ at + ITEM_HEAD_BYTES, there };
  item->next = item->span.offset + there;
  return there < length ? ITEM_CUT : ITEM_WHOLE;
}

// Whether the span ends with the end marker of JPEG, JPEG-LS and JPEG 2000.
static bool
ends_stream (const OdlDicomScan *scan, OdlDicomSpan span)
{
  const uint8_t *bytes = scan->data + span.offset;
  size_t size = span.size;

  for (int i = 0; i < MAX_PADDING && size > 2 && bytes[size - 1] == 0; i++)
    size--;
  return size >= 2 && bytes[size - 2] == 0xff && bytes[size - 1] == 0xd9;
}

static bool
begins_stream (const OdlDicomScan *scan, OdlDicomSpan span)
{
  const uint8_t *bytes = scan->data + span.offset;

  if (scan->syntax->codec == ODL_DICOM_JPEG_2000)
    return odl_jpeg2000_begins (bytes, span.size);
  return span.size >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8;
}

// PS3.5 G.5: one segment per byte of a pixel, the first directly after the header, all
// within the span.
static bool
begins_rle (const OdlDicomScan *scan, const OdlDicomHeader *header, OdlDicomSpan span)
{
  const uint8_t *bytes = scan->data + span.offset;
  const uint32_t segments = header->samples * header->bits_allocated / 8;

  if (span.size < RLE_HEAD_BYTES || segments == 0 || segments > RLE_MAX_SEGMENTS
      || odl_read_u32 (bytes) != segments || odl_read_u32 (bytes + 4) != RLE_HEAD_BYTES)
    return false;
  for (uint32_t i = segments + 1; i <= RLE_MAX_SEGMENTS; i++)
    if (odl_read_u32 (bytes + 4 * (size_t) i) != 0)
      return false;
  return true;
}

// Frames that should have one fragment each, whose end does not show.
static bool
is_plain (const OdlDicomScan *scan)
{
  return scan->syntax->codec == ODL_DICOM_RLE || scan->syntax->codec == ODL_DICOM_FRAMED;
}

// Whether the fragments up to `last`, followed by `kind`, form a complete frame.
static bool
is_whole (const OdlDicomScan *scan, ItemKind kind, OdlDicomSpan last)
{
  return kind == ITEM_END
         || (kind == ITEM_NONE && (is_plain (scan) || ends_stream (scan, last)));
}

// ---- Offset tables ----

static uint64_t
read_entry (const uint8_t *at, size_t entry_bytes)
{
  const uint64_t low = odl_read_u32 (at);
  return entry_bytes == 8 ? low | (uint64_t) odl_read_u32 (at + 4) << 32 : low;
}

// Reads up to `most` offsets within the data; false if they do not ascend from 0.
static bool
read_table (GArray *starts,
            const OdlDicomScan *scan,
            OdlDicomSpan table,
            size_t entry_bytes,
            size_t first,
            size_t most)
{
  uint64_t before = 0;

  for (size_t i = 0; i < most; i++) {
    const uint64_t offset
        = read_entry (scan->data + table.offset + i * entry_bytes, entry_bytes);
    if (i == 0 ? offset != 0 : offset <= before)
      return false;
    if (offset >= scan->size - first)
      break;
    const size_t start = first + (size_t) offset;
    g_array_append_val (starts, start);
    before = offset;
  }
  return true;
}

// Scans the last frame to its end. False if the table cannot be right.
static bool
follow_last (OdlDicomFrames *frames, const OdlDicomScan *scan, bool all_there)
{
  size_t at = g_array_index (frames->starts, size_t, frames->starts->len - 1);
  Item item = { 0 };
  ItemKind kind = read_item (scan, at, &item);

  if (kind != ITEM_WHOLE && kind != ITEM_CUT)
    return false;
  for (; kind == ITEM_WHOLE; kind = read_item (scan, at, &item))
    at = item.next;
  if (kind == ITEM_CUT)
    at = item.next;
  // Data beyond the sequence delimiter belongs to no frame.
  if (kind == ITEM_END && !all_there)
    return false;
  frames->n = frames->starts->len;
  frames->last_is_cut = !is_whole (scan, kind, item.span);
  g_array_append_val (frames->starts, at);
  return true;
}

static bool
find_by_table (OdlDicomFrames *frames,
               const OdlDicomScan *scan,
               const OdlDicomHeader *header,
               const Item *table)
{
  const bool extended = scan->extended_table.size > 0;
  const OdlDicomSpan span = extended ? scan->extended_table : table->span;
  const size_t entry_bytes = extended ? 8 : 4;
  const size_t n = span.size / entry_bytes;
  // The offset after the last frame is its end.
  const size_t most = MIN (n, (size_t) header->frames + 1);
  Item item;

  // A single frame needs no table. An incomplete table is not used.
  if (header->frames < 2 || n < header->frames || table->next >= scan->size
      || !read_table (frames->starts, scan, span, entry_bytes, table->next, most)
      || frames->starts->len == 0)
    return false;
  frames->by_table = true;
  if (frames->starts->len <= header->frames)
    return follow_last (frames, scan, frames->starts->len == most);
  frames->n = header->frames;
  frames->has_more
      = read_item (scan, g_array_index (frames->starts, size_t, frames->n), &item)
        == ITEM_WHOLE;
  return frames->has_more;
}

// ---- Fragments ----

// Disables read-ahead while item headers are scanned throughout a long file.
static void
read_ahead (const OdlDicomScan *scan, bool on)
{
  if (scan->inflated == NULL)
    madvise ((void *) scan->data, scan->size, on ? MADV_NORMAL : MADV_RANDOM);
}

// Lists up to `most` fragments (OdlDicomSpan) from `at` on, and what follows them;
// advances `at`.
static GArray *
list_items (const OdlDicomScan *scan, guint most, size_t *at, ItemKind *end)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (OdlDicomSpan));
  Item item;

  while ((*end = read_item (scan, *at, &item)) == ITEM_WHOLE && items->len < most) {
    g_array_append_val (items, item.span);
    *at = item.next;
  }
  if (*end == ITEM_CUT)
    g_array_append_val (items, item.span);
  return items;
}

// A stream whose beginning is lost still follows the end of the previous one,
// `before`.
static bool
begins_frame (const OdlDicomScan *scan,
              const OdlDicomHeader *header,
              OdlDicomSpan before,
              OdlDicomSpan span)
{
  if (scan->syntax->codec == ODL_DICOM_RLE)
    return begins_rle (scan, header, span);
  if (scan->syntax->codec == ODL_DICOM_FRAMED)
    return span.size > 0;
  return span.size > 0 && (begins_stream (scan, span) || ends_stream (scan, before));
}

// Indices of the fragments that start a frame; `last` is the last non-empty one.
static GArray *
find_beginnings (const OdlDicomScan *scan,
                 const OdlDicomHeader *header,
                 const GArray *items,
                 OdlDicomSpan *last)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  *last = (OdlDicomSpan){ 0 };

  for (guint i = 0; i < items->len; i++) {
    const OdlDicomSpan span = g_array_index (items, OdlDicomSpan, i);
    if (span.size == 0)
      continue;
    if (found->len == 0 || begins_frame (scan, header, *last, span))
      g_array_append_val (found, i);
    *last = span;
  }
  return found;
}

// As many fragments as frames: one each, unless they clearly are parts.
static bool
are_one_each (const OdlDicomScan *scan,
              const OdlDicomHeader *header,
              guint n_items,
              guint n_beginnings,
              ItemKind end)
{
  if (is_plain (scan))
    return n_items <= header->frames || n_beginnings != header->frames;
  return n_items == header->frames && end == ITEM_END
         && (uint64_t) n_beginnings * 2 > n_items;
}

// Likewise if only the first fragments are known.
static bool
seem_one_each (const OdlDicomScan *scan, guint n_items, guint n_beginnings)
{
  return is_plain (scan) ? n_beginnings * 2 > n_items : n_beginnings == n_items;
}

static void
find_by_pieces (OdlDicomFrames *frames,
                const OdlDicomScan *scan,
                const OdlDicomHeader *header,
                size_t first,
                guint most)
{
  ItemKind end;

  read_ahead (scan, false);
  g_autoptr (GArray) items = list_items (scan, most, &first, &end);
  g_autoptr (GArray) beginnings = find_beginnings (scan, header, items, &frames->last);
  read_ahead (scan, true);
  const OdlDicomSpan *spans = (const OdlDicomSpan *) items->data;
  const bool more = end == ITEM_WHOLE && header->frames > 1;
  const bool one_each
      = more ? seem_one_each (scan, items->len, beginnings->len)
             : are_one_each (scan, header, items->len, beginnings->len, end);
  guint n = one_each ? items->len : beginnings->len;
  size_t at;

  // A single frame consists of all fragments, whatever they look like.
  if (header->frames == 1 && scan->syntax->codec != ODL_DICOM_RLE)
    n = MIN (n, 1);
  g_array_set_size (frames->starts, 0);
  for (guint i = 0; i < MIN (n, header->frames); i++) {
    const guint item = one_each ? i : g_array_index (beginnings, guint, i);
    at = spans[item].offset - ITEM_HEAD_BYTES;
    g_array_append_val (frames->starts, at);
  }
  frames->n = frames->starts->len;
  frames->has_more = n > frames->n;
  frames->by_table = frames->last_is_cut = false;
  frames->one_each = one_each;
  if (more && n <= header->frames) {
    const size_t room = (scan->size - first) / ITEM_HEAD_BYTES;
    frames->n = (uint32_t) MIN ((size_t) header->frames, n + room);
    frames->next = first;
    return;
  }
  if (items->len == 0)
    return;
  const OdlDicomSpan last = spans[items->len - 1];
  at = last.offset + last.size;
  if (frames->has_more)
    at = spans[one_each ? frames->n : g_array_index (beginnings, guint, frames->n)].offset
         - ITEM_HEAD_BYTES;
  else
    frames->last_is_cut = !is_whole (scan, end, last);
  g_array_append_val (frames->starts, at);
}

// ---- Both ----

// Offset of the first fragment, after the basic offset table; 0: none.
static size_t
first_piece (const OdlDicomScan *scan, Item *table)
{
  return read_item (scan, scan->pixels.offset, table) == ITEM_WHOLE ? table->next : 0;
}

// All fragments are known; `kind` follows them.
static void
end_pieces (OdlDicomFrames *frames, const OdlDicomScan *scan, ItemKind kind, size_t end)
{
  g_array_append_val (frames->starts, end);
  frames->n = frames->starts->len - 1;
  frames->last_is_cut = !is_whole (scan, kind, frames->last);
  frames->next = 0;
}

static void
take_piece (OdlDicomFrames *frames,
            const OdlDicomScan *scan,
            const OdlDicomHeader *header,
            const Item *item)
{
  if (frames->one_each || begins_frame (scan, header, frames->last, item->span))
    g_array_append_val (frames->starts, frames->next);
  if (item->span.size > 0)
    frames->last = item->span;
  frames->next = item->next;
}

bool
odl_dicom_frames_reach (OdlDicomFrames *frames,
                        const OdlDicomScan *scan,
                        const OdlDicomHeader *header,
                        uint32_t index)
{
  const bool far = frames->next > 0 && index > frames->starts->len + FAR_FRAMES;
  Item item;

  if (far)
    read_ahead (scan, false);
  while (frames->next > 0 && frames->starts->len < (size_t) index + 2) {
    const ItemKind kind = read_item (scan, frames->next, &item);
    if (kind == ITEM_WHOLE || kind == ITEM_CUT)
      take_piece (frames, scan, header, &item);
    if (frames->starts->len > header->frames) {
      frames->n = header->frames;
      frames->next = 0;
    } else if (kind != ITEM_WHOLE) {
      end_pieces (frames, scan, kind, frames->next);
    }
  }
  if (far)
    read_ahead (scan, true);
  return index < frames->n;
}

// Whether far more frames are declared than the scanned part suggests.
static bool
declares_too_many (const OdlDicomFrames *frames,
                   const OdlDicomScan *scan,
                   const OdlDicomHeader *header,
                   size_t first)
{
  const double part = (double) (frames->next - first) / (double) (scan->size - first);

  return header->frames > MAX_PROMISE * frames->starts->len / part;
}

void
odl_dicom_frames_find (OdlDicomFrames *frames,
                       const OdlDicomScan *scan,
                       const OdlDicomHeader *header)
{
  Item table;
  const size_t first = first_piece (scan, &table);

  *frames = (OdlDicomFrames){ g_array_new (FALSE, FALSE, sizeof (size_t)) };
  if (first > 0 && !find_by_table (frames, scan, header, &table))
    find_by_pieces (frames, scan, header, first, FIRST_ITEMS);
  if (frames->next > 0 && declares_too_many (frames, scan, header, first))
    odl_dicom_frames_reach (frames, scan, header, G_MAXUINT32 - 1);
}

void
odl_dicom_frames_clear (OdlDicomFrames *frames)
{
  g_clear_pointer (&frames->starts, g_array_unref);
}

// True if the fragments end where the next frame starts.
static bool
gather (const OdlDicomFrames *frames,
        const OdlDicomScan *scan,
        uint32_t index,
        GByteArray *joined,
        OdlDicomSpan *alone)
{
  size_t at = g_array_index (frames->starts, size_t, index);
  const size_t end = g_array_index (frames->starts, size_t, index + 1);
  Item item;

  *alone = (OdlDicomSpan){ 0 };
  g_byte_array_set_size (joined, 0);
  while (at < end) {
    const ItemKind kind = read_item (scan, at, &item);
    if ((kind != ITEM_WHOLE && kind != ITEM_CUT) || item.span.offset > end
        || item.span.size > G_MAXINT - joined->len)
      return false;
    const bool fits = item.next <= end;
    const OdlDicomSpan span
        = { item.span.offset, MIN (item.span.size, end - item.span.offset) };
    if (alone->size > 0 && joined->len == 0)
      g_byte_array_append (joined, scan->data + alone->offset, (guint) alone->size);
    if (alone->size > 0)
      g_byte_array_append (joined, scan->data + span.offset, (guint) span.size);
    else
      *alone = span;
    if (!fits)
      return false;
    at = item.next;
  }
  return true;
}

static void
try_pieces (OdlDicomFrames *frames,
            const OdlDicomScan *scan,
            const OdlDicomHeader *header)
{
  OdlDicomFrames other = { g_array_new (FALSE, FALSE, sizeof (size_t)) };
  Item table;

  find_by_pieces (&other, scan, header, first_piece (scan, &table),
                  ODL_DICOM_MAX_ELEMENTS);
  frames->by_table = false;
  // The number of frames has already been reported.
  if (other.next == 0 && other.n >= frames->n) {
    GArray *before = frames->starts;
    frames->starts = other.starts;
    other.starts = before;
    frames->last_is_cut = other.last_is_cut && other.n == frames->n;
  }
  odl_dicom_frames_clear (&other);
}

const uint8_t *
odl_dicom_frames_get (OdlDicomFrames *frames,
                      const OdlDicomScan *scan,
                      const OdlDicomHeader *header,
                      uint32_t index,
                      GByteArray *joined,
                      size_t *size)
{
  OdlDicomSpan alone;

  if (!gather (frames, scan, index, joined, &alone) && frames->by_table) {
    try_pieces (frames, scan, header);
    gather (frames, scan, index, joined, &alone);
  }
  *size = joined->len > 0 ? joined->len : alone.size;
  return joined->len > 0 ? joined->data : scan->data + alone.offset;
}

GArray *
odl_dicom_fragments (const OdlDicomScan *scan, bool *cut)
{
  Item table;
  ItemKind end = ITEM_NONE;
  size_t at = first_piece (scan, &table);

  read_ahead (scan, false);
  GArray *items = list_items (scan, ODL_DICOM_MAX_ELEMENTS, &at, &end);
  read_ahead (scan, true);
  *cut = end != ITEM_END;
  return items;
}
