// SPDX-License-Identifier: MIT
// The user's presets: saving, naming, importing, and which pictures begin with one.
#include <glib/gi18n-lib.h>

#include "filter/library.h"
#include "widgets/window/parts.h"

#define ANSWER_NAME "name"
#define RENAMED "renamed" // of a dialog: the preset that gets another name

static OdlPresetBar *
bar_of (const OdlWindowParts *parts)
{
  return odl_filter_panel_presets (parts->filter_panel);
}

static void
say (const OdlWindowParts *parts, const GError *error)
{
  odl_messages_say (parts->messages, error->message);
}

// The user's preset that the filters are; NULL, and a message, where they are none.
static const char *
own_preset (const OdlWindowParts *parts)
{
  const char *name = odl_preset_bar_name (bar_of (parts));
  if (name && odl_library_has (name))
    return name;
  odl_messages_say_of_state (
      parts->messages, _ ("Choose a preset of your own first: those that come with the "
                          "program stay as they are."));
  return NULL;
}

// ---- names ---------------------------------------------------------------------------

static void
typed_cb (GtkEditable *entry, AdwMessageDialog *dialog)
{
  g_autoptr (GError) error = NULL;
  const char *name = gtk_editable_get_text (entry);
  const bool suits = odl_library_check_name (name, &error);
  const bool taken = suits && odl_library_has (name);
  const char *renamed = g_object_get_data (G_OBJECT (dialog), RENAMED);
  adw_message_dialog_set_response_enabled (dialog, ANSWER_NAME,
                                           suits && !(taken && renamed));
  adw_message_dialog_set_body (
      dialog, !suits && *name                            ? error->message
              : !taken || g_strcmp0 (name, renamed) == 0 ? ""
              : renamed
                  ? _ ("There is a preset of this name already; choose another one.")
                  : _ ("There is a preset of this name. It is replaced."));
}

// Asks for a name; `answered` gets the entry.
static void
ask_name (const OdlWindowParts *parts,
          const char *heading,
          const char *label,
          const char *before,
          bool renames,
          GCallback answered)
{
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (parts->window), heading, NULL);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the preset"), -1);
  adw_message_dialog_set_extra_child (dialog, entry);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), ANSWER_NAME, label,
                                    NULL);
  adw_message_dialog_set_response_appearance (dialog, ANSWER_NAME,
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, ANSWER_NAME);
  adw_message_dialog_set_close_response (dialog, "cancel");
  if (renames)
    g_object_set_data_full (G_OBJECT (dialog), RENAMED, g_strdup (before), g_free);
  g_signal_connect (entry, "changed", G_CALLBACK (typed_cb), dialog);
  gtk_editable_set_text (GTK_EDITABLE (entry), before);
  typed_cb (GTK_EDITABLE (entry), dialog);
  odl_window_connect (parts, dialog, "response", answered, (void *) parts);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
}

// NULL: it was not answered with a name. Borrowed.
static const char *
answer_of (AdwMessageDialog *dialog, const char *answer)
{
  return g_str_equal (answer, ANSWER_NAME) ? gtk_editable_get_text (
             GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog)))
                                           : NULL;
}

static void
save_answered_cb (const OdlWindowParts *parts,
                  const char *answer,
                  AdwMessageDialog *dialog)
{
  const char *name = answer_of (dialog, answer);
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe = *odl_session_recipe (parts->session);
  recipe.view = ODL_VIEW_SYNTHESIS;
  if (!name)
    return;
  if (!odl_library_save (&recipe, name, &error)) {
    say (parts, error);
    return;
  }
  odl_preset_bar_set_name (bar_of (parts), name);
  g_autofree char *text = g_strdup_printf (_ ("Saved as the preset “%s”"), name);
  odl_messages_say (parts->messages, text);
}

static void
save_preset_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *name = odl_preset_bar_name (bar_of (parts));
  ask_name (parts, _ ("Save as a Preset"), _ ("_Save"),
            name && odl_library_has (name) ? name : "", false,
            G_CALLBACK (save_answered_cb));
}

static void
rename_answered_cb (const OdlWindowParts *parts,
                    const char *answer,
                    AdwMessageDialog *dialog)
{
  const char *to = answer_of (dialog, answer);
  const char *name = odl_preset_bar_name (bar_of (parts));
  g_autoptr (GError) error = NULL;
  if (!to || !name || g_str_equal (to, name))
    return;
  if (odl_library_rename (name, to, &error))
    odl_preset_bar_set_name (bar_of (parts), to);
  else
    say (parts, error);
}

static void
rename_preset_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *name = own_preset (parts);
  if (name)
    ask_name (parts, _ ("Rename the Preset"), _ ("_Rename"), name, true,
              G_CALLBACK (rename_answered_cb));
}

static void
delete_answered_cb (const OdlWindowParts *parts,
                    const char *answer,
                    AdwMessageDialog *dialog)
{
  const char *name = odl_preset_bar_name (bar_of (parts));
  g_autoptr (GError) error = NULL;
  if (!g_str_equal (answer, "delete") || !name)
    return;
  if (odl_library_remove (name, &error))
    odl_preset_bar_set_name (bar_of (parts), NULL);
  else
    say (parts, error);
}

static void
delete_preset_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *name = own_preset (parts);
  if (!name)
    return;
  GtkWidget *widget = adw_message_dialog_new (GTK_WINDOW (parts->window),
                                              _ ("Delete the Preset?"), NULL);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_format_body (
      dialog, _ ("“%s” is removed for good; the filters of the picture stay."), name);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "delete",
                                    _ ("_Delete"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "delete", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (dialog, "cancel");
  odl_window_connect (parts, dialog, "response", G_CALLBACK (delete_answered_cb),
                      (void *) parts);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
import_from_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  const OdlWindowParts *parts = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = odl_library_import (path, &error);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!name || !odl_preset_bar_use (bar_of (parts), name, &error)
      || !odl_library_load (&recipe, name, &error)) {
    say (parts, error);
    return;
  }
  g_autofree char *text = g_strdup_printf (
      recipe.n_items > 0
          ? _ ("Imported as the preset “%s”")
          : _ ("Imported as the preset “%s”, which has settings, but no filters"),
      name);
  odl_messages_say (parts->messages, text);
}

static void
import_preset_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_file_chooser_ask (parts, _ ("Import a Preset"), GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                        import_from_cb, (void *) parts);
}

// ---- what pictures begin with --------------------------------------------------------

static const char *
kind_of (OdlSession *session)
{
  return odl_session_info (session)->capture ? "camera"
                                             : odl_session_detail (session, "modality");
}

// What pictures of `kind`, of those in `session`, begin with that have no default of
// their own. Transfer full; NULL: none.
static char *
wider_default (OdlSession *session, const char *kind)
{
  const char *own
      = g_str_has_prefix (kind, ODL_LIBRARY_DEVICE) ? kind_of (session) : NULL;
  char *name = own ? odl_library_default (own) : NULL;
  return name || g_str_equal (kind, "any") ? name : odl_library_default ("any");
}

static void
say_default (const OdlWindowParts *parts, const char *kind, bool ends)
{
  g_autofree char *wider = ends ? wider_default (parts->session, kind) : NULL;
  g_autofree char *text
      // Translators: a preset of which the pictures are a part.
      = wider
            ? g_strdup_printf (_ ("Such pictures begin with “%s” again, your preset for "
                                  "these and others"),
                               wider)
        : ends ? g_strdup (_ ("Such pictures begin without filters again"))
               : g_strdup (_ ("Such pictures begin with this preset from now on; a "
                              "message says so each time"));
  odl_messages_say (parts->messages, text);
}

// The preset in use for a kind of pictures, or none where it is that already.
static void
default_preset_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const char *kind = g_variant_get_string (parameter, NULL);
  const char *name = odl_preset_bar_name (bar_of (parts));
  g_autofree char *now = odl_library_default (kind);
  g_autoptr (GError) error = NULL;
  const bool ends = now && (!name || g_str_equal (now, name));
  if (!name && !now)
    odl_messages_say_of_state (parts->messages,
                               _ ("Choose a preset first, or save the filters as one."));
  else if (!odl_library_set_default (kind, ends ? NULL : name, &error))
    say (parts, error);
  else
    say_default (parts, kind, ends);
}

// That of the device comes before that of its kind, and this before that of all. Transfer
// full; NULL: none.
static char *
default_for (OdlSession *session)
{
  const char *device = odl_session_detail (session, "device");
  g_autofree char *exact = g_strconcat (ODL_LIBRARY_DEVICE, device, NULL);
  const char *kinds[] = { exact, kind_of (session), "any" };
  char *name = NULL;
  for (size_t i = 0; !name && i < G_N_ELEMENTS (kinds); i++)
    name = kinds[i] ? odl_library_default (kinds[i]) : NULL;
  return name;
}

// What comes before a picture shows nothing to people who do not know that.
static void
offer_picture (const OdlWindowParts *parts, OdlSession *session)
{
  if (!odl_session_detail (session, "beam-data"))
    return;
  odl_messages_offer (
      parts->messages,
      _ ("These are echoes along ultrasound beams, not yet a picture. “Envelope”, "
         "“Logarithmic compression” and “Scan conversion” make one of them."),
      _ ("_Make a Picture"), "win.use-preset", "despeckle-first");
}

static void
use_preset_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  g_autoptr (GError) error = NULL;
  if (!odl_preset_bar_use (bar_of (parts), g_variant_get_string (parameter, NULL),
                           &error))
    say (parts, error);
}

void
odl_window_begin_with_preset (const OdlWindowParts *parts, const OdlPane *pane)
{
  g_autoptr (GError) error = NULL;
  if (odl_session_recipe (pane->session)->n_items > 0)
    return;
  g_autofree char *name = default_for (pane->session);
  if (!name) {
    offer_picture (parts, pane->session);
    return;
  }
  if (!odl_preset_bar_use (odl_filter_panel_presets (pane->filter_panel), name, &error)) {
    say (parts, error);
    return;
  }
  g_autofree char *text
      = g_strdup_printf (_ ("Filtered by your preset for such pictures, “%s”. Ctrl+Z "
                            "shows the picture as it came."),
                         name);
  odl_messages_say (parts->messages, text);
}

// ---- life ----------------------------------------------------------------------------

void
odl_window_add_library (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "save-preset", G_CALLBACK (save_preset_cb) },
    { "rename-preset", G_CALLBACK (rename_preset_cb) },
    { "delete-preset", G_CALLBACK (delete_preset_cb) },
    { "import-preset", G_CALLBACK (import_preset_cb) },
    { "default-preset", G_CALLBACK (default_preset_cb), "s" },
    { "use-preset", G_CALLBACK (use_preset_cb), "s" },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
}
