// SPDX-License-Identifier: MIT
#include "decoder/dicom/attributes.hpp"

#include <map>
#include <memory>
#include <vector>

#include <dcmtk/dcmdata/dcdicent.h>
#include <dcmtk/dcmdata/dcdict.h>
#include <dcmtk/dcmdata/dcistrmb.h>

#include "decoder/dicom/attributes_table.h"
#include "decoder/dicom/pixels/scan.h"

#define OVERLAYS 0x6000
#define LAST_OVERLAYS 0x60ff

void
odl_dicom_attributes_init ()
{
  DcmDataDictionary &dictionary = dcmDataDict.wrlock ();

  for (const auto &row : odl_attributes) {
    if (dictionary.findEntry (DcmTagKey (row.group, row.element), NULL) != NULL)
      continue;
    const Uint16 last = row.group == OVERLAYS ? LAST_OVERLAYS : row.group;
    DcmDictEntry *entry
        = new DcmDictEntry (row.group, row.element, last, row.element, DcmVR (row.vr),
                            row.name, 1, DcmVariableVM, NULL, OFFalse, NULL);
    entry->setGroupRangeRestriction (DcmDictRange_Even);
    dictionary.addEntry (entry);
  }
  dcmDataDict.wrunlock ();
}

// ---- Unknown types -------------------------------------------------------------------

// The creators of private attributes (PS3.5 7.8.1), by their own tags.
typedef std::map<DcmTagKey, OFString> Creators;

static DcmTagKey
creator_tag (const DcmTagKey &tag)
{
  return DcmTagKey (tag.getGroup (), (Uint16) (tag.getElement () >> 8));
}

static void
put_number (std::vector<Uint8> &bytes, uint32_t value, int n)
{
  for (int i = 0; i < n; i++)
    bytes.push_back ((Uint8) (value >> (8 * i)));
}

// An element in implicit little endian.
static void
put_element (std::vector<Uint8> &bytes, const DcmTagKey &tag, const void *value, size_t n)
{
  const Uint8 *from = static_cast<const Uint8 *> (value);

  put_number (bytes, tag.getGroup (), 2);
  put_number (bytes, tag.getElement (), 2);
  put_number (bytes, (uint32_t) n, 4);
  bytes.insert (bytes.end (), from, from + n);
}

// Numbers of a fixed size whose bytes are not a multiple of it are none.
static bool
has_whole_values (DcmEVR vr, size_t n)
{
  switch (vr) {
  case EVR_US:
  case EVR_SS:
  case EVR_xs:
    return n % 2 == 0;
  case EVR_AT:
  case EVR_FL:
  case EVR_SL:
  case EVR_UL:
    return n % 4 == 0;
  case EVR_FD:
  case EVR_SV:
  case EVR_UV:
    return n % 8 == 0;
  default:
    return true;
  }
}

// The same element with the type that the dictionary knows; NULL: it knows none, or the
// value is no such thing. `depth`: of the sequences around it.
static std::unique_ptr<DcmElement>
read_again (const Creators &creators, DcmElement *unknown, int depth)
{
  const DcmTagKey key = unknown->getTag ();
  const auto found = creators.find (creator_tag (key));
  const bool is_private = key.isPrivate () && found != creators.end ();
  const DcmTag known (key, is_private ? found->second.c_str () : NULL);
  const DcmEVR vr = key.isPrivateReservation () ? EVR_LO : known.getEVR ();
  const size_t n = unknown->getLength ();
  Uint8 *value = NULL;
  std::vector<Uint8> bytes;
  DcmInputBufferStream stream;
  DcmDataset alone;

  if (vr == EVR_UN || vr == EVR_UNKNOWN || !has_whole_values (vr, n)
      || unknown->getUint8Array (value).bad () || (value == NULL && n > 0)
      || (vr == EVR_SQ && !odl_dicom_scan_items (value, n, depth)))
    return nullptr;
  if (is_private)
    put_element (bytes, found->first, found->second.c_str (), found->second.length ());
  put_element (bytes, key, value, n);
  stream.setBuffer (bytes.data (), (offile_off_t) bytes.size ());
  stream.setEos ();
  alone.transferInit ();
  const bool done = alone.read (stream, EXS_LittleEndianImplicit).good ();
  alone.transferEnd ();
  DcmElement *element = done ? alone.remove (key) : NULL;
  return std::unique_ptr<DcmElement> (element);
}

// ---- Either sign ---------------------------------------------------------------------

// Of look-up tables only one of three numbers may have a sign: whoever reads them knows.
static bool
describes_table (const DcmTagKey &tag)
{
  static const DcmTagKey tags[]
      = { DCM_RedPaletteColorLookupTableDescriptor,
          DCM_GreenPaletteColorLookupTableDescriptor,
          DCM_BluePaletteColorLookupTableDescriptor, DCM_LUTDescriptor };

  for (const DcmTagKey &one : tags)
    if (one == tag)
      return true;
  return false;
}

// The same words with the sign of the pixels; NULL: they have it.
static std::unique_ptr<DcmElement>
sign_again (DcmElement *words, bool is_signed)
{
  const unsigned long n = words->getLength () / sizeof (Uint16);
  const DcmTag tag (words->getTag (), DcmVR (is_signed ? EVR_SS : EVR_US));
  std::unique_ptr<DcmElement> element;
  Uint16 *plain = NULL;
  Sint16 *with_sign = NULL;

  if (words->ident () == (is_signed ? EVR_SS : EVR_US))
    return nullptr;
  const bool had_sign = words->ident () == EVR_SS;
  if (had_sign ? words->getSint16Array (with_sign).bad ()
               : words->getUint16Array (plain).bad ())
    return nullptr;
  if (is_signed) {
    element = std::make_unique<DcmSignedShort> (tag);
    element->putSint16Array (reinterpret_cast<Sint16 *> (plain), n);
  } else {
    element = std::make_unique<DcmUnsignedShort> (tag);
    element->putUint16Array (had_sign ? reinterpret_cast<Uint16 *> (with_sign) : plain,
                             n);
  }
  return element;
}

static bool
may_have_either_sign (DcmElement *element)
{
  const DcmEVR vr = element->ident ();

  return (vr == EVR_US || vr == EVR_SS || vr == EVR_xs)
         && DcmTag (element->getTag ().getXTag ()).getEVR () == EVR_xs
         && !describes_table (element->getTag ());
}

// ---- All of it -----------------------------------------------------------------------

namespace {

// What surrounds the elements of an item.
struct Around {
  int depth;
  bool is_signed;
};

}

static void settle (DcmItem &item, Around around);

// Takes `other` for `element`, unless there is none.
static void
replace (DcmElement *&element, std::unique_ptr<DcmElement> other)
{
  if (!other)
    return;
  delete element;
  element = other.release ();
}

static void
settle_items (DcmElement *element, const Around &around)
{
  DcmSequenceOfItems *sequence = dynamic_cast<DcmSequenceOfItems *> (element);

  if (sequence == NULL || element->ident () != EVR_SQ)
    return;
  for (DcmObject *at = sequence->nextInContainer (NULL); at != NULL;
       at = sequence->nextInContainer (at))
    settle (*static_cast<DcmItem *> (at), { around.depth + 1, around.is_signed });
}

// Elements are taken out and put back one after the other, since finding each among
// hundreds of thousands would take too long.
static void
settle (DcmItem &item, Around around)
{
  std::vector<DcmElement *> elements;
  Creators creators;
  Uint16 representation = 0;

  while (item.card () > 0) {
    DcmElement *element = item.remove ((unsigned long) 0);
    if (element->ident () == EVR_UN)
      replace (element, read_again (creators, element, around.depth));
    const DcmTagKey &tag = element->getTag ();
    if (tag.isPrivateReservation ())
      element->getOFString (creators[tag], 0);
    if (tag == DCM_PixelRepresentation && element->getUint16 (representation).good ())
      around.is_signed = representation == 1;
    elements.push_back (element);
  }
  for (DcmElement *element : elements) {
    if (may_have_either_sign (element))
      replace (element, sign_again (element, around.is_signed));
    settle_items (element, around);
    if (item.insert (element).bad ())
      delete element;
  }
}

void
odl_dicom_attributes_settle (DcmItem &dataset)
{
  settle (dataset, { 0, false });
}
