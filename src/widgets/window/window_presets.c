// SPDX-License-Identifier: MIT
#include "widgets/window/window_presets.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"

#define MOST_CHARS 60 // of a name

enum { MODALITY, NAME, CENTRE, WIDTH, N_PARTS };

// In Hounsfield units.
static const struct {
  const char *name;
  double centre, width;
} built_in[] = {
  { N_ ("Soft Tissue"), 40, 400 }, { N_ ("Lung"), -600, 1500 }, { N_ ("Liver"), 90, 150 },
  { N_ ("Bone"), 480, 2500 },      { N_ ("Brain"), 40, 80 },
};

static void
preset_free (void *data)
{
  OdlWindowPreset *preset = data;

  g_free (preset->modality);
  g_free (preset->name);
  g_free (preset);
}

// One line without tabs, and not too long.
static char *
clean (const char *text)
{
  g_autofree char *line = odl_text_in_one_line (text);

  g_strstrip (line);
  return g_utf8_strlen (line, -1) > MOST_CHARS ? g_utf8_substring (line, 0, MOST_CHARS)
                                               : g_steal_pointer (&line);
}

OdlWindowPreset *
odl_window_presets_nth (const GPtrArray *presets, const char *modality, int n)
{
  for (guint i = 0; i < presets->len; i++) {
    OdlWindowPreset *preset = g_ptr_array_index (presets, i);
    if (g_str_equal (preset->modality, modality) && n-- == 0)
      return preset;
  }
  return NULL;
}

bool
odl_window_presets_add (GPtrArray *presets, const OdlWindowPreset *preset)
{
  g_autofree char *name = clean (preset->name);
  g_autofree char *modality = clean (preset->modality);

  if (*name == '\0' || !isfinite (preset->centre)
      || fabs (preset->centre) > ODL_PRESET_MOST
      || !(preset->width > 0 && preset->width <= ODL_PRESET_MOST)
      || odl_window_presets_nth (presets, modality, ODL_MOST_PRESETS - 1) != NULL)
    return false;
  OdlWindowPreset *copy = g_new (OdlWindowPreset, 1);
  *copy = (OdlWindowPreset){ g_steal_pointer (&modality), g_steal_pointer (&name),
                             preset->centre, preset->width };
  g_ptr_array_add (presets, copy);
  return true;
}

static void
add_line (GPtrArray *presets, const char *line)
{
  g_auto (GStrv) parts = g_strsplit (line, "\t", N_PARTS);
  OdlWindowPreset preset = { 0 };

  if (g_strv_length (parts) != N_PARTS
      || !odl_number_from_text (parts[CENTRE], &preset.centre)
      || !odl_number_from_text (parts[WIDTH], &preset.width))
    return;
  preset.modality = parts[MODALITY];
  preset.name = parts[NAME];
  odl_window_presets_add (presets, &preset);
}

GPtrArray *
odl_window_presets_parse (const char *text)
{
  GPtrArray *presets = g_ptr_array_new_with_free_func (preset_free);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (gsize i = 0; (text == NULL || *text == '\0') && i < G_N_ELEMENTS (built_in); i++) {
    const OdlWindowPreset preset = { (char *) "CT", (char *) _ (built_in[i].name),
                                     built_in[i].centre, built_in[i].width };
    odl_window_presets_add (presets, &preset);
  }
  for (int i = 0; lines[i] != NULL; i++)
    add_line (presets, lines[i]);
  return presets;
}

char *
odl_window_presets_to_text (const GPtrArray *presets)
{
  // Never empty, which would mean those that are built in.
  GString *text = g_string_new ("\n");

  for (guint i = 0; i < presets->len; i++) {
    const OdlWindowPreset *preset = g_ptr_array_index (presets, i);
    g_autofree char *centre = odl_number_to_text (preset->centre);
    g_autofree char *width = odl_number_to_text (preset->width);
    g_string_append_printf (text, "%s\t%s\t%s\t%s\n", preset->modality, preset->name,
                            centre, width);
  }
  return g_string_free (text, FALSE);
}
