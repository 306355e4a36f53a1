// SPDX-License-Identifier: MIT
#include "decoder/dicom/windows.hpp"

#include <cmath>
#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"
#include "decoder/dicom/text.hpp"

// More pairs of numbers than this are not looked at.
#define MOST_PAIRS (4 * ODL_DECODER_MAX_WINDOWS)

// ---- tables --------------------------------------------------------------------------

// The smallest and largest possible value of what enters a table.
static void
possible_values (const OdlDicomHeader *header, const OdlPicture *picture, double ends[2])
{
  const bool mapped = header->modality.values != NULL;
  const int bits = mapped ? header->modality.bits : (int) header->bits_stored;
  const double span = std::ldexp (1.0, bits);
  const double low = header->is_signed && !mapped ? -span / 2 : 0, high = low + span - 1;
  const double slope = mapped ? 1 : picture->reply.slope;
  const double intercept = mapped ? 0 : picture->reply.intercept;

  ends[0] = MIN (slope * low, slope * high) + intercept;
  ends[1] = MAX (slope * low, slope * high) + intercept;
}

// Transfer full.
static float *
make_levels (const OdlDicomLut *lut)
{
  const double most = (double) ((1u << lut->bits) - 1);
  float *levels = g_new (float, lut->n);

  for (uint32_t i = 0; i < lut->n; i++)
    levels[i] = (float) MIN (lut->values[i] / most, 1.0);
  return levels;
}

// Takes the first valid one; false: there are too many.
static bool
take_table (const OdlDicomLut *lut, const char *name, OdlPicture *picture)
{
  float *levels = make_levels (lut);
  const double ends[] = { (double) lut->first, (double) lut->first + lut->n - 1 };
  const bool fits = odl_picture_add_table (picture, name, levels, lut->n, ends);
  if (picture->levels != NULL) {
    g_free (levels);
    return fits;
  }
  odl_picture_take_levels (picture, levels, lut->n, ends[0], ends[1]);
  odl_picture_detail (picture, "voi-lut", "%s%s%u values from %g", name,
                      *name == '\0' ? "" : ", ", lut->n, ends[0]);
  return fits;
}

static char *
explanation (DcmItem *item, const DcmTagKey &tag, int set)
{
  return odl_character_set_decode (odl_item_text (item, tag).c_str (), set);
}

// PS3.3 C.11.2.1.1: the first value has a sign where what enters the table may have one.
// One that says so and would lie beyond all values else has it, too.
static bool
read_table (DcmItem *table, const double possible[2], OdlDicomLut *lut)
{
  static const OdlLutTags tags = { DCM_LUTDescriptor, DCM_LUTData, DCM_UndefinedTagKey };
  DcmElement *descriptor = NULL;

  if (!odl_item_lut (table, tags, possible[0] < 0, lut, NULL) || lut->n < 2)
    return false;
  if (lut->first > possible[1]
      && table->findAndGetElement (DCM_LUTDescriptor, descriptor).good ()
      && descriptor->ident () == EVR_SS)
    lut->first = (int16_t) lut->first;
  return true;
}

static bool
read_tables (const OdlDicomHeader *header, DcmItem *item, int set, OdlPicture *picture)
{
  bool fit = true;
  double possible[2];
  DcmItem *table;

  possible_values (header, picture, possible);
  for (unsigned i = 0; fit && (table = odl_item_in (item, DCM_VOILUTSequence, i)) != NULL;
       i++) {
    OdlDicomLut lut = {};
    g_autofree char *name = explanation (table, DCM_LUTExplanation, set);
    if (read_table (table, possible, &lut))
      fit = take_table (&lut, name, picture);
    else
      odl_picture_warn (picture, _ ("its table of grey levels (VOI LUT) is damaged and "
                                    "is ignored"));
    g_free (lut.values);
  }
  return fit;
}

// ---- windows -------------------------------------------------------------------------

static bool
is_window (double centre, double width)
{
  return fabs (centre) < 1e15 && width > 0 && width < 1e15;
}

// The explanation number `index`, of those between backslashes. Transfer full.
static char *
pair_name (DcmItem *item, unsigned index, int set)
{
  OFString text;

  if (item->findAndGetOFString (DCM_WindowCenterWidthExplanation, text, index).bad ())
    return g_strdup ("");
  char *name = odl_character_set_decode (text.c_str (), set);
  return g_strstrip (name);
}

static bool
read_windows (DcmItem *item, int set, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;
  bool fit = true;
  double centre, width;

  for (unsigned i = 0; fit && i < MOST_PAIRS; i++) {
    centre = width = NAN;
    if (!odl_item_number (item, DCM_WindowCenter, i, centre)
        || !odl_item_number (item, DCM_WindowWidth, i, width))
      break;
    if (!is_window (centre, width)) {
      odl_picture_warn (picture, _ ("the file's own grey-level window (its centre and "
                                    "width) is invalid and is ignored"));
      continue;
    }
    g_autofree char *name = pair_name (item, i, set);
    fit = odl_picture_add_window (picture, name, centre, width);
    if (reply->has_window)
      continue;
    reply->has_window = 1;
    reply->window_centre = centre;
    reply->window_width = width;
    odl_picture_detail (picture, "window-centre", "%g", centre);
    odl_picture_detail (picture, "window-width", "%g", width);
  }
  return fit;
}

bool
odl_dicom_windows_read (const OdlDicomHeader *header,
                        DcmItem *dataset,
                        DcmItem *item,
                        OdlPicture *picture)
{
  const int set = odl_dicom_character_set (dataset);
  const bool tables_fit = read_tables (header, item, set, picture);

  if (!read_windows (item, set, picture) || !tables_fit)
    odl_picture_warn (picture, _ ("it offers more windows or tables of grey levels than "
                                  "are listed; the first ones are"));
  odl_picture_drop_single_window (picture);
  return picture->reply.has_window;
}
