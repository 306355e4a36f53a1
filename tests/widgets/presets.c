// SPDX-License-Identifier: MIT
// Presets in the real window: choosing, strength, saving, naming, what pictures begin
// with.
#include <adwaita.h>
#include <string.h>

#include "support/support.h"

#include "engine/received.h"
#include "filter/library.h"
#include "filter/presets.h"
#include "widgets/window/parts.h"

#include "../helpers/folder.h"
#include "../helpers/test_data.h"

static OdlPresetBar *
bar_of (Fixture *fixture)
{
  return odl_filter_panel_presets (odl_main_window_parts (fixture->window)->filter_panel);
}

static void
use (Fixture *fixture, const char *name)
{
  gtk_widget_activate_action (GTK_WIDGET (bar_of (fixture)), "panel.use-preset", "s",
                              name);
  settle (fixture);
}

// Answers the dialog that an action opens; with `name` in its entry.
static void
answer (Fixture *fixture, const char *action, const char *name, const char *response)
{
  activate (fixture, action, NULL);
  wait_until (fixture, asks, NULL);
  AdwMessageDialog *dialog = find_dialog ();
  if (name)
    gtk_editable_set_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog)),
                           name);
  g_assert_true (adw_message_dialog_get_response_enabled (dialog, response));
  adw_message_dialog_response (dialog, response);
  gtk_window_destroy (GTK_WINDOW (dialog)); // as its buttons do
  settle (fixture);
}

// Those that the program brings along; each takes the place of all filters.
static void
test_brought (Fixture *fixture, const void *data)
{
  OdlFilterPanel *panel = odl_main_window_parts (fixture->window)->filter_panel;
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian");
  for (size_t i = 0; i < odl_preset_count (); i++) {
    const OdlPreset *preset = odl_preset_at (i);
    OdlRecipe wanted;
    odl_recipe_init (&wanted);
    g_assert_true (odl_recipe_parse (&wanted, preset->name, NULL));
    use (fixture, preset->name);
    odl_measure_recipe (
        &wanted, &(OdlMeasured){ .image = odl_session_frame (fixture->session)->input });
    g_assert_true (odl_recipe_equal (odl_session_recipe (fixture->session), &wanted));
    g_assert_nonnull (odl_filter_panel_card (panel, wanted.n_items - 1));
    g_assert_null (odl_filter_panel_card (panel, wanted.n_items));
  }
}

static void
test_strength (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  GtkWidget *slider = find_widget (GTK_WIDGET (bar_of (fixture)), GTK_TYPE_SCALE);
  g_assert_false (gtk_widget_get_mapped (slider)); // there is nothing to be strong
  g_assert_true (has_label (GTK_WIDGET (bar_of (fixture)), "No filters"));
  use (fixture, "ultrasound-soft");
  g_assert_true (has_label (GTK_WIDGET (bar_of (fixture)), "Ultrasound, Soft"));
  GtkAdjustment *strength = gtk_range_get_adjustment (GTK_RANGE (slider));
  for (int i = 0; i < 5; i++)
    gtk_adjustment_set_value (strength, 100 + 10 * i);
  settle (fixture);
  g_assert_cmpfloat (recipe_of (fixture)->strength, ==, 1.4);
  g_assert_true (has_label (GTK_WIDGET (bar_of (fixture)), "numbers at 100 %"));
  // The numbers stay as they are written, and the preset is still that one.
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "steps", 0), ==, 15);
  g_assert_cmpstr (odl_preset_bar_name (bar_of (fixture)), ==, "ultrasound-soft");
  activate_and_settle (fixture, "undo", NULL); // the whole drag
  g_assert_cmpfloat (recipe_of (fixture)->strength, ==, 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (strength), ==, 100);
  g_assert_false (has_label (GTK_WIDGET (bar_of (fixture)), "numbers at 100 %"));
  // A changed number makes it another one, which the name says.
  OdlRecipe changed = *recipe_of (fixture);
  odl_recipe_set (&changed, 0, "steps", 0, 16);
  odl_session_set_recipe (fixture->session, &changed, NULL);
  settle (fixture);
  g_assert_null (odl_preset_bar_name (bar_of (fixture)));
  g_assert_true (has_label (GTK_WIDGET (bar_of (fixture)), "Ultrasound, Soft, changed"));
  set_filters (fixture, "median");
  g_assert_false (gtk_widget_is_sensitive (slider));
}

static void
test_own (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "soft-threshold:threshold=0.1 view=analysis");
  answer (fixture, "save-preset", "Knee", "name");
  g_assert_true (odl_library_has ("Knee"));
  g_assert_cmpstr (odl_preset_bar_name (bar_of (fixture)), ==, "Knee");
  use (fixture, "ultrasound-strong");
  use (fixture, "Knee");
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "soft-threshold");
  g_assert_cmpint (recipe_of (fixture)->view, ==, ODL_VIEW_SYNTHESIS);
  answer (fixture, "rename-preset", "Knee, left", "name");
  g_assert_false (odl_library_has ("Knee"));
  g_assert_true (odl_library_has ("Knee, left"));
  // No name that another one has: nothing is replaced.
  OdlRecipe hip;
  odl_recipe_init (&hip);
  g_assert_true (odl_library_save (&hip, "Hip", NULL));
  activate (fixture, "rename-preset", NULL);
  wait_until (fixture, asks, NULL);
  GtkWidget *dialog = GTK_WIDGET (find_dialog ());
  GtkWidget *entry = adw_message_dialog_get_extra_child (find_dialog ());
  g_assert_false (has_label (dialog, "There is a preset of this name"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "Hip");
  g_assert_true (has_label (dialog, "already; choose another one"));
  g_assert_false (adw_message_dialog_get_response_enabled (find_dialog (), "name"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  settle (fixture);
  g_assert_true (odl_library_remove ("Hip", NULL));
  answer (fixture, "delete-preset", NULL, "cancel");
  g_assert_true (odl_library_has ("Knee, left"));
  answer (fixture, "delete-preset", NULL, "delete");
  g_assert_false (odl_library_has ("Knee, left"));
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 1); // the filters stay
  // Those of the program stay.
  use (fixture, "ct");
  activate (fixture, "delete-preset", NULL);
  wait_until (fixture, has_toast, "preset of your own");
  g_assert_null (find_dialog ());
}

// Of a newer version: a sentence, and the filters stay.
static void
test_unusable (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  g_autofree char *folder
      = g_build_filename (g_get_user_data_dir (), "ondelette", "presets", NULL);
  g_autofree char *preset = g_build_filename (folder, "new.txt", NULL);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian");
  g_mkdir_with_parents (folder, 0700);
  g_assert_true (
      g_file_set_contents (preset, "# Ondelette recipe, format 2\nwonder\n", -1, NULL));
  use (fixture, "new");
  wait_until (fixture, has_toast, "newer version");
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "gaussian");
  g_assert_true (g_file_set_contents (preset, "", -1, NULL));
  use (fixture, "new");
  wait_until (fixture, has_toast, "this preset is empty");
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "gaussian");
  g_unlink (preset);
}

static void
test_defaults (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 64, 48, false);
  g_autofree char *b = write_png (fixture, "b.png", 64, 48, false);
  open_and_wait (fixture, a);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 0);
  activate (fixture, "default-preset", "'any'");
  wait_until (fixture, has_toast, "Choose a preset first");
  use (fixture, "ultrasound-soft");
  activate (fixture, "default-preset", "'any'");
  open_and_wait (fixture, b);
  wait_until (fixture, has_toast, "ultrasound-soft");
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "srad");
  activate_and_settle (fixture, "undo", NULL); // as it came
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 0);
  use (fixture, "ultrasound-soft");
  activate (fixture, "default-preset", "'any'"); // no longer
  open_and_wait (fixture, a);
  settle (fixture);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 0);
}

// The scanner's comes before that of its modality, and this before that of all.
static void
test_devices (Fixture *fixture, const void *data)
{
  static const struct {
    const char *kind, *preset, *file;
  } rows[] = {
    { "any", "ct", "dicom-test-files/REF/CT1_UNC" },
    { "US", "ultrasound-soft", "pydicom-data/OBXXXX1A.dcm" },
    { "device:G.E. Medical Systems LOGIQ 700", "x-ray", "pydicom-data/US1_UNCR.dcm" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_true (odl_library_set_default (rows[i].kind, rows[i].preset, NULL));
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = odl_test_data (rows[i].file);
    if (path == NULL)
      break;
    open_and_wait (fixture, path);
    settle (fixture);
    g_assert_cmpstr (odl_preset_bar_name (bar_of (fixture)), ==, rows[i].preset);
    // As the menu of what is shown does it.
    g_autofree char *target = g_strdup_printf ("'%s'", rows[i].kind);
    activate (fixture, "default-preset", target);
    g_assert_null (odl_library_default (rows[i].kind));
    // What holds then is said.
    g_autofree char *wider
        = i > 0 ? g_strdup_printf ("begin with “%s” again", rows[i - 1].preset)
                : g_strdup ("without filters again");
    g_assert_true (has_toast (fixture, wider));
    activate (fixture, "default-preset", target);
    activate_and_settle (fixture, "clear-recipe", NULL);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_true (odl_library_set_default (rows[i].kind, NULL, NULL));
}

static void
test_folded (Fixture *fixture, const void *data)
{
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  GtkExpander *expander = odl_filter_panel_parameters (parts->filter_panel);
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  g_assert_true (gtk_expander_get_expanded (expander));
  g_assert_true (gtk_widget_get_mapped (odl_filter_panel_card (parts->filter_panel, 0)));
  gtk_expander_set_expanded (expander, FALSE);
  run_cycles (fixture, 2);
  g_assert_false (gtk_widget_get_mapped (odl_filter_panel_card (parts->filter_panel, 0)));
  g_assert_false (odl_settings_get_boolean (fixture->settings, "show-parameters"));
  gtk_expander_set_expanded (expander, TRUE);
}

static bool
has_focus (Fixture *fixture, const void *widget)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (fixture->window));
  return focus
         && (focus == widget || gtk_widget_is_ancestor (focus, GTK_WIDGET (widget)));
}

static bool
is_primary (GtkWidget *widget, const void *data)
{
  return GTK_IS_MENU_BUTTON (widget)
         && gtk_menu_button_get_primary (GTK_MENU_BUTTON (widget));
}

// Space opened the menu again after a choice by pointer, and did not play.
static void
test_focus (Fixture *fixture, const void *data)
{
  open_and_wait (fixture, "phantom:64x48");
  GtkWidget *preset = find_widget (GTK_WIDGET (bar_of (fixture)), GTK_TYPE_MENU_BUTTON);
  GtkWidget *main_menu = find_where (GTK_WIDGET (fixture->window), is_primary, NULL);
  for (int i = 0; i < 4; i++) {
    const int keys = i % 2;
    GtkWidget *button = i < 2 ? preset : main_menu;
    gtk_widget_child_focus (button, GTK_DIR_TAB_FORWARD);
    gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), keys == 1);
    g_assert_true (has_focus (fixture, button));
    gtk_menu_button_popup (GTK_MENU_BUTTON (button));
    run_cycles (fixture, 4);
    // In a page of its own, of a submenu, the focus was left behind.
    if (button == main_menu) {
      GtkWidget *menu
          = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)));
      GtkWidget *stack = find_widget (menu, GTK_TYPE_STACK);
      gtk_stack_set_visible_child (GTK_STACK (stack), gtk_widget_get_last_child (stack));
      run_cycles (fixture, 4);
      gtk_widget_child_focus (gtk_widget_get_last_child (stack), GTK_DIR_TAB_FORWARD);
    }
    gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), keys == 1);
    gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
    if (keys)
      let_pass (300);
    wait_until (fixture, has_focus, keys ? (void *) button : (void *) fixture->viewport);
  }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-presets-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  need_display (&argc, &argv);
  ADD ("/presets/each-takes-the-place-of-all-filters", test_brought);
  ADD ("/presets/strength-is-one-slider", test_strength);
  ADD ("/presets/of-ones-own", test_own);
  ADD ("/presets/what-cannot-be-used-is-said", test_unusable);
  ADD ("/presets/pictures-begin-with-one-on-request", test_defaults);
  ADD ("/presets/those-of-a-device-come-first", test_devices);
  ADD ("/presets/numbers-fold-away", test_folded);
  ADD ("/presets/the-picture-has-the-keys-after-a-choice-by-pointer", test_focus);
  return odl_test_run_in (g_steal_pointer (&folder));
}
