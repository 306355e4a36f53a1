// SPDX-License-Identifier: MIT
#include "decoder/dicom/object.hpp"

#include <cstring>
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "decoder/dicom/series.hpp"
#include "decoder/dicom/text.hpp"

#define CLASSES "1.2.840.10008.5.1.4.1.1."

namespace {

struct Kind {
  const char *begins; // its SOP class, or what all of them begin with
  const char *word;
};

}

// The first one that fits is taken.
static const Kind kinds[] = {
  { CLASSES "66.4", "segments" },    { CLASSES "66.7", "segments" },
  { CLASSES "481.3", "structures" }, { CLASSES "88.59", "keys" },
  { CLASSES "88.", "report" },       { CLASSES "11.", "state" },
};

static const Kind *
find_kind (const OFString &sop_class)
{
  for (const Kind &kind : kinds) {
    const size_t length = strlen (kind.begins);
    if (strncmp (sop_class.c_str (), kind.begins, length) == 0
        && (sop_class.length () == length || kind.begins[length - 1] == '.'))
      return &kind;
  }
  return NULL;
}

// The first item of a sequence; NULL: there is none, or no `item`.
static DcmItem *
first_in (DcmItem *item, const DcmTagKey &tag)
{
  return item != NULL ? odl_item_in (item, tag, 0) : NULL;
}

static unsigned long
count_items (DcmItem *item, const DcmTagKey &tag)
{
  DcmSequenceOfItems *sequence = NULL;

  return item->findAndGetSequence (tag, sequence).good () && sequence != NULL
             ? sequence->card ()
             : 0;
}

// Pictures that a key object names.
static unsigned long
count_pictures (DcmItem *item)
{
  DcmSequenceOfItems *content = NULL;
  unsigned long n = 0;

  if (item->findAndGetSequence (DCM_ContentSequence, content).bad () || content == NULL)
    return 0;
  for (DcmObject *inner = content->nextInContainer (NULL); inner != NULL;
       inner = content->nextInContainer (inner))
    n += odl_item_text (static_cast<DcmItem *> (inner), DCM_ValueType) == "IMAGE";
  return n;
}

static unsigned long
count_parts (DcmItem *item, const char *kind)
{
  if (strcmp (kind, "structures") == 0)
    return count_items (item, DCM_StructureSetROISequence);
  if (strcmp (kind, "segments") == 0)
    return count_items (item, DCM_SegmentSequence);
  return strcmp (kind, "keys") == 0 ? count_pictures (item) : 0;
}

// The words of the first of these attributes that has some. g_free.
static char *
find_title (DcmItem *item)
{
  static const DcmTagKey tags[]
      = { DCM_StructureSetLabel, DCM_SeriesDescription, DCM_ContentLabel };
  DcmItem *concept_name = first_in (item, DCM_ConceptNameCodeSequence);

  if (concept_name != NULL)
    return odl_character_set_decode (
        odl_item_text (concept_name, DCM_CodeMeaning).c_str (),
        odl_dicom_character_set (item));
  for (const DcmTagKey &tag : tags) {
    g_autofree char *text = odl_dicom_text (item, tag);
    if (*text != '\0')
      return static_cast<char *> (g_steal_pointer (&text));
  }
  return g_strdup ("");
}

static OFString
find_space (DcmItem *item)
{
  DcmItem *region = first_in (item, DCM_StructureSetROISequence);

  return region != NULL ? odl_item_text (region, DCM_ReferencedFrameOfReferenceUID)
                        : odl_item_text (item, DCM_FrameOfReferenceUID);
}

// The series of the pictures that it is about.
static OFString
find_series (DcmItem *item)
{
  DcmItem *evidence = first_in (item, DCM_CurrentRequestedProcedureEvidenceSequence);
  DcmItem *space = first_in (item, DCM_ReferencedFrameOfReferenceSequence);
  DcmItem *study = first_in (space, DCM_RTReferencedStudySequence);
  DcmItem *series = first_in (study, DCM_RTReferencedSeriesSequence);

  if (series == NULL)
    series = first_in (evidence != NULL ? evidence : item, DCM_ReferencedSeriesSequence);
  return series != NULL ? odl_item_text (series, DCM_SeriesInstanceUID) : OFString ();
}

bool
odl_dicom_object_read (DcmDataset &dataset, OdlPicture *picture, GError **error)
{
  const Kind *kind = find_kind (odl_item_text (&dataset, DCM_SOPClassUID));

  if (kind == NULL)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is no report and no outline of DICOM"));
  g_autofree char *title = find_title (&dataset);
  odl_dicom_series_read (&dataset, 0, picture);
  odl_picture_detail (picture, "sop-instance", "%s",
                      odl_item_text (&dataset, DCM_SOPInstanceUID).c_str ());
  odl_picture_detail (picture, "modality", "%s",
                      odl_item_text (&dataset, DCM_Modality).c_str ());
  odl_picture_detail (picture, "object", "%s", kind->word);
  odl_picture_detail (picture, "object-title", "%s", title);
  odl_picture_detail (picture, "object-parts", "%lu", count_parts (&dataset, kind->word));
  odl_picture_detail (picture, "object-space", "%s", find_space (&dataset).c_str ());
  odl_picture_detail (picture, "object-of", "%s", find_series (&dataset).c_str ());
  return true;
}
