// SPDX-License-Identifier: MIT
// What says where a picture belongs: person, study, series, and its place in it.
#include "decoder/dicom/series.hpp"

#include <cstring>
#include <glib/gi18n-lib.h>

#include "decoder/dicom/person.h"
#include "decoder/dicom/text.hpp"
#include "image/volume/directions.h"

static void
put_text (DcmItem *item, const DcmTagKey &tag, const char *key, OdlPicture *picture)
{
  g_autofree char *text = odl_dicom_text (item, tag);

  if (*text != '\0')
    odl_picture_detail (picture, key, "%s", text);
}

// Numbers between backslashes; nothing unless all are there.
static void
put_numbers (DcmItem *item,
             const DcmTagKey &tag,
             unsigned n,
             const char *key,
             OdlPicture *picture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    double value = 0;
    if (!odl_item_number (item, tag, i, value) || !(value > -1e9 && value < 1e9))
      return;
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "",
                            g_ascii_formatd (number, sizeof number, "%.12g", value));
  }
  odl_picture_detail (picture, key, "%s", text->str);
}

// Tells whether two files are of one person, not who that is.
static void
put_person (DcmItem *dataset, OdlPicture *picture)
{
  g_autofree char *id = odl_dicom_text (dataset, DCM_PatientID);
  g_autofree char *issuer = odl_dicom_text (dataset, DCM_IssuerOfPatientID);
  g_autofree char *birth = odl_dicom_text (dataset, DCM_PatientBirthDate);
  g_autofree char *name = odl_dicom_text (dataset, DCM_PatientName);
  g_autofree char *person = odl_dicom_person (id, issuer, birth, name);

  odl_picture_detail (picture, "person", "%s", person);
}

// Of frames that may each have a direction of their own none is that of all.
static bool
has_one_direction (DcmItem *dataset)
{
  DcmItem *first = odl_item_in (dataset, DCM_PerFrameFunctionalGroupsSequence, 0);

  return first == NULL || !first->tagExists (DCM_PlaneOrientationSequence)
         || odl_item_in (dataset, DCM_PerFrameFunctionalGroupsSequence, 1) == NULL;
}

// Of radiographs, which have no direction in numbers. Quadrupeds have other letters.
static void
put_sides (DcmItem *dataset, OdlPicture *picture)
{
  OFString row, column;
  double cosines[6];
  const OFString stands = odl_item_text (dataset, DCM_AnatomicalOrientationType);

  if ((!stands.empty () && stands != "BIPED")
      || dataset->findAndGetOFString (DCM_PatientOrientation, row, 0).bad ()
      || dataset->findAndGetOFString (DCM_PatientOrientation, column, 1).bad ())
    return;
  g_autofree char *text = g_strdup_printf ("%s\\%s", row.c_str (), column.c_str ());
  if (odl_directions_parse_sides (text, cosines))
    odl_picture_detail (picture, "sides", "%s", text);
  else if (strspn (text, "\\ ") < strlen (text))
    odl_picture_warn (
        picture, _ ("its Patient Orientation is not understood: the picture shows no "
                    "sides of the patient"));
}

static void
put_patient (DcmItem *dataset, OdlPicture *picture)
{
  g_autofree char *name = odl_dicom_name (dataset, DCM_PatientName);

  if (*name != '\0')
    odl_picture_detail (picture, "patient-name", "%s", name);
  put_text (dataset, DCM_PatientID, "patient-id", picture);
  put_text (dataset, DCM_PatientBirthDate, "patient-birth", picture);
  put_text (dataset, DCM_PatientSex, "patient-sex", picture);
}

// The model of scanner, which its manufacturer alone does not tell.
static void
put_device (DcmItem *dataset, OdlPicture *picture)
{
  g_autofree char *maker = odl_dicom_text (dataset, DCM_Manufacturer);
  g_autofree char *model = odl_dicom_text (dataset, DCM_ManufacturerModelName);

  if (*model != '\0')
    odl_picture_detail (picture, "device", "%s%s%s", maker, *maker != '\0' ? " " : "",
                        model);
}

void
odl_dicom_series_read (DcmItem *dataset, uint32_t frame, OdlPicture *picture)
{
  DcmItem *position = odl_item_macro (dataset, DCM_PlanePositionSequence, frame);
  DcmItem *orientation = odl_item_macro (dataset, DCM_PlaneOrientationSequence, frame);

  put_person (dataset, picture);
  put_patient (dataset, picture);
  put_device (dataset, picture);
  put_text (dataset, DCM_StudyDate, "study-date", picture);
  put_text (dataset, DCM_StudyDescription, "study", picture);
  put_numbers (dataset, DCM_SeriesNumber, 1, "series-number", picture);
  put_text (dataset, DCM_SeriesDescription, "series", picture);
  put_text (dataset, DCM_BodyPartExamined, "body-part", picture);
  put_text (dataset, DCM_ImageType, "image-type", picture);
  // Of the picture, else of all in the series.
  put_text (dataset,
            dataset->tagExistsWithValue (DCM_ImageLaterality) ? DCM_ImageLaterality
                                                              : DCM_Laterality,
            "laterality", picture);
  put_text (dataset, DCM_AnatomicalOrientationType, "stands-on", picture);
  put_text (dataset, DCM_StudyInstanceUID, "study-instance", picture);
  put_text (dataset, DCM_SeriesInstanceUID, "series-instance", picture);
  put_numbers (dataset, DCM_InstanceNumber, 1, "instance-number", picture);
  put_text (dataset, DCM_ContentTime, "content-time", picture);
  put_numbers (dataset, DCM_TemporalPositionIdentifier, 1, "temporal-position", picture);
  put_numbers (dataset, DCM_TriggerTime, 1, "trigger-time", picture);
  put_text (dataset, DCM_AcquisitionTime, "acquisition-time", picture);
  // In which positions of one mean the same as those of another.
  put_text (dataset, DCM_FrameOfReferenceUID, "frame-of-reference", picture);
  put_numbers (position, DCM_ImagePositionPatient, 3, "image-position", picture);
  if (!orientation->tagExistsWithValue (DCM_ImageOrientationPatient))
    put_sides (dataset, picture);
  if (has_one_direction (dataset))
    put_numbers (orientation, DCM_ImageOrientationPatient, 6, "image-orientation",
                 picture);
}
