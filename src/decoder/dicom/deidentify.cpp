// SPDX-License-Identifier: MIT
// De-identification by the Basic Application Level Confidentiality Profile (PS3.15, E.2).
#include "config.h"

#include <cstring>
#include <unordered_map>
#include <vector>

#include "decoder/dicom/deidentify_table.h"
#include "decoder/dicom/derive.hpp"

#define STANDARD_ROOT "1.2.840.10008."
#define DUMMY "REMOVED"
#define DUMMY_DATE "19000101"

namespace {

typedef std::unordered_map<uint32_t, char> Actions;

struct Work {
  const OdlDecoderDerive *order;
  Actions actions;
  OFString pseudonym; // of the patient
};

}

static Actions
read_table ()
{
  Actions actions;

  for (const OdlDeidentifyRow &row : odl_deidentify_rows)
    for (const char *at = row.elements; *at != '\0';) {
      char *end = NULL;
      const unsigned long element = strtoul (at, &end, 16);
      actions[(uint32_t) row.group << 16 | (uint32_t) element] = row.action;
      at = *end == ' ' ? end + 1 : end;
    }
  return actions;
}

// What happens to elements that have no row.
static char
usual_action (const DcmTag &tag, DcmEVR vr)
{
  const Uint16 group = tag.getGroup ();

  if ((group >= 0x5000 && group < 0x5100) || (group >= 0x6000 && group < 0x6100))
    return 'X';
  switch (vr) {
  case EVR_SQ:
    return ' ';
  case EVR_UI:
    return 'U';
  case EVR_PN:
    return 'Z';
  case EVR_DA:
  case EVR_DT:
  case EVR_TM:
  case EVR_AE:
  case EVR_AS:
  case EVR_LT:
  case EVR_ST:
  case EVR_UT:
  case EVR_UR:
  case EVR_UN:
    return 'X';
  default:
    break;
  }
  // What the dictionary does not know, the profile does not know either.
  DcmTag known (group, tag.getElement ());
  return known.getEVR () == EVR_UN || known.getEVR () == EVR_UNKNOWN ? 'X' : ' ';
}

static const char *
dummy_of (DcmEVR vr)
{
  switch (vr) {
  case EVR_DA:
    return DUMMY_DATE;
  case EVR_DT:
    return DUMMY_DATE "000000";
  case EVR_TM:
    return "000000";
  case EVR_AS:
    return "000Y";
  case EVR_DS:
  case EVR_IS:
    return "0";
  case EVR_AE:
  case EVR_CS:
  case EVR_LO:
  case EVR_LT:
  case EVR_PN:
  case EVR_SH:
  case EVR_ST:
  case EVR_UC:
  case EVR_UT:
    return DUMMY;
  default:
    return NULL;
  }
}

// Replaces each identifier, the same by the same within a run.
static void
replace_uids (DcmElement *element, const OdlDecoderDerive *order)
{
  OFString whole, uid;

  for (unsigned long i = 0; i < element->getVM (); i++) {
    if (element->getOFString (uid, i).bad ())
      uid.clear ();
    const bool kept
        = uid.empty () || uid.compare (0, strlen (STANDARD_ROOT), STANDARD_ROOT) == 0;
    whole += (i > 0 ? "\\" : "")
             + (kept ? uid : odl_derive_uid (order->secret, "uid", uid.c_str ()));
  }
  element->putString (whole.c_str ());
}

// Moves the day of dates and times by the days of the order; false: it is no date.
static bool
move_dates (DcmElement *element, int days)
{
  OFString whole, text;

  for (unsigned long i = 0; i < element->getVM (); i++) {
    char moved[16];
    unsigned year = 0, month = 0, day = 0;
    if (element->getOFString (text, i).bad ())
      return false;
    if (text.length () < 8
        || sscanf (text.c_str (), "%4u%2u%2u", &year, &month, &day) != 3 || year < 1
        || month > 12 || day > 31
        || !g_date_valid_dmy ((GDateDay) day, (GDateMonth) month, (GDateYear) year))
      return false;
    GDate date;
    g_date_clear (&date, 1);
    g_date_set_dmy (&date, (GDateDay) day, (GDateMonth) month, (GDateYear) year);
    if (days >= 0)
      g_date_add_days (&date, (guint) days);
    else if (g_date_get_julian (&date) > (guint32) -days)
      g_date_subtract_days (&date, (guint) -days);
    else
      return false;
    g_snprintf (moved, sizeof moved, "%04u%02u%02u", g_date_get_year (&date),
                g_date_get_month (&date), g_date_get_day (&date));
    whole += (i > 0 ? "\\" : "") + (moved + text.substr (8));
  }
  element->putString (whole.c_str ());
  return true;
}

// Whether times are kept, since dates are moved: not those of birth.
static bool
keeps_time (const Work *work, const DcmTag &tag, DcmElement *element)
{
  const DcmEVR vr = element->ident ();

  if (work->order->days == 0 || tag.getGroup () == 0x0010)
    return false;
  if (vr == EVR_TM)
    return true;
  return (vr == EVR_DA || vr == EVR_DT) && move_dates (element, work->order->days);
}

static void clean_item (DcmItem *item, const Work *work);

// False: the element is to be removed.
static bool
clean_element (DcmElement *element, const Work *work)
{
  const DcmTag &tag = element->getTag ();
  const auto row
      = work->actions.find ((uint32_t) tag.getGroup () << 16 | tag.getElement ());
  char action
      = row != work->actions.end () ? row->second : usual_action (tag, element->ident ());

  if (element->ident () == EVR_SQ) {
    DcmSequenceOfItems *sequence = static_cast<DcmSequenceOfItems *> (element);
    if (action == 'X' || action == 'D')
      return false;
    while (action == 'Z' && sequence->card () > 0)
      delete sequence->remove (sequence->card () - 1);
    for (DcmObject *inner = sequence->nextInContainer (NULL); inner != NULL;
         inner = sequence->nextInContainer (inner))
      clean_item (static_cast<DcmItem *> (inner), work);
    return true;
  }
  if (tag == DCM_PatientName || tag == DCM_PatientID)
    return element->putString (work->pseudonym.c_str ()).good ();
  if (action == ' ' || (action != 'U' && keeps_time (work, tag, element)))
    return true;
  if (action == 'U') {
    replace_uids (element, work->order);
    return true;
  }
  const char *dummy = action == 'D' ? dummy_of (element->ident ()) : NULL;
  if (dummy != NULL)
    return element->putString (dummy).good ();
  return action == 'Z' && element->clear ().good ();
}

static void
clean_item (DcmItem *item, const Work *work)
{
  std::vector<DcmObject *> unwanted;

  for (DcmObject *object = item->nextInContainer (NULL); object != NULL;
       object = item->nextInContainer (object))
    if (!clean_element (static_cast<DcmElement *> (object), work))
      unwanted.push_back (object);
  for (DcmObject *object : unwanted)
    delete item->remove (object);
}

void
odl_derive_deidentify (DcmDataset &dataset, const OdlDecoderDerive *order)
{
  Work work = { order, read_table (), "" };
  const OFString person = odl_item_text (&dataset, DCM_PatientID) + "\\"
                          + odl_item_text (&dataset, DCM_PatientName);
  const OFString number = odl_derive_uid (order->secret, "patient", person.c_str ());

  work.pseudonym = "ANON-" + number.substr (strlen ("2.25."), 12);
  clean_item (&dataset, &work);
  if ((order->flags & ODL_DERIVE_BLANKED) != 0)
    odl_derive_put (&dataset, DCM_BurnedInAnnotation, "NO");
  odl_derive_put (&dataset, DCM_PatientIdentityRemoved, "YES");
  odl_derive_put (&dataset, DCM_DeidentificationMethod,
                  "PS3.15 Basic Application Level Profile\\Ondelette " ODL_VERSION);
  odl_derive_put (&dataset, DCM_LongitudinalTemporalInformationModified,
                  order->days != 0 ? "MODIFIED" : "REMOVED");
  dataset.findAndDeleteElement (DCM_DeidentificationMethodCodeSequence);
  odl_derive_code (&dataset, DCM_DeidentificationMethodCodeSequence, "113100",
                   "Basic Application Confidentiality Profile");
  if ((order->flags & ODL_DERIVE_BLANKED) != 0)
    odl_derive_code (&dataset, DCM_DeidentificationMethodCodeSequence, "113101",
                     "Clean Pixel Data Option");
  if (order->days != 0)
    odl_derive_code (&dataset, DCM_DeidentificationMethodCodeSequence, "113107",
                     "Retain Longitudinal Temporal Information Modified Dates Option");
}
