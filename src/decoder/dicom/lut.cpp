// SPDX-License-Identifier: MIT
#include "config.h"

#include "decoder/dicom/item.hpp"

#include <cmath>
#include <glib/gi18n-lib.h>

#include "base/error.h"

static bool
fail (GError **error, const char *message)
{
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT, message);
  return false;
}

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

OFString
odl_item_text (DcmItem *item, const DcmTagKey &tag)
{
  OFString text;

  if (item->findAndGetOFString (tag, text, 0).bad ())
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

  if (item->findAndGetOFString (tag, text, index).bad ())
    return false;
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

// PS3.3 C.7.9.2: runs of values and linear segments.
static bool
expand_segments (const Uint16 *from, size_t n_from, OdlDicomLut *lut, GError **error)
{
  size_t at = 0;
  uint32_t done = 0;

  while (at + 2 <= n_from && done < lut->n) {
    uint32_t opcode = from[at], length = from[at + 1];
    at += 2;
    if (opcode == 0 && length <= n_from - at && length <= lut->n - done) {
      for (uint32_t i = 0; i < length; i++)
        lut->values[done++] = from[at++];
    } else if (opcode == 1 && at < n_from && done > 0 && length <= lut->n - done) {
      double start = lut->values[done - 1], end = from[at++];
      for (uint32_t i = 1; i <= length; i++)
        lut->values[done++] = (uint16_t) (start + (end - start) * i / length + 0.5);
    } else {
      break;
    }
  }
  return done == lut->n
         || fail (error, _ ("its segmented colour palette is damaged or of a kind that "
                            "is not supported"));
}

static bool
copy_values (const Uint16 *from, size_t n_from, OdlDicomLut *lut, GError **error)
{
  // 8-bit entries may be packed in pairs or stored one per word.
  bool packed = n_from < lut->n;

  if (from == NULL || (packed && (lut->bits > 8 || n_from * 2 < lut->n)))
    return fail (error, _ ("one of its look-up tables is shorter than it says"));
  for (uint32_t i = 0; i < lut->n; i++)
    lut->values[i] = packed ? (uint16_t) (from[i / 2] >> (i % 2 * 8) & 255) : from[i];
  return true;
}

static bool
read_descriptor (DcmItem *item, const DcmTagKey &tag, OdlDicomLut *lut)
{
  DcmElement *element = NULL;
  Uint16 numbers[3];

  if (item->findAndGetElement (tag, element).bad () || element->getVM () != 3)
    return false;
  bool is_signed = element->ident () == EVR_SS;
  for (unsigned i = 0; i < 3; i++) {
    Sint16 number = 0;
    if (is_signed ? element->getSint16 (number, i).bad ()
                  : element->getUint16 (numbers[i], i).bad ())
      return false;
    if (is_signed)
      numbers[i] = (Uint16) number;
  }
  lut->n = numbers[0] == 0 ? 65536 : numbers[0];
  lut->first = is_signed ? (Sint16) numbers[1] : numbers[1];
  lut->bits = numbers[2];
  return lut->bits >= 1 && lut->bits <= 16;
}

bool
odl_item_lut (DcmItem *item, const OdlLutTags &tags, OdlDicomLut *lut, GError **error)
{
  const Uint16 *data = NULL;
  unsigned long n_data = 0;

  if (!read_descriptor (item, tags.descriptor, lut))
    return fail (error, _ ("the description of one of its look-up tables is invalid"));
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
