// SPDX-License-Identifier: MIT
#include "widgets/window/presets_window.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#include "base/text.h"
#include "widgets/windows/child_window.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"
#include "widgets/window/window_presets.h"

#define WIDTH 700
#define HEIGHT 560
#define NUMBER_CHARS 9

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *window;
  char *modality;
  GtkWidget *group; // of the rows
  GPtrArray *rows; // borrowed by `group`
} Editor;

static void fill (Editor *editor);

static void
editor_free (void *data)
{
  Editor *editor = data;

  g_ptr_array_unref (editor->rows);
  g_free (editor->modality);
  g_free (editor);
}

static GPtrArray *
read_all (const Editor *editor)
{
  g_autofree char *text
      = odl_settings_get_string (editor->parts->settings, ODL_PRESETS_KEY);

  return odl_window_presets_parse (text);
}

// In force at once.
static void
write_all (const Editor *editor, const GPtrArray *presets)
{
  g_autofree char *text = odl_window_presets_to_text (presets);

  odl_settings_set_string (editor->parts->settings, ODL_PRESETS_KEY, text);
  odl_window_update_presets (editor->parts);
}

static int
number_of (GtkWidget *widget)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "number"));
}

// ---- Changes -------------------------------------------------------------------------

static void
name_cb (GtkEditable *entry, Editor *editor)
{
  g_autoptr (GPtrArray) presets = read_all (editor);
  OdlWindowPreset *preset = odl_window_presets_nth (presets, editor->modality,
                                                    number_of (GTK_WIDGET (entry)));
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  if (!preset || *name == '\0')
    return;
  g_free (preset->name);
  preset->name = odl_text_in_one_line (name);
  g_strdelimit (preset->name, "\t", ' ');
  write_all (editor, presets);
}

// Numbers that make no sense are marked, and not kept.
static void
number_cb (GtkEditable *entry, Editor *editor)
{
  g_autoptr (GPtrArray) presets = read_all (editor);
  OdlWindowPreset *preset = odl_window_presets_nth (presets, editor->modality,
                                                    number_of (GTK_WIDGET (entry)));
  const bool width = g_object_get_data (G_OBJECT (entry), "width") != NULL;
  double value = 0;
  const bool good = odl_diagnostics_read_number (gtk_editable_get_text (entry), &value)
                    && fabs (value) <= ODL_PRESET_MOST && (!width || value > 0);

  if (good)
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  if (!preset || !good)
    return;
  *(width ? &preset->width : &preset->centre) = value;
  write_all (editor, presets);
}

static void
remove_cb (GtkWidget *button, Editor *editor)
{
  g_autoptr (GPtrArray) presets = read_all (editor);
  OdlWindowPreset *preset
      = odl_window_presets_nth (presets, editor->modality, number_of (button));

  if (preset)
    g_ptr_array_remove (presets, preset);
  write_all (editor, presets);
  fill (editor);
}

static void
add_cb (Editor *editor)
{
  g_autoptr (GPtrArray) presets = read_all (editor);
  OdlWindowPreset preset = { .modality = editor->modality, .name = (char *) _ ("New") };

  odl_viewport_get_window (editor->parts->viewport, &preset.centre, &preset.width);
  if (!odl_window_presets_add (presets, &preset)) {
    odl_messages_say (editor->parts->messages,
                      _ ("There are as many grey levels as keys. Remove one first."));
    return;
  }
  write_all (editor, presets);
  fill (editor);
}

static void
reset_cb (Editor *editor)
{
  odl_settings_set_string (editor->parts->settings, ODL_PRESETS_KEY, "");
  odl_window_update_presets (editor->parts);
  fill (editor);
}

// ---- The window ----------------------------------------------------------------------

static GtkWidget *
number_entry (Editor *editor, int n, double value, bool width)
{
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *text = odl_number_to_text (value);
  const char *label = width ? _ ("Width") : _ ("Centre");

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), NUMBER_CHARS);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), NUMBER_CHARS);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (entry, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  g_object_set_data (G_OBJECT (entry), "number", GINT_TO_POINTER (n));
  g_object_set_data (G_OBJECT (entry), "width", GINT_TO_POINTER (width));
  g_signal_connect (entry, "changed", G_CALLBACK (number_cb), editor);
  return entry;
}

static void
add_row (Editor *editor, int n, const OdlWindowPreset *preset)
{
  GtkWidget *row = adw_entry_row_new ();
  GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");
  g_autofree char *title = g_strdup_printf ("Alt+%d", n + 2);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), preset->name);
  g_object_set_data (G_OBJECT (row), "number", GINT_TO_POINTER (n));
  g_signal_connect (row, "changed", G_CALLBACK (name_cb), editor);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row),
                            number_entry (editor, n, preset->centre, false));
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row),
                            number_entry (editor, n, preset->width, true));
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (remove, _ ("Remove"));
  g_object_set_data (G_OBJECT (remove), "number", GINT_TO_POINTER (n));
  g_signal_connect (remove, "clicked", G_CALLBACK (remove_cb), editor);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), remove);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (editor->group), row);
  g_ptr_array_add (editor->rows, row);
}

static void
fill (Editor *editor)
{
  g_autoptr (GPtrArray) presets = read_all (editor);
  const OdlWindowPreset *preset;

  for (guint i = 0; i < editor->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (editor->group),
                                  g_ptr_array_index (editor->rows, i));
  g_ptr_array_set_size (editor->rows, 0);
  for (int n = 0; (preset = odl_window_presets_nth (presets, editor->modality, n)); n++)
    add_row (editor, n, preset);
}

static GtkWidget *
make_button (const char *label, GCallback cb, Editor *editor)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", cb, editor);
  return button;
}

void
odl_presets_window_present (const OdlWindowParts *parts)
{
  Editor *editor = g_new (Editor, 1);
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  const char *modality = odl_session_detail (parts->session, "modality");
  g_autofree char *title = g_strdup_printf (
      _ ("Grey Levels of %s"), modality && *modality ? modality : _ ("Other Pictures"));
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parts->window), title, WIDTH, HEIGHT);

  *editor = (Editor){ .parts = parts,
                      .window = window,
                      .modality = g_strdup (modality ? modality : ""),
                      .group = adw_preferences_group_new (),
                      .rows = g_ptr_array_new () };
  g_object_set_data_full (G_OBJECT (window), "odl-presets", editor, editor_free);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (editor->group),
      _ ("Name, centre and width, in the unit of the files. Alt+1 is the file's own."));
  adw_header_bar_pack_start (
      ADW_HEADER_BAR (header),
      make_button (_ ("_Add What Is Shown"), G_CALLBACK (add_cb), editor));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header),
                           make_button (_ ("_Reset All"), G_CALLBACK (reset_cb), editor));
  fill (editor);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (editor->group));
  gtk_box_append (GTK_BOX (outer), header);
  gtk_box_append (GTK_BOX (outer), page);
  gtk_widget_set_vexpand (page, TRUE);
  adw_window_set_content (ADW_WINDOW (window), outer);
  gtk_window_present (GTK_WINDOW (window));
}
