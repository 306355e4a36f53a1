// SPDX-License-Identifier: MIT
#include "widgets/panels/preset_bar.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "filter/library.h"
#include "filter/measure.h"
#include "filter/presets.h"
#include "filter/strength.h"
#include "widgets/panels/parameters/number_field.h"

#define PERCENT 100.0
#define STEP 5.0
#define PAGE 25.0
#define TAG "strength"
#define MOST_IN_MENU 32 // characters of a name

struct _OdlPresetBar {
  GtkWidget parent_instance;
  OdlSession *session;
  GtkWidget *list;
  GtkMenuButton *button;
  GtkLabel *label; // of the button
  GtkWidget *strength; // its row
  GtkWidget *scaled; // that the filters' own numbers are others
  GtkAdjustment *adjustment; // percent
  char *name; // of the preset in use; NULL: none
  OdlRecipe used; // what its filters were
  bool updating;
};

G_DEFINE_FINAL_TYPE (OdlPresetBar, odl_preset_bar, GTK_TYPE_WIDGET)

// ---- which preset --------------------------------------------------------------------

// The same filters, however strong and whatever is looked at.
static bool
is_same (const OdlRecipe *recipe, const OdlRecipe *used)
{
  OdlRecipe other = *used;
  other.strength = recipe->strength;
  other.view = recipe->view;
  return odl_recipe_equal (recipe, &other);
}

// A preset that was chosen before there was a picture gets its numbers from the first.
static void
take_measured (OdlPresetBar *self, const OdlRecipe *recipe)
{
  if (!self->name || odl_recipe_is_measured (&self->used)
      || self->used.n_items != recipe->n_items)
    return;
  for (int i = 0; i < recipe->n_items; i++)
    if (self->used.items[i].filter != recipe->items[i].filter)
      return;
  self->used = *recipe;
}

const char *
odl_preset_bar_name (OdlPresetBar *self)
{
  return self->name && is_same (odl_session_recipe (self->session), &self->used)
             ? self->name
             : NULL;
}

static const char *
title_of (const char *name)
{
  const OdlPreset *preset = odl_library_has (name) ? NULL : odl_preset_find (name);
  return preset ? _ (preset->label) : name;
}

static char *
describe (OdlPresetBar *self, const OdlRecipe *recipe)
{
  const char *name = odl_preset_bar_name (self);
  if (recipe->n_items == 0)
    return g_strdup (_ ("No filters"));
  if (name)
    return g_strdup (title_of (name));
  if (self->name)
    // Translators: a preset that was changed since it was chosen.
    return g_strdup_printf (_ ("%s, changed"), title_of (self->name));
  return g_strdup (_ ("Filters of your own"));
}

static void
recipe_cb (OdlPresetBar *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  take_measured (self, recipe);
  g_autofree char *text = describe (self, recipe);
  gtk_label_set_text (self->label, text);
  const bool acts = odl_recipe_has_strength (recipe);
  gtk_widget_set_visible (self->strength, recipe->n_items > 0);
  gtk_widget_set_sensitive (self->strength, acts);
  gtk_widget_set_visible (self->scaled, acts && recipe->strength != 1);
  gtk_widget_set_tooltip_text (
      self->strength, acts
                          ? _ ("How much the filters do: nothing at 0, as the preset has "
                               "it at 100. Double-click resets.")
                          : _ ("These filters do all or nothing."));
  self->updating = true;
  gtk_adjustment_set_value (self->adjustment, PERCENT * recipe->strength);
  self->updating = false;
}

bool
odl_preset_bar_use (OdlPresetBar *self, const char *name, GError **error)
{
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (!odl_library_load (&recipe, name, error))
    return false;
  odl_session_set_recipe (self->session, &recipe, NULL);
  // A second picture may still be on its way, or be missing: then nothing was set.
  const OdlRecipe *set = odl_session_recipe (self->session);
  char *kept = g_strdup (name); // it may be self->name
  g_free (self->name);
  self->name = kept;
  self->used = set->n_items == recipe.n_items ? *set : recipe;
  take_measured (self, set);
  recipe_cb (self);
  return true;
}

void
odl_preset_bar_set_name (OdlPresetBar *self, const char *name)
{
  char *kept = g_strdup (name); // it may be self->name
  g_free (self->name);
  self->name = kept;
  self->used = *odl_session_recipe (self->session);
  recipe_cb (self);
}

// ---- strength ------------------------------------------------------------------------

static void
set_strength (OdlPresetBar *self, double strength)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  recipe.strength = strength;
  odl_session_set_recipe (self->session, &recipe, TAG);
}

static void
strength_cb (OdlPresetBar *self)
{
  if (!self->updating)
    set_strength (self, round (gtk_adjustment_get_value (self->adjustment)) / PERCENT);
}

static void
pressed_cb (GtkGestureClick *click, int n, double x, double y, OdlPresetBar *self)
{
  if (n != 2)
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  set_strength (self, 1);
}

// ---- the menu ------------------------------------------------------------------------

static void
add_item (GMenu *menu, const char *label, const char *action, const char *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  if (target)
    g_menu_item_set_action_and_target (item, action, "s", target);
  else
    g_menu_item_set_action_and_target (item, action, NULL);
  g_menu_append_item (menu, item);
}

static GMenu *
add_section (GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return section; // `menu` keeps it
}

// Labels of menus take an underline for a mnemonic, and all of their width; of a long
// name the beginning and the end tell it from others. Transfer full.
static char *
plain (const char *text)
{
  const long n = g_utf8_strlen (text, -1);
  g_autofree char *first = g_utf8_substring (text, 0, MIN (n, MOST_IN_MENU / 2));
  g_autofree char *last = g_utf8_substring (text, MAX (n - MOST_IN_MENU / 2, 0), n);
  g_autofree char *shown
      = n > MOST_IN_MENU ? g_strconcat (first, "…", last, NULL) : g_strdup (text);
  g_auto (GStrv) parts = g_strsplit (shown, "_", -1);
  return g_strjoinv ("__", parts);
}

static void
add_default (OdlPresetBar *self, GMenu *menu, const char *kind, const char *of, char *end)
{
  g_autofree char *text = end;
  g_autofree char *now = odl_library_default (kind);
  g_autofree char *shown = now ? plain (title_of (now)) : NULL;
  const char *name = odl_preset_bar_name (self);
  if (now && g_strcmp0 (now, name) == 0)
    add_item (menu, text, "win.default-preset", kind);
  else if (now) {
    // Translators: an entry of a menu, and the preset that is in its place now.
    g_autofree char *label = g_strdup_printf (_ ("%s (now: %s)"), of, shown);
    add_item (menu, label, "win.default-preset", kind);
  } else {
    add_item (menu, of, "win.default-preset", kind);
  }
}

static void
add_defaults (OdlPresetBar *self, GMenu *menu)
{
  const char *modality = odl_session_detail (self->session, "modality");
  const char *device = odl_session_detail (self->session, "device");
  add_default (self, menu, "any", _ ("All Pictures"),
               g_strdup (_ ("No Longer All Pictures")));
  add_default (self, menu, "camera", _ ("Cameras"), g_strdup (_ ("No Longer Cameras")));
  if (modality && *modality) {
    g_autofree char *kind = plain (modality);
    // Translators: the kind of examination as DICOM names it: US, CT, MR …
    g_autofree char *of = g_strdup_printf (_ ("%s Pictures"), kind);
    add_default (self, menu, modality, of,
                 // Translators: the kind of examination as DICOM names it: US, CT, MR …
                 g_strdup_printf (_ ("No Longer %s Pictures"), kind));
  }
  if (device && *device) {
    g_autofree char *kind = g_strconcat (ODL_LIBRARY_DEVICE, device, NULL);
    g_autofree char *of = plain (device);
    // Translators: the name of a scanner or a camera.
    add_default (self, menu, kind, of, g_strdup_printf (_ ("No Longer %s"), of));
  }
}

static GMenu *
make_menu (OdlPresetBar *self)
{
  GMenu *menu = g_menu_new ();
  GMenu *section = add_section (menu);
  for (size_t i = 0; i < odl_preset_count (); i++)
    add_item (section, _ (odl_preset_at (i)->label), "panel.use-preset",
              odl_preset_at (i)->name);
  section = add_section (menu);
  g_auto (GStrv) own = odl_library_names ();
  for (int i = 0; own[i]; i++) {
    g_autofree char *label = plain (own[i]);
    add_item (section, label, "panel.use-preset", own[i]);
  }
  section = add_section (menu);
  add_item (section, _ ("_Save as a Preset…"), "win.save-preset", NULL);
  add_item (section, _ ("_Rename…"), "win.rename-preset", NULL);
  add_item (section, _ ("_Delete…"), "win.delete-preset", NULL);
  add_item (section, _ ("_Import…"), "win.import-preset", NULL);
  add_item (section, _ ("_Export…"), "win.save-recipe", NULL);
  g_autoptr (GMenu) defaults = g_menu_new ();
  add_defaults (self, defaults);
  g_menu_append_submenu (add_section (menu), _ ("_Begin Pictures With It"),
                         G_MENU_MODEL (defaults));
  section = add_section (menu);
  add_item (section, _ ("_Remove All Filters"), "win.clear-recipe", NULL);
  return menu;
}

static void
fill_cb (GtkMenuButton *button, void *data)
{
  g_autoptr (GMenu) menu = make_menu (data);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

// ---- widget --------------------------------------------------------------------------

static GtkWidget *
add_row (OdlPresetBar *self, GtkWidget *child)
{
  GtkWidget *row = gtk_list_box_row_new ();
  gtk_widget_add_css_class (child, "parameter");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  return row;
}

static void
name_control (GtkWidget *control, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

static GtkWidget *
make_button (OdlPresetBar *self)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  self->button = GTK_MENU_BUTTON (button);
  self->label = GTK_LABEL (label);
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->label, 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("pan-down-symbolic"));
  gtk_menu_button_set_child (self->button, box);
  gtk_menu_button_set_create_popup_func (self->button, fill_cb, self, NULL);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_tooltip_text (button, _ ("Filters by name, and your own"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Preset"), -1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (button),
                                  GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, label, NULL, -1);
  return button;
}

static GtkWidget *
make_slider (OdlPresetBar *self)
{
  GtkWidget *slider = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_scale_add_mark (GTK_SCALE (slider), PERCENT, GTK_POS_BOTTOM, NULL);
  odl_number_field_leave_wheel (slider);
  name_control (slider, _ ("Strength"));
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (slider, GTK_EVENT_CONTROLLER (click));
  return slider;
}

static GtkWidget *
make_strength (OdlPresetBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (_ ("Strength"));
  self->adjustment
      = gtk_adjustment_new (PERCENT, 0, PERCENT * ODL_MOST_STRENGTH, STEP, PAGE, 0);
  GtkWidget *entry = gtk_spin_button_new (self->adjustment, STEP, 0);
  odl_number_field_set_up (GTK_SPIN_BUTTON (entry), self->session, true);
  name_control (entry, _ ("Strength"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), entry);
  gtk_box_append (GTK_BOX (line), gtk_label_new ("%"));
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), make_slider (self));
  self->scaled = gtk_label_new (
      _ ("The filters below have their numbers at 100 %; the badge has those that act."));
  gtk_label_set_wrap (GTK_LABEL (self->scaled), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->scaled), 0);
  gtk_widget_add_css_class (self->scaled, "caption");
  gtk_widget_add_css_class (self->scaled, "dim-label");
  gtk_box_append (GTK_BOX (box), self->scaled);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (strength_cb),
                           self, G_CONNECT_SWAPPED);
  return box;
}

void
odl_preset_bar_set_up (OdlPresetBar *self, OdlSession *session)
{
  g_set_object (&self->session, session);
  odl_recipe_init (&self->used);
  add_row (self, make_button (self));
  self->strength = add_row (self, make_strength (self));
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (recipe_cb), self,
                           G_CONNECT_SWAPPED);
  recipe_cb (self);
}

static void
odl_preset_bar_dispose (GObject *object)
{
  OdlPresetBar *self = ODL_PRESET_BAR (object);
  g_clear_pointer (&self->list, gtk_widget_unparent);
  g_clear_pointer (&self->name, g_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_preset_bar_parent_class)->dispose (object);
}

static void
odl_preset_bar_class_init (OdlPresetBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_preset_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass),
                                            GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass),
                                        GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
odl_preset_bar_init (OdlPresetBar *self)
{
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Preset"), -1);
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
}
