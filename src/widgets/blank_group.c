// SPDX-License-Identifier: MIT
#include "widgets/blank_group.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/blank_area.h"
#include "widgets/derived_view.h"

// What becomes black without being drawn: rows of a list, of which only those stand there
// that are possible.
typedef enum {
  OUTSIDE_NOTHING,
  OUTSIDE_REGIONS, // of the file
  OUTSIDE_SECTOR, // that is found in the frame
  N_OUTSIDES,
} Outside;

struct _OdlBlankGroup {
  GtkWidget *area, *rectangles, *outside;
  const OdlDerivedPreview *preview; // NULL: it is not read yet
  Outside outsides[N_OUTSIDES]; // of the rows
  GArray *blanks; // what was drawn, and what lies outside the sector
  bool setting; // the text of the rectangles, from what was drawn
  void (*changed) (void *data);
  void *data;
};

// The rectangles of the text; NULL: it holds something else.
static GArray *
parse_rectangles (const OdlBlankGroup *group)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (group->rectangles));
  g_autoptr (GArray) blanks = g_array_new (FALSE, FALSE, sizeof (OdlBlank));
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);

  for (int i = 0; parts[i]; i++) {
    OdlBlank blank;
    if (*g_strstrip (parts[i]) == '\0')
      continue;
    if (!odl_blank_parse (parts[i], &blank))
      return NULL;
    g_array_append_val (blanks, blank);
  }
  return g_steal_pointer (&blanks);
}

// ---- Outside the ultrasound ----------------------------------------------------------

static Outside
outside (const OdlBlankGroup *group)
{
  const guint row = adw_combo_row_get_selected (ADW_COMBO_ROW (group->outside));

  return row < N_OUTSIDES ? group->outsides[row] : OUTSIDE_NOTHING;
}

static bool
add_outside (const OdlBlankGroup *group, Outside kind, GArray *blanks)
{
  if (kind == OUTSIDE_NOTHING)
    return true;
  if (!group->preview)
    return false;
  if (kind == OUTSIDE_REGIONS)
    return odl_blank_add_outside (
        odl_image_info (odl_derived_preview_image (group->preview)), blanks);
  const GArray *sector = odl_derived_preview_outside_sector (group->preview);
  if (!sector || sector->len == 0)
    return false;
  g_array_append_vals (blanks, sector->data, sector->len);
  return true;
}

static void
list_outsides (OdlBlankGroup *group)
{
  static const char *const titles[N_OUTSIDES]
      = { N_ ("As it is"), N_ ("Black, by regions"), N_ ("Black, by sector") };
  g_autoptr (GtkStringList) model = gtk_string_list_new (NULL);
  int n = 0;

  for (Outside kind = 0; kind < N_OUTSIDES; kind++) {
    g_autoptr (GArray) blanks = g_array_new (FALSE, FALSE, sizeof (OdlBlank));
    if (!add_outside (group, kind, blanks))
      continue;
    group->outsides[n++] = kind;
    gtk_string_list_append (model, _ (titles[kind]));
  }
  adw_combo_row_set_model (ADW_COMBO_ROW (group->outside), G_LIST_MODEL (model));
  adw_action_row_set_subtitle (
      ADW_ACTION_ROW (group->outside),
      group->preview && n == 1
          ? _ ("The file names no regions, and no sector is found in the picture")
          : NULL);
  gtk_widget_set_sensitive (group->outside, n > 1);
}

// ---- Changes -------------------------------------------------------------------------

static void
changed (OdlBlankGroup *group)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (OdlBlank));

  add_outside (group, outside (group), others);
  odl_blank_area_set_others (ODL_BLANK_AREA (group->area), others);
  group->changed (group->data);
}

static void
chosen_cb (OdlBlankGroup *group)
{
  changed (group);
}

static void
drawn_cb (OdlBlankGroup *group)
{
  const GArray *drawn = odl_blank_area_drawn (ODL_BLANK_AREA (group->area));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < drawn->len; i++) {
    const OdlBlank *blank = &g_array_index (drawn, OdlBlank, i);
    g_string_append_printf (text, "%s%d,%d,%d,%d", i > 0 ? "; " : "", blank->x, blank->y,
                            blank->width, blank->height);
  }
  group->setting = true;
  gtk_editable_set_text (GTK_EDITABLE (group->rectangles), text->str);
  group->setting = false;
  changed (group);
}

static void
typed_cb (OdlBlankGroup *group)
{
  if (group->setting)
    return;
  g_autoptr (GArray) typed = parse_rectangles (group);
  if (typed)
    odl_blank_area_set_drawn (ODL_BLANK_AREA (group->area), typed);
  changed (group);
}

// ---- From outside --------------------------------------------------------------------

void
odl_blank_group_set_preview (OdlBlankGroup *group, const OdlDerivedPreview *preview)
{
  g_autoptr (GdkTexture) texture
      = odl_derived_view_texture (odl_derived_preview_shown (preview));

  group->preview = preview;
  odl_blank_area_set_picture (
      ODL_BLANK_AREA (group->area), GDK_PAINTABLE (texture),
      odl_image_info (odl_derived_preview_image (preview))->pixel_aspect);
  list_outsides (group);
  changed (group);
}

bool
odl_blank_group_read (OdlBlankGroup *group, OdlDerivedChoice *choice)
{
  const GArray *drawn = odl_blank_area_drawn (ODL_BLANK_AREA (group->area));
  g_autoptr (GArray) typed = parse_rectangles (group);
  const Outside kind = outside (group);

  g_array_set_size (group->blanks, 0);
  g_array_append_vals (group->blanks, drawn->data, drawn->len);
  // What is found in this frame holds for all; regions are those of each.
  if (kind == OUTSIDE_SECTOR)
    add_outside (group, kind, group->blanks);
  choice->blanks = (const OdlBlank *) group->blanks->data;
  choice->n_blanks = group->blanks->len;
  choice->blank_outside = kind == OUTSIDE_REGIONS;
  if (typed)
    gtk_widget_remove_css_class (group->rectangles, "error");
  else
    gtk_widget_add_css_class (group->rectangles, "error");
  return typed != NULL;
}

OdlBlankGroup *
odl_blank_group_new (GtkBox *box, void (*cb) (void *data), void *data)
{
  OdlBlankGroup *group = g_new0 (OdlBlankGroup, 1);
  AdwPreferencesGroup *upper = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  AdwPreferencesGroup *lower = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  group->changed = cb;
  group->data = data;
  group->blanks = g_array_new (FALSE, FALSE, sizeof (OdlBlank));
  group->area = odl_blank_area_new ();
  group->rectangles = adw_entry_row_new ();
  group->outside = adw_combo_row_new ();
  adw_preferences_group_set_title (upper, _ ("Black Parts"));
  adw_preferences_group_set_description (
      upper, _ ("Draw rectangles where a name is written in the pixels; a click "
                "removes one. They hold for all frames."));
  gtk_accessible_update_property (GTK_ACCESSIBLE (group->area),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Picture with what becomes black"), -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (group->rectangles),
                                 _ ("Rectangles: x,y,width,height; …"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (group->outside),
                                 _ ("Outside the Ultrasound"));
  list_outsides (group);
  adw_preferences_group_add (upper, group->area);
  adw_preferences_group_add (lower, group->rectangles);
  adw_preferences_group_add (lower, group->outside);
  gtk_box_append (box, GTK_WIDGET (upper));
  gtk_box_append (box, GTK_WIDGET (lower));
  g_signal_connect_swapped (group->area, "changed", G_CALLBACK (drawn_cb), group);
  g_signal_connect_swapped (group->rectangles, "changed", G_CALLBACK (typed_cb), group);
  g_signal_connect_swapped (group->outside, "notify::selected", G_CALLBACK (chosen_cb),
                            group);
  return group;
}

void
odl_blank_group_free (OdlBlankGroup *group)
{
  if (!group)
    return;
  g_array_unref (group->blanks);
  g_free (group);
}
