// SPDX-License-Identifier: MIT
// How a picture is looked at and what is drawn over it, as a Grayscale Softcopy
// Presentation State (PS3.3 A.33.1).
#include "decoder/dicom/said.hpp"

#include <cmath>
#include <cstring>

#define LAYER "MEASUREMENTS"
#define RATIO_UNIT 1000 // of a height, as a whole number

static void
put_number (DcmItem *item, const DcmTag &tag, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  odl_derive_put (item, tag, g_ascii_formatd (text, sizeof text, "%.10g", value));
}

// Memory that cannot be had is another error.
static DcmItem *
add_item (DcmItem *parent, const DcmTag &sequence)
{
  DcmItem *item = NULL;

  if (parent->findOrCreateSequenceItem (sequence, item, -2).bad ())
    throw std::bad_alloc ();
  return item;
}

// A state is told from others by its label (PS3.3 C.11.10); nobody has said who made it.
static void
put_name (DcmItem *root)
{
  odl_derive_put (root, DCM_ContentLabel, LAYER);
  odl_derive_put (root, DCM_ContentDescription, "Window and measurements");
  root->insertEmptyElement (DCM_ContentCreatorName);
  odl_derive_put (root, DCM_PresentationCreationDate,
                  odl_item_text (root, DCM_SeriesDate).c_str ());
  odl_derive_put (root, DCM_PresentationCreationTime,
                  odl_item_text (root, DCM_SeriesTime).c_str ());
}

static void
put_reference (DcmItem *root, const OdlSaidPicture *picture)
{
  DcmItem *series = add_item (root, DCM_ReferencedSeriesSequence);

  odl_derive_put (series, DCM_SeriesInstanceUID, picture->series.c_str ());
  odl_said_refer (series, DCM_ReferencedImageSequence, picture);
}

// ---- Values --------------------------------------------------------------------------

// What values of the window are, as the picture says it (PS3.3 C.11.1).
static void
put_modality (const OdlDicomHeader *header,
              DcmItem *dataset,
              DcmItem *root,
              uint32_t frame)
{
  DcmItem *item = odl_item_macro (dataset, DCM_PixelValueTransformationSequence, frame);
  DcmElement *table = NULL;
  double slope = 1, intercept = 0;

  if (header->modality.values != NULL) {
    if (dataset->findAndGetElement (DCM_ModalityLUTSequence, table, false, true).good ()
        && root->insert (table, true).bad ())
      delete table;
    return;
  }
  if (!odl_item_number (item, DCM_RescaleSlope, 0, slope)
      || !odl_item_number (item, DCM_RescaleIntercept, 0, intercept)
      || !(fabs (slope) > 1e-15 && fabs (slope) < 1e15 && fabs (intercept) < 1e15))
    return;
  const OFString type = odl_item_text (item, DCM_RescaleType);
  const bool is_ct = odl_item_text (dataset, DCM_Modality) == "CT";
  put_number (root, DCM_RescaleIntercept, intercept);
  put_number (root, DCM_RescaleSlope, slope);
  odl_derive_put (root, DCM_RescaleType,
                  !type.empty () ? type.c_str ()
                  : is_ct        ? "HU"
                                 : "US");
}

// A table of fewer bits, with a word for each entry, as one of 16: states have these, or
// two entries in a word.
static void
widen (DcmItem *table)
{
  DcmElement *descriptor = NULL;
  const Uint16 *levels = NULL;
  unsigned long n = 0;
  double bits = 0, n_entries = 0;

  odl_item_number (table, DCM_LUTDescriptor, 0, n_entries);
  odl_item_number (table, DCM_LUTDescriptor, 2, bits);
  if (!(bits >= 8 && bits < 16)
      || table->findAndGetElement (DCM_LUTDescriptor, descriptor).bad ()
      || table->findAndGetUint16Array (DCM_LUTData, levels, &n).bad ()
      || (double) n != n_entries)
    return;
  const double top = exp2 (bits) - 1;
  std::vector<Uint16> wide (levels, levels + n);
  for (Uint16 &level : wide)
    level = (Uint16) (MIN (level, top) * 65535 / top + 0.5);
  if (descriptor->putUint16 (16, 2).good () || descriptor->putSint16 (16, 2).good ())
    table->putAndInsertUint16Array (DCM_LUTData, wide.data (), n);
}

static void
put_window (DcmItem *dataset, DcmItem *root, const OdlDecoderSaid *order)
{
  static const char *const functions[] = { NULL, "LINEAR_EXACT", "SIGMOID" };
  DcmItem *voi = add_item (root, DCM_SoftcopyVOILUTSequence);
  DcmItem *table = order->use_table ? odl_item_in (dataset, DCM_VOILUTSequence, 0) : NULL;

  if (table != NULL) {
    DcmItem *copy = add_item (voi, DCM_VOILUTSequence);
    *copy = *table;
    widen (copy);
    return;
  }
  put_number (voi, DCM_WindowCenter, order->window_centre);
  put_number (voi, DCM_WindowWidth, order->window_width);
  if (functions[order->function] != NULL)
    odl_derive_put (voi, DCM_VOILUTFunction, functions[order->function]);
}

// ---- The view ------------------------------------------------------------------------

static void
put_turn (DcmItem *root, const OdlDecoderSaid *order)
{
  root->putAndInsertUint16 (DCM_ImageRotation, (Uint16) (90 * order->quarter_turns));
  odl_derive_put (root, DCM_ImageHorizontalFlip, order->flip ? "Y" : "N");
}

static void
put_corner (DcmItem *area, const DcmTag &tag, const int32_t *corner)
{
  const Sint32 values[] = { corner[0], corner[1] };
  DcmSignedLong *element = new DcmSignedLong (tag);

  if (element->putSint32Array (values, 2).bad () || area->insert (element, true).bad ())
    delete element;
}

static void
put_area (DcmItem *root, const OdlDecoderSaid *order)
{
  DcmItem *area = add_item (root, DCM_DisplayedAreaSelectionSequence);
  char text[64];

  put_corner (area, DCM_DisplayedAreaTopLeftHandCorner, order->corners);
  put_corner (area, DCM_DisplayedAreaBottomRightHandCorner, order->corners + 2);
  odl_derive_put (area, DCM_PresentationSizeMode, "SCALE TO FIT");
  if (order->spacing_mm[0] > 0 && order->spacing_mm[1] > 0) {
    char down[G_ASCII_DTOSTR_BUF_SIZE], across[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (down, sizeof down, "%.8g", order->spacing_mm[1]);
    g_ascii_formatd (across, sizeof across, "%.8g", order->spacing_mm[0]);
    g_snprintf (text, sizeof text, "%s\\%s", down, across);
    odl_derive_put (area, DCM_PresentationPixelSpacing, text);
    return;
  }
  const bool square = order->pixel_aspect == 1;
  g_snprintf (text, sizeof text, "%d\\%.0f", square ? 1 : RATIO_UNIT,
              square ? 1 : CLAMP (RATIO_UNIT * order->pixel_aspect, 1, 1e6));
  odl_derive_put (area, DCM_PresentationPixelAspectRatio, text);
}

// ---- What is drawn -------------------------------------------------------------------

static void
add_object (DcmItem *annotation, const OdlSaidMark *mark)
{
  const bool is_ellipse = mark->mark->form == ODL_MARK_ELLIPSE;
  const bool is_line = mark->mark->form == ODL_MARK_LINE;
  DcmItem *object = add_item (annotation, DCM_GraphicObjectSequence);

  odl_derive_put (object, DCM_GraphicAnnotationUnits, "PIXEL");
  object->putAndInsertUint16 (DCM_GraphicDimensions, 2);
  object->putAndInsertUint16 (DCM_NumberOfGraphicPoints, (Uint16) mark->mark->n_points);
  object->putAndInsertFloat32Array (DCM_GraphicData, mark->points,
                                    2 * (unsigned long) mark->mark->n_points);
  odl_derive_put (object, DCM_GraphicType, is_ellipse ? "ELLIPSE" : "POLYLINE");
  if (!is_line)
    odl_derive_put (object, DCM_GraphicFilled, "N");
}

static void
add_words (DcmItem *annotation, const OdlSaidMark *mark)
{
  DcmItem *text = add_item (annotation, DCM_TextObjectSequence);

  odl_derive_put (text, DCM_AnchorPointAnnotationUnits, "PIXEL");
  odl_derive_put (text, DCM_UnformattedTextValue, mark->words.c_str ());
  text->putAndInsertFloat32Array (DCM_AnchorPoint, mark->mark->anchor, 2);
  odl_derive_put (text, DCM_AnchorPointVisibility, "N");
}

static void
put_graphics (DcmItem *root, const OdlSaid *said)
{
  if (said->marks.empty ())
    return;
  DcmItem *layer = add_item (root, DCM_GraphicLayerSequence);
  odl_derive_put (layer, DCM_GraphicLayer, LAYER);
  odl_derive_put (layer, DCM_GraphicLayerOrder, "1");
  DcmItem *annotation = add_item (root, DCM_GraphicAnnotationSequence);
  odl_derive_put (annotation, DCM_GraphicLayer, LAYER);
  for (const OdlSaidMark &mark : said->marks) {
    if (mark.mark->n_points > 1)
      add_object (annotation, &mark);
    if (!mark.words.empty ())
      add_words (annotation, &mark);
  }
}

GByteArray *
odl_dicom_state (const OdlDicomHeader *header,
                 const OdlDicomSpace *space,
                 DcmDataset &dataset,
                 GError **error)
{
  OdlSaid said;
  OdlSaidPicture picture;
  DcmDataset root;

  if (!odl_said_take_order (&said, error)
      || !odl_said_begin (
          header, space, dataset, &said, UID_GrayscaleSoftcopyPresentationStateStorage,
          "PR", "Presentation state, not for diagnosis", &picture, &root, error))
    return NULL;
  put_name (&root);
  // Empty means that it is not known.
  odl_derive_put (&root, DCM_Laterality,
                  odl_item_text (&dataset, DCM_Laterality).c_str ());
  put_reference (&root, &picture);
  put_modality (header, &dataset, &root, said.order.frame);
  put_window (&dataset, &root, &said.order);
  odl_derive_put (&root, DCM_PresentationLUTShape,
                  said.order.inverse ? "INVERSE" : "IDENTITY");
  put_turn (&root, &said.order);
  put_area (&root, &said.order);
  put_graphics (&root, &said);
  return odl_derive_bytes (root, EXS_LittleEndianExplicit, error);
}
