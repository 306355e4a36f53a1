// SPDX-License-Identifier: MIT
#include "filter/presets.h"

#include <gio/gio.h>

#include "base/text.h"

#define FOLDER "/org/ondelette/presets/"

static const OdlPreset presets[] = {
  { .name = "ultrasound-soft",
    .label = N_ ("Ultrasound, Soft"),
    .description = N_ ("Less speckle; edges, text and the colours of Doppler stay.") },
  { .name = "ultrasound-strong",
    .label = N_ ("Ultrasound, Strong"),
    .description = N_ ("Nearly no speckle, flat tissue; faint marks beside the sector "
                       "may fade.") },
  { .name = "x-ray",
    .label = N_ ("X-Ray"),
    .description = N_ ("Less noise, and faint detail of every size stronger.") },
  { .name = "ct",
    .label = N_ ("CT"),
    .description = N_ ("Less noise, as much as is measured in the slice.") },
  { .name = "microscope",
    .label = N_ ("Microscope"),
    .description = N_ ("Less noise of the camera, and fine detail a little stronger.") },
  { .name = "webcam-night",
    .label = N_ ("Webcam at Night"),
    .description = N_ ("Averages over time where nothing moves, and takes away the "
                       "noise that is left.") },
  { .name = "bone",
    .label = N_ ("Bone in X-Rays"),
    .description = N_ ("Removes noise and writing, finds what bone is, and shows the "
                       "original inside its contours; M. Brotherton (2011).") },
  { .name = "painting",
    .label = N_ ("Texture of a Painting"),
    .description = N_ ("Puts the larger details of the picture and of one that you "
                       "choose together, in the picture's colours; T. Wong et al. "
                       "(2007).") },
  { .name = "even-gain",
    .label = N_ ("Even Gain in Ultrasound"),
    .description = N_ ("Divides the picture by its low band, so that all depths are "
                       "equally bright; T. Wong et al. (2007).") },
  { .name = "despeckle-first",
    .label = N_ ("Despeckle Before Compression"),
    .description = N_ ("Makes a picture of ultrasound beams, whose speckle is taken away "
                       "while it still multiplies.") },
  { .name = "compression-by-depth",
    .label = N_ ("Compression by Depth"),
    .description = N_ ("Makes a picture of ultrasound beams, and gives back what tissue "
                       "takes away of the echoes before they are compressed.") },
  { .name = "compounding",
    .label = N_ ("Compounding of Steered Frames"),
    .description = N_ ("Makes a picture of ultrasound beams that are steered in three "
                       "directions in turn, whose speckle averages out.") },
  { .name = "caricature",
    .label = N_ ("Caricature of a Surface"),
    .description = N_ ("Makes the features of a grid of control points larger and "
                       "leaves its shape; T. Wong et al. (2007).") },
};

size_t
odl_preset_count (void)
{
  return G_N_ELEMENTS (presets);
}

const OdlPreset *
odl_preset_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (presets), NULL);
  return &presets[index];
}

const OdlPreset *
odl_preset_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (presets); i++)
    if (g_ascii_strcasecmp (presets[i].name, name) == 0)
      return &presets[i];
  return NULL;
}

char *
odl_preset_words (const OdlPreset *preset)
{
  g_return_val_if_fail (preset != NULL, NULL);

  g_autofree char *path = g_strconcat (FOLDER, preset->name, ".txt", NULL);
  g_autoptr (GBytes) file
      = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  if (file == NULL)
    g_error ("resources/presets/presets.gresource.xml has no file for “%s”",
             preset->name);
  gsize length;
  const char *text = g_bytes_get_data (file, &length);
  g_autofree char *whole = g_strndup (text, length);
  g_auto (GStrv) lines = g_strsplit (whole, "\n", -1);
  GString *words = g_string_new (NULL);

  for (int i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '#' && *lines[i] != '\0')
      g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", lines[i]);
  return g_string_free (words, FALSE);
}
