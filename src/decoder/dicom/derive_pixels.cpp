// SPDX-License-Identifier: MIT
// The image pixel module of a derived file, and what depends on it (PS3.3 C.7.6.3).
#include "decoder/dicom/derive.hpp"

#include <cstring>
#include <vector>

static void
put_short (DcmItem *item, const DcmTagKey &tag, uint32_t value)
{
  // The old element may be of another type.
  item->findAndDeleteElement (tag);
  item->putAndInsertUint16 (tag, (Uint16) value);
}

static void
put_number (DcmItem *item, const DcmTagKey &tag, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  // Decimal strings have 16 characters at most.
  for (int digits = 12; digits > 0; digits--) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    if (strlen (g_ascii_formatd (text, sizeof text, format, value)) <= 16)
      break;
  }
  odl_derive_put (item, tag, text);
}

// Tables of colours, whose indices the pixels no longer are.
static const DcmTagKey palette[] = {
  DCM_RedPaletteColorLookupTableDescriptor,
  DCM_GreenPaletteColorLookupTableDescriptor,
  DCM_BluePaletteColorLookupTableDescriptor,
  DCM_AlphaPaletteColorLookupTableDescriptor,
  DCM_RedPaletteColorLookupTableData,
  DCM_GreenPaletteColorLookupTableData,
  DCM_BluePaletteColorLookupTableData,
  DCM_AlphaPaletteColorLookupTableData,
  DCM_SegmentedRedPaletteColorLookupTableData,
  DCM_SegmentedGreenPaletteColorLookupTableData,
  DCM_SegmentedBluePaletteColorLookupTableData,
  DCM_PaletteColorLookupTableUID,
};

// What grey values mean, and how they are shown: nothing of colours.
static const DcmTagKey grey[] = {
  DCM_RescaleSlope,
  DCM_RescaleIntercept,
  DCM_RescaleType,
  DCM_WindowCenter,
  DCM_WindowWidth,
  DCM_WindowCenterWidthExplanation,
  DCM_VOILUTFunction,
  DCM_VOILUTSequence,
  DCM_ModalityLUTSequence,
  DCM_PresentationLUTShape,
  DCM_PixelIntensityRelationship,
  DCM_PixelIntensityRelationshipSign,
};

// The pixels are values of the table now.
static void
apply_modality (DcmItem *dataset)
{
  OFString type;
  DcmItem *item = odl_item_in (dataset, DCM_ModalityLUTSequence, 0);

  if (item != NULL)
    type = odl_item_text (item, DCM_ModalityLUTType);
  dataset->findAndDeleteElement (DCM_ModalityLUTSequence);
  odl_derive_put (dataset, DCM_RescaleIntercept, "0");
  odl_derive_put (dataset, DCM_RescaleSlope, "1");
  odl_derive_put (dataset, DCM_RescaleType, type.empty () ? "US" : type.c_str ());
}

static void
put_window (DcmItem *dataset, const OdlDecoderDerive *order)
{
  const bool has_one = dataset->tagExistsWithValue (DCM_WindowCenter)
                       || dataset->tagExists (DCM_VOILUTSequence)
                       || dataset->tagExists (DCM_PerFrameFunctionalGroupsSequence);

  if (order->has_window == 0 || (order->has_window == 2 && has_one)
      || !(order->window_width > 0))
    return;
  static const DcmTagKey tags[]
      = { DCM_WindowCenterWidthExplanation, DCM_VOILUTFunction, DCM_VOILUTSequence };
  odl_derive_remove (dataset, tags);
  put_number (dataset, DCM_WindowCenter, order->window_centre);
  put_number (dataset, DCM_WindowWidth, order->window_width);
}

// Groups 6000 to 60FE. Those whose bits are in the pixels go with the bits.
static void
remove_overlays (DcmItem *dataset, bool part_of_frames)
{
  std::vector<DcmTagKey> tags;

  for (unsigned group = 0x6000; group <= 0x60FE; group += 2) {
    const DcmTagKey data ((Uint16) group, 0x3000), frames ((Uint16) group, 0x0015);
    if (dataset->tagExists (data) && !(part_of_frames && dataset->tagExists (frames)))
      continue;
    for (DcmObject *object = dataset->nextInContainer (NULL); object != NULL;
         object = dataset->nextInContainer (object))
      if (object->getGTag () == group)
        tags.push_back (object->getTag ());
  }
  for (const DcmTagKey &tag : tags)
    dataset->findAndDeleteElement (tag);
}

// ---- Frames ----

// Keeps the values of some of `n` frames of a vector with one value for each.
static void
cut_vector (DcmItem *dataset,
            const DcmTagKey &tag,
            uint32_t n,
            const OdlDecoderDerive *order)
{
  DcmElement *element = NULL;
  OFString text, part;

  if (dataset->findAndGetElement (tag, element).bad () || element->ident () == EVR_SQ
      || element->getVM () != n)
    return;
  if (element->ident () == EVR_US) {
    std::vector<Uint16> values;
    for (uint32_t i = 0; i < order->n_frames; i++) {
      Uint16 value = 0;
      element->getUint16 (value, order->first_frame + i);
      values.push_back (value);
    }
    element->putUint16Array (values.data (), (unsigned long) values.size ());
    return;
  }
  for (uint32_t i = 0; i < order->n_frames; i++) {
    if (element->getOFString (part, order->first_frame + i).bad ())
      return;
    text += (i > 0 ? "\\" : "") + part;
  }
  element->putString (text.c_str ());
}

static void
cut_groups (DcmItem *dataset, const OdlDecoderDerive *order)
{
  DcmSequenceOfItems *sequence = NULL;

  if (dataset->findAndGetSequence (DCM_PerFrameFunctionalGroupsSequence, sequence).bad ())
    return;
  while (sequence->card () > (unsigned long) order->first_frame + order->n_frames)
    delete sequence->remove (sequence->card () - 1);
  for (uint32_t i = 0; i < order->first_frame && sequence->card () > 0; i++)
    delete sequence->remove ((unsigned long) 0);
}

static void
put_frames (const OdlDicomHeader *header, DcmItem *dataset, const OdlDecoderDerive *order)
{
  static const DcmTagKey by_number[] = { DCM_RepresentativeFrameNumber,
                                         DCM_FrameNumbersOfInterest,
                                         DCM_FrameOfInterestDescription,
                                         DCM_FrameOfInterestType,
                                         DCM_StartTrim,
                                         DCM_StopTrim };
  char number[16];

  if (!dataset->tagExists (DCM_NumberOfFrames) && order->n_frames == 1)
    return;
  g_snprintf (number, sizeof number, "%u", order->n_frames);
  odl_derive_put (dataset, DCM_NumberOfFrames, number);
  if (order->n_frames == header->frames)
    return;
  odl_derive_remove (dataset, by_number);
  cut_groups (dataset, order);
  DcmElement *pointer = NULL;
  if (dataset->findAndGetElement (DCM_FrameIncrementPointer, pointer).bad ()
      || pointer->ident () != EVR_AT)
    return;
  for (unsigned long i = 0; i < pointer->getVM (); i++) {
    DcmTagKey tag;
    if (static_cast<DcmAttributeTag *> (pointer)->getTagVal (tag, i).good ())
      cut_vector (dataset, tag, header->frames, order);
  }
}

// ---- Pixels ----

static const char *
photometric (const OdlDicomHeader *header, const OdlDecoderDerive *order)
{
  if (order->channels == 3)
    return order->compression == ODL_DERIVE_JPEG_2000 ? "YBR_RCT" : "RGB";
  return header->colour == ODL_DICOM_GREY_INVERSE ? "MONOCHROME1" : "MONOCHROME2";
}

void
odl_derive_pixels (const OdlDicomHeader *header,
                   DcmDataset &dataset,
                   const OdlDecoderDerive *order)
{
  static const DcmTagKey padding[]
      = { DCM_PixelPaddingValue, DCM_PixelPaddingRangeLimit };
  const bool was_grey = header->samples == 1 && header->colour != ODL_DICOM_PALETTE;

  if ((order->flags & ODL_DERIVE_FILTERED) != 0 || !was_grey)
    odl_derive_remove (&dataset, padding);
  if (header->colour == ODL_DICOM_PALETTE)
    odl_derive_remove (&dataset, palette);
  if (order->channels == 3)
    odl_derive_remove (&dataset, grey);
  else if (header->modality.values != NULL)
    apply_modality (&dataset);
  remove_overlays (&dataset, order->n_frames != header->frames);

  put_short (&dataset, DCM_SamplesPerPixel, order->channels);
  odl_derive_put (&dataset, DCM_PhotometricInterpretation, photometric (header, order));
  dataset.findAndDeleteElement (DCM_PlanarConfiguration);
  if (order->channels == 3)
    put_short (&dataset, DCM_PlanarConfiguration, 0);
  put_short (&dataset, DCM_Rows, order->height);
  put_short (&dataset, DCM_Columns, order->width);
  put_short (&dataset, DCM_BitsAllocated, order->bits <= 8 ? 8 : 16);
  put_short (&dataset, DCM_BitsStored, order->bits);
  put_short (&dataset, DCM_HighBit, order->bits - 1);
  put_short (&dataset, DCM_PixelRepresentation, order->is_signed);
  put_frames (header, &dataset, order);
  if (order->channels == 1)
    put_window (&dataset, order);
}

void
odl_derive_put_losses (const OdlDicomHeader *header,
                       const OdlDicomScan *scan,
                       DcmItem *dataset,
                       const OdlDecoderDerive *order)
{
  if ((order->flags & ODL_DERIVE_LOSSY) == 0 && !header->lossy)
    return;
  odl_derive_put (dataset, DCM_LossyImageCompression, "01");
  if (dataset->tagExistsWithValue (DCM_LossyImageCompressionRatio) || !scan->encapsulated
      || scan->pixels.size == 0)
    return;
  const double bytes = (double) header->rows * header->columns * header->samples
                       * header->frames * (header->bits_allocated / 8);
  char ratio[G_ASCII_DTOSTR_BUF_SIZE];
  odl_derive_put (
      dataset, DCM_LossyImageCompressionRatio,
      g_ascii_formatd (ratio, sizeof ratio, "%.4g", bytes / (double) scan->pixels.size));
}
