// SPDX-License-Identifier: MIT
#include "decoder/dicom/voi.hpp"

#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"
#include "decoder/dicom/windows.hpp"
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

void
odl_dicom_voi_read (const OdlDicomHeader *header,
                    DcmItem *dataset,
                    uint32_t frame,
                    OdlPicture *picture)
{
  DcmItem *item = odl_item_macro (dataset, DCM_FrameVOILUTSequence, frame);

  if (odl_dicom_windows_read (header, dataset, item, picture))
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
