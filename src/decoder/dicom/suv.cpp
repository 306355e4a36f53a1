// SPDX-License-Identifier: MIT
#include "decoder/dicom/suv.hpp"

#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>

#define GRAMS_PER_KG 1000.0
#define DAY_S 86400.0

// ---- Times ---------------------------------------------------------------------------

// Days since some day. False: it is no date.
static bool
parse_date (const char *text, double *days)
{
  if (strlen (text) < 8 || strspn (text, "0123456789") < 8)
    return false;
  g_autofree char *year = g_strndup (text, 4), *month = g_strndup (text + 4, 2),
                  *day = g_strndup (text + 6, 2);
  const int y = atoi (year), m = atoi (month), d = atoi (day);
  if (!g_date_valid_dmy ((GDateDay) d, (GDateMonth) m, (GDateYear) y))
    return false;
  GDate date;
  g_date_clear (&date, 1);
  g_date_set_dmy (&date, (GDateDay) d, (GDateMonth) m, (GDateYear) y);
  *days = g_date_get_julian (&date);
  return true;
}

// "HHMMSS.FFFFFF", of which the end may be missing, as seconds.
static bool
parse_time (const char *text, double *seconds)
{
  const size_t digits = strspn (text, "0123456789");
  char *end = NULL;

  if (digits != 2 && digits != 4 && digits != 6)
    return false;
  g_autofree char *whole = g_strndup (text, digits);
  const int number = atoi (whole);
  const double fraction
      = digits == 6 && text[6] == '.' ? g_ascii_strtod (text + 6, &end) : 0;
  const int s = digits == 6 ? number % 100 : 0;
  const int m = digits == 6 ? number / 100 % 100 : digits == 4 ? number % 100 : 0;
  const int h = digits == 6 ? number / 10000 : digits == 4 ? number / 100 : number;
  *seconds = 3600.0 * h + 60.0 * m + s + fraction;
  return h < 24 && m < 60 && s <= 60;
}

// Seconds since some day.
static bool
read_moment (DcmItem *dataset, const DcmTagKey &date, const DcmTagKey &time, double *at)
{
  double days = 0, seconds = 0;

  if (!parse_date (odl_item_text (dataset, date).c_str (), &days)
      || !parse_time (odl_item_text (dataset, time).c_str (), &seconds))
    return false;
  *at = days * DAY_S + seconds;
  return true;
}

// When it was injected. A time without a date is of the day of the scan.
static bool
read_injection (DcmItem *tracer, double scan, double *at)
{
  const OFString whole = odl_item_text (tracer, DCM_RadiopharmaceuticalStartDateTime);
  double days = 0, seconds = 0;

  if (whole.length () >= 14 && parse_date (whole.c_str (), &days)) {
    g_autofree char *time = g_strndup (whole.c_str () + 8, 6);
    if (parse_time (time, &seconds)) {
      *at = days * DAY_S + seconds;
      return true;
    }
  }
  if (!parse_time (odl_item_text (tracer, DCM_RadiopharmaceuticalStartTime).c_str (),
                   &seconds))
    return false;
  *at = floor (scan / DAY_S) * DAY_S + seconds;
  return true;
}

// ---- The factor ----------------------------------------------------------------------

// The dose that is left when the scan begins, Bq; NULL, or why it is not known.
static const char *
find_dose (DcmItem *dataset, double *dose)
{
  DcmItem *tracer = odl_item_in (dataset, DCM_RadiopharmaceuticalInformationSequence, 0);
  const OFString correction = odl_item_text (dataset, DCM_DecayCorrection);
  double half_life = 0, scan = 0, acquired = 0, injected = 0;

  if (tracer == NULL || !odl_item_number (tracer, DCM_RadionuclideTotalDose, 0, *dose)
      || !(*dose > 0 && *dose < 1e15))
    return N_ ("it does not say how much was injected");
  if (correction == "ADMIN")
    return NULL;
  if (correction != "START")
    return N_ ("it does not say to which time its decay is corrected");
  if (!odl_item_number (tracer, DCM_RadionuclideHalfLife, 0, half_life)
      || !(half_life > 0 && half_life < 1e12))
    return N_ ("it does not say the half-life of what was injected");
  if (!read_moment (dataset, DCM_SeriesDate, DCM_SeriesTime, &scan)
      || !read_moment (dataset, DCM_AcquisitionDate, DCM_AcquisitionTime, &acquired))
    return N_ ("it does not say when it was taken");
  if (scan > acquired)
    return N_ ("its series has a later time than the picture, which was then made anew");
  if (!read_injection (tracer, scan, &injected))
    return N_ ("it does not say when the dose was injected");
  if (injected > scan || scan - injected > DAY_S)
    return N_ ("the dose was injected after the scan, or more than a day before");
  *dose *= exp2 (-(scan - injected) / half_life);
  return NULL;
}

static const char *
find_factor (DcmItem *dataset, const OFString &units, double *factor)
{
  DcmElement *corrections = NULL;
  OFString corrected;
  double weight = 0, dose = 0;

  if (dataset->findAndGetElement (DCM_CorrectedImage, corrections).good ())
    corrections->getOFStringArray (corrected);
  if (corrected.find ("ATTN") == OFString_npos
      || corrected.find ("DECY") == OFString_npos)
    return N_ ("it is not corrected for attenuation and decay");
  *factor = 1;
  if (units == "GML")
    return NULL;
  if (units != "BQML")
    return N_ ("its values are no activity (Bq/ml)");
  if (!odl_item_number (dataset, DCM_PatientWeight, 0, weight)
      || !(weight > 0 && weight < 1000))
    return N_ ("it does not say the patient’s weight");
  const char *why = find_dose (dataset, &dose);
  *factor = weight * GRAMS_PER_KG / dose;
  return why;
}

OFString
odl_dicom_pet_unit (DcmItem *dataset)
{
  static const struct {
    const char *word, *unit;
  } units[] = { { "BQML", "Bq/ml" },   { "GML", "g/ml" }, { "CNTS", "counts" },
                { "CPS", "counts/s" }, { "PCNT", "%" },   { "NONE", "" } };
  const OFString word = odl_item_text (dataset, DCM_Units);

  if (odl_item_text (dataset, DCM_Modality) != "PT")
    return "";
  for (const auto &row : units)
    if (word == row.word)
      return row.unit;
  return word;
}

void
odl_dicom_suv (DcmItem *dataset, OdlPicture *picture)
{
  const OFString units = odl_item_text (dataset, DCM_Units);
  double factor = 0;

  if (odl_item_text (dataset, DCM_Modality) != "PT" || units.empty ())
    return;
  odl_picture_detail (picture, "pet-units", "%s", units.c_str ());
  const char *why = find_factor (dataset, units, &factor);
  if (why != NULL) {
    odl_picture_detail (picture, "suv-unknown", "%s", _ (why));
    return;
  }
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  odl_picture_detail (picture, "suv-factor", "%s",
                      g_ascii_formatd (text, sizeof text, "%.9g", factor));
}
