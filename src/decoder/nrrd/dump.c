// SPDX-License-Identifier: MIT
// The header of an NRRD file for people.
#include <string.h>

#include "decoder/formats.h"
#include "decoder/nrrd/lines.h"
#include "decoder/told.h"

// "axis 3 item 12 Name" of 3D Slicer, "Seq_Frame0012_Name" of PlusLib and IGSIO: the
// item, and its name in `rest`.
static bool
is_of_item (OdlNrrdText name, uint64_t *item, OdlNrrdText *rest)
{
  uint64_t axis = 0;

  if (odl_nrrd_text_begins (name, "Seq_Frame", rest))
    return odl_nrrd_text_take_number (rest, item)
           && odl_nrrd_text_begins (*rest, "_", rest);
  return odl_nrrd_text_begins (name, "axis ", rest)
         && odl_nrrd_text_take_number (rest, &axis)
         && odl_nrrd_text_begins (*rest, " item ", rest)
         && odl_nrrd_text_take_number (rest, item)
         && odl_nrrd_text_begins (*rest, " ", rest);
}

// "axis 3 index values": a value of each item.
static bool
is_index (OdlNrrdText name)
{
  OdlNrrdText rest;
  uint64_t axis = 0;

  return odl_nrrd_text_begins (name, "axis ", &rest)
         && odl_nrrd_text_take_number (&rest, &axis)
         && odl_nrrd_text_begins (rest, " index values", &rest) && rest.n == 0;
}

static void
add_index (OdlTold *told, OdlNrrdText value)
{
  g_autofree char *text = g_strndup (value.at, value.n);
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  uint32_t item = 0;

  for (char **word = words; *word != NULL; word++) {
    if (**word == '\0')
      continue;
    g_autofree char *shown
        = odl_nrrd_text_show ((OdlNrrdText){ *word, strlen (*word) }, true);
    odl_told_add_item (told, item++, "index value", shown);
  }
}

bool
odl_dump_nrrd (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  OdlNrrdLines lines;
  OdlTold *told = odl_told_new ();
  bool done = odl_nrrd_lines_read (&lines, input->data, input->size, error);

  for (guint i = 0; done && i < lines.lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (lines.lines, OdlNrrdLine, i);
    OdlNrrdText rest = line->name;
    uint64_t item = 0;
    const bool of_item = line->is_key && is_of_item (line->name, &item, &rest);
    if (line->is_key && is_index (line->name)) {
      add_index (told, line->value);
      continue;
    }
    const bool counted = of_item && item < ODL_DECODER_MAX_FRAMES;
    g_autofree char *name = odl_nrrd_text_show (counted ? rest : line->name, of_item);
    g_autofree char *value = odl_nrrd_text_show (line->value, of_item);
    if (counted)
      odl_told_add_item (told, (uint32_t) item, name, value);
    else
      odl_told_add (told, name, value);
  }
  done = done && odl_told_finish (told, picture, error);
  odl_nrrd_lines_clear (&lines);
  odl_told_free (told);
  return done;
}
