// SPDX-License-Identifier: MIT
#include "decoder/dicom/voi.hpp"

#include <cmath>
#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"
#include "decoder/dicom/text.hpp"
#include "image/display/value_map.h"

static const struct {
  const char *name;
  OdlVoiFunction function;
} functions[] = {
  { "", ODL_VOI_LINEAR },
  { "LINEAR", ODL_VOI_LINEAR },
  { "LINEAR_EXACT", ODL_VOI_LINEAR_EXACT },
  { "SIGMOID", ODL_VOI_SIGMOID },
};

static void
read_function (DcmItem *item, OdlPicture *picture)
{
  OFString name = odl_item_text (item, DCM_VOILUTFunction);

  for (const auto &row : functions)
    if (name == row.name) {
      picture->reply.voi_function = row.function;
      if (row.function != ODL_VOI_LINEAR)
        odl_picture_detail (picture, "voi-lut-function", "%s", row.name);
      return;
    }
  odl_picture_warn (picture,
                    _ ("its window's function (VOI LUT Function “%s”) is not known; the "
                       "linear one is used"),
                    name.c_str ());
}

// MONOCHROME1 and the presentation shape INVERSE are equivalent: images must have both
// or neither (PS3.3 C.8.11.3).
static void
read_polarity (const OdlDicomHeader *header, DcmItem *dataset, OdlPicture *picture)
{
  OFString shape = odl_item_text (dataset, DCM_PresentationLUTShape);
  const bool inverse = header->colour == ODL_DICOM_GREY_INVERSE;

  picture->reply.inverse = inverse || shape == "INVERSE";
  if (shape.empty ())
    return;
  odl_picture_detail (picture, "presentation-lut-shape", "%s", shape.c_str ());
  if (inverse && shape == "IDENTITY")
    odl_picture_warn (picture, _ ("it is inconsistent (MONOCHROME1 with the presentation "
                                  "shape IDENTITY); the smallest value is shown white"));
}

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

// Reads the windows and tables of grey levels that an item offers (PS3.3 C.11.2), for a
// grey picture whose slope and intercept have been read: the first valid table and the
// first valid window, and, if there are several in all, the list of them, tables first;
// their names are in the character set of the data set. False: there is no window.
static bool
read_levels (const OdlDicomHeader *header,
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

// ---- all of it -----------------------------------------------------------------------

void
odl_dicom_voi_read (const OdlDicomHeader *header,
                    DcmItem *dataset,
                    uint32_t frame,
                    OdlPicture *picture)
{
  DcmItem *item = odl_item_macro (dataset, DCM_FrameVOILUTSequence, frame);

  if (read_levels (header, dataset, item, picture))
    read_function (item, picture);
  read_polarity (header, dataset, picture);
}

// Curves in the retired groups 5000 to 501E.
static bool
has_curves (DcmItem *dataset)
{
  for (Uint16 group = 0x5000; group <= 0x501e; group += 2)
    if (dataset->tagExistsWithValue (DcmTagKey (group, 0x3000)))
      return true;
  return false;
}

void
odl_dicom_name_unapplied (const OdlDicomHeader *header,
                          DcmItem *dataset,
                          OdlPicture *picture)
{
  const bool grey
      = header->colour == ODL_DICOM_GREY || header->colour == ODL_DICOM_GREY_INVERSE;

  if (odl_item_in (dataset, DCM_MaskSubtractionSequence, 0) != NULL)
    odl_picture_warn (picture, _ ("its mask is not subtracted; frames are shown as they "
                                  "were taken"));
  if (odl_item_in (dataset, DCM_PresentationLUTSequence, 0) != NULL)
    odl_picture_warn (picture, _ ("its presentation table (Presentation LUT Sequence) is "
                                  "not applied"));
  if (grey && dataset->tagExistsWithValue (DCM_RedPaletteColorLookupTableDescriptor))
    odl_picture_warn (picture, _ ("its supplemental colours are not applied; all values "
                                  "are shown in grey"));
  if (has_curves (dataset))
    odl_picture_warn (picture, _ ("its curves (groups 50xx) are not drawn"));
}
