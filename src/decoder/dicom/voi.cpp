// SPDX-License-Identifier: MIT
#include "config.h"

#include "decoder/dicom/voi.hpp"

#include <cmath>
#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"
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

static void
read_window (DcmItem *item, OdlPicture *picture)
{
  double centre = NAN, width = NAN;

  if (!odl_item_number (item, DCM_WindowCenter, 0, centre)
      || !odl_item_number (item, DCM_WindowWidth, 0, width))
    return;
  if (!(fabs (centre) < 1e15 && width > 0 && width < 1e15)) {
    odl_picture_warn (picture, _ ("the file's own grey-level window (its centre and "
                                  "width) is invalid and is ignored"));
    return;
  }
  picture->reply.has_window = 1;
  picture->reply.window_centre = centre;
  picture->reply.window_width = width;
  odl_picture_detail (picture, "window-centre", "%g", centre);
  odl_picture_detail (picture, "window-width", "%g", width);
  read_function (item, picture);
}

// The smallest possible value of a sample.
static double
least_value (const OdlDicomHeader *header, const OdlPicture *picture)
{
  const double span = std::ldexp (1.0, (int) header->bits_stored);
  const double low = header->is_signed ? -span / 2 : 0, high = low + span - 1;
  const double slope = picture->reply.slope;

  if (header->modality.values != NULL)
    return 0;
  return MIN (slope * low, slope * high) + picture->reply.intercept;
}

static void
take_table (const OdlDicomHeader *header, const OdlDicomLut *lut, OdlPicture *picture)
{
  const double most = (double) ((1u << lut->bits) - 1);
  double first = lut->first;
  float *levels = g_new (float, lut->n);

  // Some writers store negative values as unsigned numbers.
  if (first >= 32768 && least_value (header, picture) < 0)
    first -= 65536;
  for (uint32_t i = 0; i < lut->n; i++)
    levels[i] = (float) MIN (lut->values[i] / most, 1.0);
  odl_picture_take_levels (picture, levels, lut->n, first, first + lut->n - 1);
}

// The first table is the default.
static void
read_table (const OdlDicomHeader *header, DcmItem *item, OdlPicture *picture)
{
  static const OdlLutTags tags = { DCM_LUTDescriptor, DCM_LUTData, DCM_UndefinedTagKey };
  DcmItem *first = odl_item_in (item, DCM_VOILUTSequence, 0);
  OdlDicomLut lut = {};

  if (first == NULL)
    return;
  if (odl_item_lut (first, tags, &lut, NULL) && lut.n >= 2) {
    take_table (header, &lut, picture);
    OFString name = odl_item_text (first, DCM_LUTExplanation);
    odl_picture_detail (picture, "voi-lut", "%s%s%u values from %g", name.c_str (),
                        name.empty () ? "" : ", ", lut.n, picture->reply.levels_first);
  } else {
    odl_picture_warn (picture, _ ("its table of grey levels (VOI LUT) is damaged and is "
                                  "ignored"));
  }
  g_free (lut.values);
}

static unsigned
count_values (DcmItem *item, const DcmTagKey &tag)
{
  DcmElement *element = NULL;

  return item->findAndGetElement (tag, element).good () ? (unsigned) element->getVM ()
                                                        : 0;
}

static unsigned
count_items (DcmItem *item, const DcmTagKey &tag)
{
  DcmSequenceOfItems *items = NULL;

  return item->findAndGetSequence (tag, items).good () ? (unsigned) items->card () : 0;
}

// Names other windows and tables that the file offers.
static void
name_alternatives (DcmItem *item, OdlPicture *picture)
{
  const unsigned windows = count_values (item, DCM_WindowCenter);
  const unsigned tables = count_items (item, DCM_VOILUTSequence);

  if (windows > 1)
    odl_picture_detail (picture, "windows", "%u, the first is used", windows);
  if (tables > 1)
    odl_picture_detail (picture, "voi-luts", "%u, the first is used", tables);
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

void
odl_dicom_voi_read (const OdlDicomHeader *header,
                    DcmItem *dataset,
                    uint32_t frame,
                    OdlPicture *picture)
{
  DcmItem *item = odl_item_macro (dataset, DCM_FrameVOILUTSequence, frame);

  read_window (item, picture);
  read_table (header, item, picture);
  name_alternatives (item, picture);
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

  if (dataset->tagExistsWithValue (DCM_ShutterShape))
    odl_picture_warn (picture, _ ("its display shutter is not applied"));
  if (count_items (dataset, DCM_MaskSubtractionSequence) > 0)
    odl_picture_warn (picture, _ ("its mask is not subtracted; frames are shown as they "
                                  "were taken"));
  if (count_items (dataset, DCM_PresentationLUTSequence) > 0)
    odl_picture_warn (picture, _ ("its presentation table (Presentation LUT Sequence) is "
                                  "not applied"));
  if (grey && dataset->tagExistsWithValue (DCM_RedPaletteColorLookupTableDescriptor))
    odl_picture_warn (picture, _ ("its supplemental colours are not applied; all values "
                                  "are shown in grey"));
  if (has_curves (dataset))
    odl_picture_warn (picture, _ ("its curves (groups 50xx) are not drawn"));
}
