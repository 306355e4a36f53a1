// SPDX-License-Identifier: MIT
// The whole header as text, a line for each element.
#include "decoder/dicom/dump.hpp"

#include <cstring>
#include <glib.h>

#include <dcmtk/dcmdata/dcsequen.h>

#include "decoder/dicom/text.hpp"

// Longer values are named by their size.
#define MOST_BYTES 4096
#define MOST_WORDS 65536 // of words of people
// Of a table of grey levels, an overlay of a presentation state (words of 16 bits) or a
// drawing; those have their numbers.
#define MOST_ENTRIES 262144
// The text ends here; its last line says so.
#define MOST_TEXT ((gsize) 8 << 20)

static void
add_line (GString *out, int depth, const DcmTag &tag, const char *vr, const char *value)
{
  DcmTag named (tag);
  g_autofree char *whole
      = g_strdup_printf ("%d\t(%04X,%04X)\t%s\t%s\t%s", depth, tag.getGroup (),
                         tag.getElement (), vr, named.getTagName (), value);

  // A tab or the end of a line within a value ends nothing.
  for (char *at = whole; *at != '\0'; at++)
    if (*at == '\r' || *at == '\n')
      *at = ' ';
  g_string_append (out, whole);
  g_string_append_c (out, '\n');
}

// What the values of an element are written for.
struct Dump {
  GString *out;
  bool is_state; // a presentation state, whose overlays are its own
};

static bool
has_words (DcmElement *element, const Dump *dump)
{
  const DcmTag &tag = element->getTag ();

  return tag == DCM_LUTData
         || (dump->is_state && tag.getElement () == DCM_OverlayData.getElement ()
             && (tag.getGroup () & 0xff00) == DCM_OverlayData.getGroup ());
}

// The numbers of a table or an overlay, however they are stored, or of a drawing. NULL:
// it is none, or too long.
static char *
table_of (DcmElement *element, const Dump *dump)
{
  Uint16 *words = NULL;
  Float32 *places = NULL;
  const bool drawn = element->getTag () == DCM_GraphicData;
  const Uint32 n
      = element->getLength () / (Uint32) (drawn ? sizeof *places : sizeof *words);

  if ((!drawn && !has_words (element, dump)) || n > MOST_ENTRIES
      || (drawn && (element->getFloat32Array (places).bad () || places == NULL))
      || (!drawn && (element->getUint16Array (words).bad () || words == NULL)))
    return NULL;
  GString *text = g_string_new (NULL);
  for (Uint32 i = 0; i < n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (drawn)
      g_ascii_formatd (number, sizeof number, "%.9g", (double) places[i]);
    else
      g_snprintf (number, sizeof number, "%u", (unsigned) words[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "", number);
  }
  return g_string_free (text, FALSE);
}

// Words of people, whose lines are apart by a separator of their own, since a line of the
// whole is an element.
static bool
has_lines (const DcmTag &tag)
{
  return tag == DCM_UnformattedTextValue || tag == DCM_TextValue;
}

static char *
keep_lines (char *text)
{
  static const char *const ends[] = { "\r\n", "\n", "\r" };
  GString *lines = g_string_new (text);

  g_free (text);
  for (const char *end : ends)
    g_string_replace (lines, end, "\u2028", 0);
  return g_string_free (lines, FALSE);
}

static char *
value_of (DcmElement *element, const Dump *dump, int set)
{
  const Uint32 length = element->getLength ();
  OFString value;
  char *table = table_of (element, dump);

  if (table != NULL)
    return table;
  if (length > (has_lines (element->getTag ()) ? MOST_WORDS : MOST_BYTES)
      || element->ident () == EVR_OB || element->ident () == EVR_UN
      || element->ident () == EVR_OW || element->getOFStringArray (value).bad ())
    return g_strdup_printf ("%u B", (unsigned) length);
  g_autofree char *text = odl_character_set_decode (value.c_str (), set);
  g_strdelimit (text, "\t", ' ');
  return has_lines (element->getTag ()) ? keep_lines (g_steal_pointer (&text))
                                        : g_steal_pointer (&text);
}

static void
dump_item (const Dump *dump, DcmItem *item, int depth, int set)
{
  GString *out = dump->out;

  // Items may have a character set of their own.
  if (depth > 0 && item->tagExists (DCM_SpecificCharacterSet))
    set = odl_dicom_character_set (item);
  for (DcmObject *object = item->nextInContainer (NULL);
       object != NULL && out->len < MOST_TEXT; object = item->nextInContainer (object)) {
    const DcmTag &tag = object->getTag ();
    if (object->ident () != EVR_SQ) {
      g_autofree char *value = value_of (static_cast<DcmElement *> (object), dump, set);
      add_line (out, depth, tag, DcmVR (object->getVR ()).getVRName (), value);
      continue;
    }
    DcmSequenceOfItems *sequence = static_cast<DcmSequenceOfItems *> (object);
    int n = 0;
    add_line (out, depth, tag, "SQ", "");
    for (DcmObject *inner = sequence->nextInContainer (NULL); inner != NULL;
         inner = sequence->nextInContainer (inner)) {
      g_autofree char *number = g_strdup_printf ("%d", ++n);
      add_line (out, depth + 1, inner->getTag (), "", number);
      dump_item (dump, static_cast<DcmItem *> (inner), depth + 2, set);
    }
  }
}

void
odl_dicom_dump (DcmItem *dataset, GString *out)
{
  OFString modality;
  const bool is_state
      = dataset->findAndGetOFString (DCM_Modality, modality).good () && modality == "PR";
  const Dump dump = { out, is_state };

  dump_item (&dump, dataset, 0, odl_dicom_character_set (dataset));
  if (out->len >= MOST_TEXT)
    g_string_append (out, "0\t\t\t\t…\n");
}
