// SPDX-License-Identifier: MIT
// Which identifiers a derived file has where its source has none.
#include "decoder/dicom/derive.hpp"

#include <glib.h>

#include "decoder/dicom/item.hpp"

// What identifiers are made from: those of the source, or, of files from before DICOM
// that have none, what tells their pictures, studies and series from others.
struct Origin {
  OFString instance, study, series;
};

OdlDeriveOrigin
odl_derive_origin (DcmItem *dataset, const OdlDicomScan *scan)
{
  static const DcmTagKey of_study[]
      = { DCM_PatientName, DCM_PatientID, DCM_StudyDate, DCM_StudyID };
  OdlDeriveOrigin origin = { odl_item_text (dataset, DCM_SOPInstanceUID), "",
                             odl_item_text (dataset, DCM_SeriesInstanceUID) };

  for (const DcmTagKey &tag : of_study)
    origin.study += odl_item_text (dataset, tag) + "\n";
  if (origin.series.empty ())
    origin.series = origin.study + odl_item_text (dataset, DCM_SeriesNumber) + "\n"
                    + odl_item_text (dataset, DCM_Modality);
  if (origin.instance.empty ()) {
    g_autofree char *sum
        = g_compute_checksum_for_data (G_CHECKSUM_SHA256, scan->data, scan->size);
    origin.instance = sum;
  }
  return origin;
}

// Files from before DICOM do not say what they are: then they become a secondary capture,
// with all that such an object must have.
void
odl_derive_put_class (DcmItem *dataset,
                      const OdlDeriveOrigin &origin,
                      const OdlDecoderDerive *order)
{
  static const DcmTagKey must_be_there[]
      = { DCM_StudyDate,         DCM_StudyTime,
          DCM_AccessionNumber,   DCM_ReferringPhysicianName,
          DCM_PatientName,       DCM_PatientID,
          DCM_PatientBirthDate,  DCM_PatientSex,
          DCM_StudyID,           DCM_Laterality,
          DCM_SeriesNumber,      DCM_InstanceNumber,
          DCM_PatientOrientation };

  if (odl_item_text (dataset, DCM_SOPInstanceUID).empty ())
    odl_derive_put (
        dataset, DCM_SOPInstanceUID,
        odl_derive_uid (order->secret, "instance", origin.instance.c_str ()).c_str ());
  if (!odl_item_text (dataset, DCM_SOPClassUID).empty ())
    return;
  odl_derive_put (dataset, DCM_SOPClassUID, UID_SecondaryCaptureImageStorage);
  odl_derive_put (dataset, DCM_ConversionType, "WSD");
  for (const DcmTagKey &tag : must_be_there)
    if (!dataset->tagExists (tag))
      dataset->insertEmptyElement (tag);
  if (odl_item_text (dataset, DCM_StudyInstanceUID).empty ())
    odl_derive_put (
        dataset, DCM_StudyInstanceUID,
        odl_derive_uid (order->secret, "study", origin.study.c_str ()).c_str ());
  if (odl_item_text (dataset, DCM_SeriesInstanceUID).empty ())
    odl_derive_put (
        dataset, DCM_SeriesInstanceUID,
        odl_derive_uid (order->secret, "series", origin.series.c_str ()).c_str ());
}
