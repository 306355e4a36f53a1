// SPDX-License-Identifier: MIT
#include "decoder/dicom/item.hpp"

#include <cmath>
#include <glib/gi18n-lib.h>

#include "base/error.h"

bool
odl_item_short (DcmItem *item, const DcmTagKey &tag, uint32_t &value)
{
  DcmElement *element = NULL;
  Uint16 number = 0;

  if (item->findAndGetElement (tag, element).bad () || element->ident () != EVR_US
      || element->getVM () != 1 || element->getUint16 (number).bad ())
    return false;
  value = number;
  return true;
}

bool
odl_item_optional_short (DcmItem *item,
                         const DcmTagKey &tag,
                         uint32_t &value,
                         GError **error)
{
  if (!item->tagExistsWithValue (tag) || odl_item_short (item, tag, value))
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its header is damaged: %s cannot be read"),
                        DcmTag (tag).getTagName ());
}

// Bytes are no text: DCMTK would write their numbers.
static bool
get_text (DcmItem *item, const DcmTagKey &tag, unsigned index, OFString &text)
{
  DcmElement *element = NULL;

  if (item->findAndGetElement (tag, element).bad ())
    return false;
  switch (element->ident ()) {
  case EVR_OB:
  case EVR_OW:
  case EVR_UN:
  case EVR_ox:
  case EVR_lt:
    return false;
  default:
    return element->getOFString (text, index).good ();
  }
}

OFString
odl_item_text (DcmItem *item, const DcmTagKey &tag)
{
  OFString text;

  if (!get_text (item, tag, 0, text))
    return "";
  size_t first = text.find_first_not_of (" ");
  size_t last = text.find_last_not_of (OFString (" \0", 2));
  return first == OFString_npos || last == OFString_npos
             ? OFString ()
             : text.substr (first, last - first + 1);
}

bool
odl_item_number (DcmItem *item, const DcmTagKey &tag, unsigned index, double &value)
{
  OFString text;
  char *end = NULL;

  if (!get_text (item, tag, index, text)) {
    if (index > 0 || !item->tagExistsWithValue (tag))
      return false;
    value = NAN;
    return true;
  }
  const char *start = text.c_str ();
  while (*start == ' ')
    start++;
  if (*start == '\0')
    return false;
  value = g_ascii_strtod (start, &end);
  while (*end == ' ')
    end++;
  if (end == start || *end != '\0' || !std::isfinite (value))
    value = NAN;
  return true;
}

DcmItem *
odl_item_in (DcmItem *item, const DcmTagKey &sequence, unsigned index)
{
  DcmItem *inner = NULL;
  DcmSequenceOfItems *items = NULL;

  if (item->findAndGetSequence (sequence, items).bad () || items == NULL
      || index >= items->card ())
    return NULL;
  inner = items->getItem (index);
  return inner;
}

DcmItem *
odl_item_macro (DcmItem *dataset, const DcmTagKey &macro, uint32_t frame)
{
  DcmItem *groups[] = {
    odl_item_in (dataset, DCM_PerFrameFunctionalGroupsSequence, frame),
    odl_item_in (dataset, DCM_SharedFunctionalGroupsSequence, 0),
  };

  for (DcmItem *group : groups)
    if (group != NULL)
      if (DcmItem *item = odl_item_in (group, macro, 0))
        return item;
  return dataset;
}

// PS3.3 C.7.9.2: runs of values, linear segments, and copies of earlier segments, each
// with the values of its own width, 8 or 16 bits.
enum { DISCRETE, LINEAR, INDIRECT };

namespace {

struct Segments {
  const Uint16 *words;
  size_t n; // values
  bool bytes; // two values a word

  Uint16
  at (size_t index) const
  {
    return bytes ? (Uint16) (words[index / 2] >> (index % 2 * 8) & 255) : words[index];
  }

  // Number of values in the offset of an indirect segment, which has 32 bits.
  size_t
  offset_values () const
  {
    return bytes ? 4 : 2;
  }

  // Offsets are in bytes.
  size_t
  offset_at (size_t index) const
  {
    size_t bytes_offset = 0;
    for (size_t i = offset_values (); i > 0; i--)
      bytes_offset = bytes_offset << (bytes ? 8 : 16) | at (index + i - 1);
    return bytes ? bytes_offset : bytes_offset / 2;
  }
};

}

// A run or a linear segment at `*at`, behind which it moves. False: it is something else,
// or leaves the data or the table.
static bool
expand_one (const Segments *from, size_t *at, OdlDicomLut *lut, uint32_t *done)
{
  if (from->n - *at < 2)
    return false;
  const uint32_t opcode = from->at (*at), length = from->at (*at + 1);
  const size_t values = *at + 2;

  if (length == 0 || length > lut->n - *done)
    return false;
  if (opcode == DISCRETE && length <= from->n - values) {
    for (uint32_t i = 0; i < length; i++)
      lut->values[(*done)++] = from->at (values + i);
    *at = values + length;
    return true;
  }
  if (opcode != LINEAR || values >= from->n || *done == 0)
    return false;
  const double start = lut->values[*done - 1], end = from->at (values);
  for (uint32_t i = 1; i <= length; i++)
    lut->values[(*done)++] = (uint16_t) (start + (end - start) * i / length + 0.5);
  *at = values + 1;
  return true;
}

// Copies may not hold copies, so that nothing repeats without an end.
static bool
expand_copy (const Segments *from, size_t *at, OdlDicomLut *lut, uint32_t *done)
{
  const size_t values = *at + 2;

  if (from->n - *at < 2 + from->offset_values ())
    return false;
  const uint32_t length = from->at (*at + 1);
  size_t source = from->offset_at (values);
  bool there = source < from->n;
  for (uint32_t i = 0; there && i < length; i++)
    there = expand_one (from, &source, lut, done);
  *at = values + from->offset_values ();
  return there;
}

static bool
expand_all (const Segments *from, OdlDicomLut *lut)
{
  uint32_t done = 0;
  size_t at = 0;

  while (done < lut->n && from->n - at >= 2)
    if (!(from->at (at) == INDIRECT ? expand_copy (from, &at, lut, &done)
                                    : expand_one (from, &at, lut, &done)))
      return false;
  return done == lut->n;
}

// Some writers store 8-bit values in words.
static bool
expand_segments (const Uint16 *from, size_t n_from, OdlDicomLut *lut, GError **error)
{
  const Segments words = { from, n_from, false }, bytes = { from, 2 * n_from, true };

  if ((lut->bits <= 8 && expand_all (&bytes, lut)) || expand_all (&words, lut))
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its segmented colour palette is damaged"));
}

static bool
copy_values (const Uint16 *from, size_t n_from, OdlDicomLut *lut, GError **error)
{
  // 8-bit entries may be packed in pairs or stored one per word.
  bool packed = n_from < lut->n;

  if (from == NULL || (packed && (lut->bits > 8 || n_from * 2 < lut->n)))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("one of its look-up tables is shorter than it says"));
  for (uint32_t i = 0; i < lut->n; i++)
    lut->values[i] = packed ? (uint16_t) (from[i / 2] >> (i % 2 * 8) & 255) : from[i];
  return true;
}

// Number of entries and bits are unsigned, whatever the VR of all three is, and so is the
// first value unless `is_signed` (PS3.3 C.7.6.3.1.5, C.11.1.1).
static bool
read_descriptor (DcmItem *item, const DcmTagKey &tag, bool is_signed, OdlDicomLut *lut)
{
  DcmElement *element = NULL;
  Uint16 numbers[3];

  if (item->findAndGetElement (tag, element).bad () || element->getVM () != 3)
    return false;
  for (unsigned i = 0; i < 3; i++) {
    Sint16 number = 0;
    if (element->getUint16 (numbers[i], i).good ())
      continue;
    if (element->getSint16 (number, i).bad ())
      return false;
    numbers[i] = (Uint16) number;
  }
  lut->n = numbers[0] == 0 ? 65536 : numbers[0];
  lut->first = is_signed ? (Sint16) numbers[1] : numbers[1];
  lut->bits = numbers[2];
  return lut->bits >= 1 && lut->bits <= 16;
}

bool
odl_item_lut (DcmItem *item,
              const OdlLutTags &tags,
              bool is_signed,
              OdlDicomLut *lut,
              GError **error)
{
  const Uint16 *data = NULL;
  unsigned long n_data = 0;

  if (!read_descriptor (item, tags.descriptor, is_signed, lut))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the description of one of its look-up tables is invalid"));
  lut->values = g_new0 (uint16_t, lut->n);
  if (tags.segmented != DCM_UndefinedTagKey
      && item->findAndGetUint16Array (tags.segmented, data, &n_data).good ()
      && n_data > 0)
    return expand_segments (data, n_data, lut, error);
  item->findAndGetUint16Array (tags.data, data, &n_data);
  if (!copy_values (data, n_data, lut, error))
    return false;
  // Some writers declare 8 bits and store 16.
  for (uint32_t i = 0; i < lut->n; i++)
    while (lut->bits < 16 && lut->values[i] >> lut->bits != 0)
      lut->bits = lut->bits < 8 ? lut->bits + 1 : 16;
  return true;
}
