// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/scan.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"

#define UNDEFINED 0xffffffffu
#define TAG(group, element) ((uint32_t) (group) << 16 | (element))
#define TAG_TRANSFER_SYNTAX TAG (0x0002, 0x0010)
#define TAG_ITEM TAG (0xfffe, 0xe000)
#define TAG_ITEM_END TAG (0xfffe, 0xe00d)
#define TAG_SEQUENCE_END TAG (0xfffe, 0xe0dd)
#define TAG_EXTENDED_TABLE TAG (0x7fe0, 0x0001)
#define TAG_FLOAT_PIXELS TAG (0x7fe0, 0x0008)
#define TAG_DOUBLE_PIXELS TAG (0x7fe0, 0x0009)
#define TAG_PIXELS TAG (0x7fe0, 0x0010)

// Limit of inflated data: a constant plus an amount that depends on the file size.
#define INFLATE_BASE ((size_t) 64 << 20)
#define INFLATE_PER_BYTE 16

typedef struct {
  bool implicit_vr;
  bool big_endian;
} Encoding;

typedef struct {
  uint32_t tag;
  char vr[2]; // zero for implicit VR and for items
  uint32_t length;
  size_t value; // offset of the value
} Element;

// An open sequence or item, or a sequence of fragments.
typedef struct {
  bool is_sequence;
  bool is_fragments; // its items hold bytes instead of elements
  Encoding encoding;
  bool defined;
  size_t end; // if defined
} Level;

typedef struct {
  const uint8_t *data;
  size_t size;
  size_t position;
  Level levels[ODL_DICOM_MAX_NESTING * 2 + 1];
  int depth; // index of the current level; 0 is the data set
  unsigned n_elements;
} Walk;

// In the byte order of the current level.
static uint32_t
read_u16 (const Walk *walk, size_t at)
{
  const uint8_t *bytes = walk->data + at;
  return walk->levels[walk->depth].encoding.big_endian
             ? (uint32_t) (bytes[0] << 8 | bytes[1])
             : odl_read_u16 (bytes);
}

static uint32_t
read_u32 (const Walk *walk, size_t at)
{
  uint32_t first = read_u16 (walk, at);
  uint32_t second = read_u16 (walk, at + 2);
  return walk->levels[walk->depth].encoding.big_endian ? first << 16 | second
                                                       : second << 16 | first;
}

// PS3.5 table 7.1-1: other VRs, including unknown ones, have two reserved bytes and a
// 4-byte length.
static bool
has_short_length (const char *vr)
{
  static const char known[] = "AEASATCSDADSDTFLFDISLOLTPNSHSLSSSTTMUIULUS";

  for (const char *at = known; *at != '\0'; at += 2)
    if (memcmp (at, vr, 2) == 0)
      return true;
  return !(g_ascii_isupper (vr[0]) && g_ascii_isupper (vr[1]));
}

static bool
read_element (const Walk *walk, Element *element)
{
  const bool implicit_vr = walk->levels[walk->depth].encoding.implicit_vr;
  size_t at = walk->position;

  if (walk->size - at < 8)
    return false;
  *element = (Element){ .tag = TAG (read_u16 (walk, at), read_u16 (walk, at + 2)) };
  bool is_item = element->tag >> 16 == 0xfffe;
  if (implicit_vr || is_item) {
    element->length = read_u32 (walk, at + 4);
    element->value = at + 8;
    return true;
  }
  memcpy (element->vr, walk->data + at + 4, 2);
  if (has_short_length (element->vr)) {
    element->length = read_u16 (walk, at + 6);
    element->value = at + 8;
    return true;
  }
  if (walk->size - at < 12)
    return false;
  element->length = read_u32 (walk, at + 8);
  element->value = at + 12;
  return true;
}

static bool
push (Walk *walk, const Level *level, GError **error)
{
  if (walk->depth + 1 >= (int) G_N_ELEMENTS (walk->levels))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its sequences are nested more than %d deep"),
                          ODL_DICOM_MAX_NESTING);
  walk->levels[++walk->depth] = *level;
  return true;
}

// Implicit VR does not show sequences; an item at the start of the value identifies
// one.
static bool
is_sequence (const Walk *walk, const Level *level, const Element *element)
{
  if (element->length == UNDEFINED || memcmp (element->vr, "SQ", 2) == 0)
    return true;
  return level->encoding.implicit_vr && element->length >= 8
         && walk->size - element->value >= 8
         && TAG (read_u16 (walk, element->value), read_u16 (walk, element->value + 2))
                == TAG_ITEM;
}

// PS3.5 6.2.2: the content of a UN element is implicit little endian, whatever
// surrounds it.
static Level
inner_level (const Level *level, const Element *element)
{
  const bool is_unknown = memcmp (element->vr, "UN", 2) == 0;
  const Encoding little = { .implicit_vr = true };

  return (Level){
    .encoding = is_unknown ? little : level->encoding,
    .defined = element->length != UNDEFINED,
    .end = element->value + (element->length != UNDEFINED ? element->length : 0),
  };
}

// Handles an item of a sequence, or its end.
static bool
step_in_sequence (Walk *walk, const Element *element, bool fits, GError **error)
{
  const Level level = walk->levels[walk->depth];

  if (element->tag == TAG_SEQUENCE_END) {
    walk->depth--;
    return true;
  }
  if (element->tag != TAG_ITEM || !fits
      || (level.is_fragments && element->length == UNDEFINED))
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its sequences are damaged"));
  if (level.is_fragments) {
    walk->position += element->length;
    return true;
  }
  const Level inner = inner_level (&level, element);
  return push (walk, &inner, error);
}

// Skips or enters one element of a sequence or item.
static bool
step_inside (Walk *walk, const Element *element, GError **error)
{
  const Level *level = &walk->levels[walk->depth];
  size_t left = walk->size - element->value;
  bool fits = element->length == UNDEFINED || element->length <= left;

  walk->position = element->value;
  if (level->is_sequence)
    return step_in_sequence (walk, element, fits, error);
  if (element->tag == TAG_ITEM_END && walk->depth > 0) {
    walk->depth--;
    return true;
  }
  if (!fits)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it ends too early, or one of its lengths is wrong"));
  if (is_sequence (walk, level, element)) {
    Level inner = inner_level (level, element);
    inner.is_sequence = true;
    // Icons have the same compression as the picture.
    inner.is_fragments = element->tag == TAG_PIXELS && element->length == UNDEFINED;
    return push (walk, &inner, error);
  }
  walk->position += element->length;
  return true;
}

static void
close_finished_levels (Walk *walk)
{
  while (walk->depth > 0 && walk->levels[walk->depth].defined
         && walk->position >= walk->levels[walk->depth].end)
    walk->depth--;
}

static void
take_pixels (OdlDicomScan *scan, Walk *walk, const Element *element)
{
  scan->header.size = walk->position - scan->header.offset;
  scan->kind = element->tag == TAG_PIXELS         ? ODL_DICOM_PIXELS
               : element->tag == TAG_FLOAT_PIXELS ? ODL_DICOM_FLOAT_PIXELS
                                                  : ODL_DICOM_DOUBLE_PIXELS;
  scan->pixels_are_words = memcmp (element->vr, "OW", 2) == 0;
  scan->pixels_are_big
      = walk->levels[0].encoding.big_endian && memcmp (element->vr, "UN", 2) != 0;
  scan->encapsulated = element->length == UNDEFINED;
  const size_t left = walk->size - element->value;
  scan->pixels = (OdlDicomSpan){ element->value, MIN (element->length, left) };
}

static bool
walk_data_set (OdlDicomScan *scan, const Encoding *encoding, GError **error)
{
  g_autofree Walk *walk = g_new0 (Walk, 1);

  walk->data = scan->data;
  walk->size = scan->size;
  walk->position = scan->header.offset;
  walk->levels[0].encoding = *encoding;
  while (walk->position < walk->size || walk->depth > 0) {
    Element element;

    if (!read_element (walk, &element)) {
      // A few bytes at the very end are padding.
      if (walk->depth == 0)
        break;
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("it ends too early, or one of its lengths is wrong"));
    }
    if (++walk->n_elements > ODL_DICOM_MAX_ELEMENTS)
      return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("it has too many elements"));
    if (walk->depth == 0
        && (element.tag == TAG_PIXELS || element.tag == TAG_FLOAT_PIXELS
            || element.tag == TAG_DOUBLE_PIXELS)) {
      take_pixels (scan, walk, &element);
      return true;
    }
    if (walk->depth == 0 && element.tag == TAG_EXTENDED_TABLE
        && element.length <= walk->size - element.value)
      scan->extended_table = (OdlDicomSpan){ element.value, element.length };
    if (!step_inside (walk, &element, error))
      return false;
    close_finished_levels (walk);
  }
  scan->header.size = MIN (walk->position, scan->size) - scan->header.offset;
  return true;
}

static bool
inflate_data_set (OdlDicomScan *scan, size_t memory, GError **error)
{
  size_t limit = MIN (INFLATE_BASE + scan->size * INFLATE_PER_BYTE, memory / 2);
  size_t capacity = MIN ((size_t) 1 << 20, limit);
  z_stream stream = {
    .next_in = (Bytef *) scan->data + scan->header.offset,
    .avail_in = (uInt) MIN (scan->size - scan->header.offset, G_MAXUINT),
  };
  int result = inflateInit2 (&stream, -MAX_WBITS);

  scan->inflated = g_try_malloc (capacity);
  while (result == Z_OK && scan->inflated != NULL) {
    if (stream.total_out == capacity) {
      if (capacity >= limit)
        break;
      capacity = MIN (2 * capacity, limit);
      uint8_t *larger = g_try_realloc (scan->inflated, capacity);
      if (larger == NULL)
        break;
      scan->inflated = larger;
    }
    stream.next_out = scan->inflated + stream.total_out;
    stream.avail_out = (uInt) (capacity - stream.total_out);
    result = inflate (&stream, Z_NO_FLUSH);
  }
  size_t n = stream.total_out;
  inflateEnd (&stream);
  if (result == Z_OK)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("its compressed data set expands to more than %zu MB"),
                          limit >> 20);
  if (n == 0 || (result != Z_STREAM_END && result != Z_BUF_ERROR))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its compressed data set is damaged"));
  scan->data = scan->inflated;
  scan->size = n;
  scan->header.offset = 0;
  return true;
}

// Reads group 2, always explicit little endian. Its group length is often wrong and
// ignored.
static bool
read_meta (OdlDicomScan *scan, size_t start, GError **error)
{
  Walk walk = { .data = scan->data, .size = scan->size, .position = start };
  char uid[65] = "";
  Element element;

  while (walk.position < walk.size && read_element (&walk, &element)
         && element.tag >> 16 == 0x0002) {
    if (element.length > walk.size - element.value)
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("it ends too early, or one of its lengths is wrong"));
    if (element.tag == TAG_TRANSFER_SYNTAX && element.length < sizeof uid) {
      memcpy (uid, scan->data + element.value, element.length);
      uid[element.length] = '\0';
      g_strchomp (uid);
    }
    walk.position = element.value + element.length;
  }
  scan->header.offset = walk.position;
  if (uid[0] == '\0')
    return odl_error_set (
        error, ODL_ERROR_CORRUPT,
        _ ("it does not say how it is encoded (no Transfer Syntax UID)"));
  scan->syntax = odl_dicom_syntax_find (uid);
  if (scan->syntax != NULL)
    return true;
  g_autofree char *valid = g_utf8_make_valid (uid, -1);
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("its encoding is unknown (transfer syntax %s)"), valid);
}

// Without meta information, guesses the encoding from the first element.
static void
guess_syntax (OdlDicomScan *scan)
{
  const uint8_t *head = scan->data;
  bool explicit_vr
      = scan->size >= 8 && g_ascii_isupper (head[4]) && g_ascii_isupper (head[5]);
  bool big = scan->size >= 2 && head[0] == 0;

  scan->syntax = odl_dicom_syntax_find (big           ? "1.2.840.10008.1.2.2"
                                        : explicit_vr ? "1.2.840.10008.1.2.1"
                                                      : "1.2.840.10008.1.2");
}

bool
odl_dicom_scan (OdlDicomScan *scan,
                const uint8_t *data,
                size_t size,
                size_t memory,
                GError **error)
{
  *scan = (OdlDicomScan){ .data = data, .size = size };

  bool preamble = size >= 132 && memcmp (data + 128, "DICM", 4) == 0;
  bool bare_meta = size >= 8 && odl_read_u16 (data) == 0x0002;
  if (preamble || bare_meta) {
    if (!read_meta (scan, preamble ? 132 : 0, error))
      return false;
  } else {
    guess_syntax (scan);
  }
  if (scan->syntax->codec == ODL_DICOM_REFUSED)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its pixels are compressed with %s, which is not supported"),
                          scan->syntax->name);
  if (scan->syntax->deflated && !inflate_data_set (scan, memory, error))
    return false;
  Encoding encoding = { scan->syntax->implicit_vr, scan->syntax->big_endian };
  return walk_data_set (scan, &encoding, error);
}

void
odl_dicom_scan_clear (OdlDicomScan *scan)
{
  g_clear_pointer (&scan->inflated, g_free);
}

bool
odl_dicom_scan_items (const uint8_t *value, size_t size, int depth)
{
  g_autofree Walk *walk = g_new0 (Walk, 1);
  Element element;

  if (depth >= ODL_DICOM_MAX_NESTING)
    return false;
  walk->data = value;
  walk->size = size;
  // An item and a sequence for each one around it.
  walk->depth = 2 * depth + 1;
  const int outside = walk->depth - 1;
  walk->levels[walk->depth] = (Level){ true, false, { true, false }, true, size };
  close_finished_levels (walk);
  while (walk->depth > outside)
    if (!read_element (walk, &element) || ++walk->n_elements > ODL_DICOM_MAX_ELEMENTS
        || !step_inside (walk, &element, NULL))
      return false;
    else
      close_finished_levels (walk);
  return walk->position == size;
}
