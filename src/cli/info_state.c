// SPDX-License-Identifier: MIT
#include "cli/info_state.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "cli/info_windows.h"
#include "cli/json.h"
#include "source/dicom/presentation.h"

// Of pictures whose size is not known here; counts do not depend on it.
#define SIDE 1024

typedef struct {
  const char *name;
  const GPtrArray *pictures;
  const OdlPresentation *state;
  const OdlGraphics *graphics; // NULL: none
  const char *shutter; // its shapes; ""
  bool is_partial;
} State;

static const char *const functions[] = { "LINEAR", "LINEAR_EXACT", "SIGMOID" };

static int
count (const GArray *array)
{
  return array != NULL ? (int) array->len : 0;
}

// What all kinds say.
static void
write_json_of (OdlJson *json,
               const char *name,
               const GPtrArray *pictures,
               const OdlPresentation *one,
               bool applies)
{
  odl_json_string (json, "name", name);
  odl_json_string (json, "source", "presentation-state");
  odl_json_bool (json, "applies", applies);
  odl_json_string (json, "label", one->label);
  odl_json_string (json, "description", one->description);
  odl_json_string (json, "date", one->date);
  odl_json_strings (json, "pictures", (const char *const *) pictures->pdata,
                    pictures->len);
}

static void
print_text_of (const char *name, const GPtrArray *pictures, const OdlPresentation *one)
{
  g_print ("%s: %s\n", _ ("name"), name);
  g_print ("%s: %s\n", _ ("format"), _ ("DICOM, presentation state"));
  if (*one->label)
    g_print ("%s: %s\n", _ ("label"), one->label);
  if (*one->description)
    g_print ("%s: %s\n", _ ("description"), one->description);
  if (*one->date)
    g_print ("%s: %s\n", _ ("date"), one->date);
  for (guint i = 0; i < pictures->len; i++)
    g_print ("%s: %s\n", _ ("for the picture"), (char *) pictures->pdata[i]);
}

static void
write_json (const State *state)
{
  const OdlPresentation *one = state->state;
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  write_json_of (&json, state->name, state->pictures, one, true);
  if (one->has_window && one->window.curve == NULL) {
    odl_json_number (&json, "window_centre", one->window.centre);
    odl_json_number (&json, "window_width", one->window.width);
    odl_json_string (&json, "window_function", functions[one->function]);
  }
  odl_json_integer (&json, "levels", one->window.curve ? one->window.curve->n : 0);
  odl_json_bool (&json, "inverse", one->inverse);
  odl_json_integer (&json, "turned", 90 * one->quarter_turns);
  odl_json_bool (&json, "flipped", one->flip);
  odl_json_begin_array (&json, "area");
  const int area[]
      = { one->left, one->top, one->right - one->left, one->bottom - one->top };
  for (gsize i = 0; i < G_N_ELEMENTS (area) && one->has_area; i++)
    odl_json_integer (&json, NULL, area[i]);
  odl_json_end_array (&json);
  odl_json_string (&json, "shutter", state->shutter);
  odl_json_integer (&json, "lines",
                    count (state->graphics ? state->graphics->lines : NULL));
  odl_json_integer (&json, "words",
                    count (state->graphics ? state->graphics->words : NULL));
  odl_json_bool (&json, "overlay", state->graphics && state->graphics->overlay);
  odl_json_bool (&json, "partial", state->is_partial);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static void
print_window (const OdlPresentation *one)
{
  g_autofree char *centre = odl_number_to_text (one->window.centre);
  g_autofree char *width = odl_number_to_text (one->window.width);

  if (one->window.curve != NULL)
    g_print ("%s: %s\n", _ ("shown"), _ ("by a table of grey levels"));
  else if (one->has_window && one->function == ODL_VOI_LINEAR)
    odl_info_print_line (_ ("window"), _ ("centre %s, width %s"), centre, width);
  else if (one->has_window)
    odl_info_print_line (_ ("window"), _ ("centre %s, width %s, function %s"), centre,
                         width, functions[one->function]);
}

static void
print_text (const State *state)
{
  const OdlPresentation *one = state->state;
  const int n_lines = count (state->graphics ? state->graphics->lines : NULL);
  const int n_words = count (state->graphics ? state->graphics->words : NULL);

  print_text_of (state->name, state->pictures, one);
  print_window (one);
  if (one->has_shape && one->inverse)
    g_print ("%s: %s\n", _ ("shown"), _ ("inverted: the smallest value is white"));
  if (one->quarter_turns > 0 || one->flip) {
    g_autofree char *turned
        = g_strdup_printf (_ ("turned by %d° clockwise"), 90 * one->quarter_turns);
    g_print ("%s: %s%s\n", _ ("shown"), turned,
             one->flip ? _ (", then left and right exchanged") : "");
  }
  if (one->has_area)
    g_print ("%s: %d,%d,%d,%d\n", _ ("part"), one->left, one->top, one->right - one->left,
             one->bottom - one->top);
  if (*state->shutter)
    g_print ("%s: %s\n", _ ("shutter"), state->shutter);
  if (n_lines + n_words > 0) {
    // Translators: how many of each.
    g_autofree char *drawn
        = g_strdup_printf (_ ("lines and shapes %d, texts %d"), n_lines, n_words);
    g_print ("%s: %s\n", _ ("drawn over it"), drawn);
  }
  if (state->is_partial)
    g_print ("%s: %s\n", _ ("warning"),
             _ ("it asks for more, which is not shown: such as masks, the true size or "
                "damaged drawings"));
}

// Of one that is not of grey levels: nothing of it can be applied.
static void
tell_of_other (const char *name,
               const char *header,
               const GPtrArray *pictures,
               bool as_json)
{
  g_autofree char *label = odl_presentation_value (header, "(0070,0080)");
  g_autofree char *description = odl_presentation_value (header, "(0070,0081)");
  g_autofree char *date = odl_presentation_value (header, "(0070,0082)");
  const OdlPresentation said
      = { .label = label, .description = description, .date = date };
  OdlJson json;

  if (as_json) {
    odl_json_init (&json);
    odl_json_begin_object (&json, NULL);
    write_json_of (&json, name, pictures, &said, false);
    odl_json_end_object (&json);
    odl_json_print (&json);
    return;
  }
  print_text_of (name, pictures, &said);
  g_print ("%s: %s\n", _ ("warning"),
           _ ("it is not one of grey levels (but of colours or blending, for instance), "
              "and cannot be applied"));
}

bool
odl_info_state (const char *path, bool as_json)
{
  g_autofree char *header = odl_presentation_read (path, NULL, NULL);
  g_autoptr (GPtrArray) pictures = header ? odl_presentation_pictures (header) : NULL;
  bool is_partial = false;

  if (pictures == NULL)
    return false;
  g_autofree char *name = g_filename_display_basename (path);
  if (!odl_presentation_applies (header)) {
    tell_of_other (name, header, pictures, as_json);
    return true;
  }
  if (pictures->len == 0)
    return false;
  g_autoptr (OdlPresentation) one
      = odl_presentation_parse (header, pictures->pdata[0], -1);
  if (one == NULL)
    return false;
  const int width = one->has_area ? MAX (one->right, 1) : SIDE;
  const int height = one->has_area ? MAX (one->bottom, 1) : SIDE;
  g_autoptr (OdlGraphics) graphics = odl_presentation_graphics (
      one, MIN (width, SIDE), MIN (height, SIDE), 1, &is_partial);
  g_autofree char *shutter = odl_presentation_value (header, "(0018,1600)");
  const State state
      = { name, pictures, one, graphics, shutter, is_partial || one->is_partial };
  if (as_json)
    write_json (&state);
  else
    print_text (&state);
  return true;
}
