// SPDX-License-Identifier: MIT
#include "widgets/windows/preferences_window.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/error.h"
#include "widgets/archive/nodes_page.h"
#include "widgets/arrays.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/parameters/number_field.h"
#include "widgets/preferences.h"
#include "widgets/trust_group.h"
#include "widgets/units.h"
#include "widgets/window/files/files.h"
#include "widgets/window/commands.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"
#include "widgets/windows/keys_page.h"
#include "widgets/windows/mouse_group.h"

#define WIDTH 520
#define HEIGHT 640
#define UPDATE_MS 500

#define MAX_RATE 1000
#define BEGIN_KEY "stacks-begin"
#define MOST_BYTES 65536 // of a measurement

typedef struct {
  OdlMainWindow *window; // referenced
  OdlSession *session; // referenced
  OdlSettings *settings;
  const OdlWindowParts *parts;
  AdwActionRow *use;
  AdwActionRow *screen;
  GtkWidget *forget_screen;
} Preferences;

static void
preferences_free (void *data)
{
  Preferences *preferences = data;
  g_object_unref (preferences->session);
  g_object_unref (preferences->window);
  g_object_unref (preferences->settings);
  g_free (preferences);
}

static void
apply (Preferences *preferences)
{
  const OdlWindowParts *parts = odl_main_window_parts (preferences->window);
  if (parts->session) // the window was not closed meanwhile
    odl_window_tell (parts, "preferences", NULL);
}

static void
update (Preferences *preferences)
{
  OdlSession *session = preferences->session;
  g_autofree char *text = odl_diagnostics_cache (
      odl_playback_stats (odl_session_playback (session)).cached_frames,
      odl_playback_stats (odl_session_playback (session)).cached_bytes,
      odl_playback_cache_bytes (odl_session_playback (session)));
  adw_action_row_set_subtitle (preferences->use, text);
}

static gboolean
update_cb (void *data)
{
  update (data);
  return G_SOURCE_CONTINUE;
}

static void
changed_cb (GtkSpinButton *entry, Preferences *preferences)
{
  odl_settings_set_int (preferences->settings,
                        g_object_get_data (G_OBJECT (entry), "key"),
                        gtk_spin_button_get_value_as_int (entry));
  apply (preferences);
  update (preferences);
}

// A row for `entry`, which sets `key`.
static GtkWidget *
setting_row (const char *key, const char *title, const char *subtitle, GtkWidget *entry)
{
  GtkWidget *row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  g_object_set_data (G_OBJECT (entry), "key", (void *) key);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, subtitle,
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), entry);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), entry);
  return row;
}

// A number of the settings; changes take effect immediately.
static GtkWidget *
number_row (Preferences *preferences,
            const char *key,
            const char *title,
            const char *subtitle,
            GtkWidget *entry)
{
  GtkWidget *row = setting_row (key, title, subtitle, entry);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry),
                             odl_settings_get_int (preferences->settings, key));
  odl_number_field_set_up (GTK_SPIN_BUTTON (entry), preferences->session, true);
  g_signal_connect (entry, "value-changed", G_CALLBACK (changed_cb), preferences);
  return row;
}

static GtkWidget *
cache_row (Preferences *preferences)
{
  g_autofree char *subtitle
      = g_strdup_printf (_ ("Frames that were read once are shown again at once. 0: a "
                            "quarter of the memory, at most 2 GiB (here %d)"),
                         (int) (odl_playback_default_cache_bytes () / ODL_PREFERENCE_MB));
  return number_row (preferences, ODL_PREFERENCE_CACHE, _ ("Memory for frames (MiB)"),
                     subtitle,
                     gtk_spin_button_new_with_range (0, ODL_PREFERENCE_MOST_MB, 64));
}

static GtkWidget *
rate_row (Preferences *preferences)
{
  return number_row (preferences, ODL_PREFERENCE_RATE,
                     _ ("Rate of numbered pictures (fps)"),
                     _ ("Frames per second of everything that states no rate itself"),
                     gtk_spin_button_new_with_range (1, MAX_RATE, 1));
}

static GtkWidget *
playing_group (Preferences *preferences)
{
  GtkWidget *group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Playing"));
  preferences->use = ADW_ACTION_ROW (adw_action_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (preferences->use), _ ("In use"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), rate_row (preferences));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), cache_row (preferences));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                             GTK_WIDGET (preferences->use));
  return group;
}

static void
switched_cb (GtkSwitch *toggle, GParamSpec *spec, Preferences *preferences)
{
  odl_settings_set_boolean (preferences->settings,
                            g_object_get_data (G_OBJECT (toggle), "key"),
                            gtk_switch_get_active (toggle));
  apply (preferences);
}

// A switch of the settings.
static GtkWidget *
switch_row (Preferences *preferences,
            const char *key,
            const char *title,
            const char *subtitle)
{
  GtkWidget *toggle = gtk_switch_new ();
  GtkWidget *row = setting_row (key, title, subtitle, toggle);

  gtk_switch_set_active (GTK_SWITCH (toggle),
                         odl_settings_get_boolean (preferences->settings, key));
  g_signal_connect (toggle, "notify::active", G_CALLBACK (switched_cb), preferences);
  return row;
}

static const char *const begin_keys[] = { "first", "middle" };

static void
begin_cb (AdwComboRow *row, GParamSpec *spec, Preferences *preferences)
{
  odl_settings_set_string (preferences->settings, BEGIN_KEY,
                           begin_keys[adw_combo_row_get_selected (row)]);
}

static GtkWidget *
begin_row (Preferences *preferences)
{
  const char *const names[] = { _ ("First slice"), _ ("Middle slice"), NULL };
  g_autoptr (GtkStringList) places = gtk_string_list_new (names);
  g_autofree char *begin = odl_settings_get_string (preferences->settings, BEGIN_KEY);
  GtkWidget *row = adw_combo_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("A series begins at its"));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (places));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), g_str_equal (begin, begin_keys[1]));
  g_signal_connect (row, "notify::selected", G_CALLBACK (begin_cb), preferences);
  return row;
}

static GtkWidget *
files_group (Preferences *preferences)
{
  GtkWidget *group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Files"));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      switch_row (preferences, ODL_PREFERENCE_KEEPS_VIEW,
                  _ ("Keep grey levels, zoom and place"),
                  _ ("For the next picture of the same size and kind. Inverted, turned "
                     "and mirrored pictures start as they came")));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), begin_row (preferences));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      switch_row (preferences, ODL_PREFERENCE_MEASURED, _ ("Keep what was measured"),
                  _ ("In your data folder, to be there when the file is opened again; "
                     "the file itself is not changed")));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      switch_row (preferences, ODL_PREFERENCE_SANDBOX, _ ("Open files without a sandbox"),
                  _ ("Only where the system refuses the sandbox (seccomp) that keeps a "
                     "damaged or hostile file from doing harm")));
  return group;
}

// ---- numbers -------------------------------------------------------------------------

static void
unit_cb (AdwComboRow *row, GParamSpec *spec, Preferences *preferences)
{
  odl_settings_set_string (preferences->settings, ODL_PREFERENCE_UNIT,
                           odl_unit_keys[adw_combo_row_get_selected (row)]);
  apply (preferences);
}

static GtkWidget *
numbers_group (Preferences *preferences)
{
  const char *const names[]
      = { _ ("As the file has them"), _ ("Shares of full scale"), _ ("0 to 255"), NULL };
  g_autoptr (GtkStringList) units = gtk_string_list_new (names);
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_combo_row_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Numbers"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Unit of values"));
  // Beside a subtitle the choice would have no room.
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (group),
      _ ("Under the pointer, in measurements, and on the cards of filters. Recipes have "
         "shares of full scale, grey levels the values of the file"));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (units));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), odl_units_of (preferences->session));
  g_signal_connect (row, "notify::selected", G_CALLBACK (unit_cb), preferences);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

static void
changed_mouse_cb (void *data)
{
  apply (data);
}

// ---- the screen ----------------------------------------------------------------------

static void
show_screen (Preferences *preferences, const char *problem)
{
  const OdlMonitor *screen = odl_viewport_screen (preferences->parts->viewport);
  g_autofree char *state = odl_diagnostics_screen (screen);
  g_autofree char *text
      = problem ? g_strdup_printf ("%s\n%s", problem, state) : g_strdup (state);
  adw_action_row_set_subtitle (preferences->screen, text);
  gtk_widget_set_visible (preferences->forget_screen, screen != NULL);
}

static void
take_screen (Preferences *preferences, const char *text)
{
  odl_settings_set_string (preferences->settings, ODL_PREFERENCE_SCREEN, text);
  odl_window_tell (preferences->parts, "preferences", NULL);
  show_screen (preferences, NULL);
}

// With the day on which it was loaded, where it names none.
static char *
with_date (const char *text, const OdlMonitor *screen)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");
  return *screen->date ? g_strdup (text)
                       : g_strdup_printf ("%s\ndate, %s\n", text, today);
}

// Of a short file; nothing else is a measurement.
static bool
read_text (const char *path, const char *name, char **text, GError **error)
{
  g_autoptr (GError) cause = NULL;
  gsize length = 0;
  GStatBuf status;
  if (g_stat (path, &status) != 0 || !S_ISREG (status.st_mode)
      || status.st_size > MOST_BYTES || !g_file_get_contents (path, text, &length, &cause)
      || !g_utf8_validate (*text, (gssize) length, NULL)) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, "%s: %s", name,
                 cause ? cause->message : _ ("it is no short text, as a measurement is"));
    return false;
  }
  return true;
}

static char *
read_screen (GFile *file, GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = NULL;
  OdlMonitor screen;
  if (!read_text (path, name, &text, error))
    return NULL;
  if (!odl_monitor_parse (&screen, text, error)) {
    g_prefix_error (error, "%s: ", name);
    return NULL;
  }
  return with_date (text, &screen);
}

void
odl_preferences_load_screen (OdlMainWindow *parent, GFile *file)
{
  g_autoptr (GError) error = NULL;
  GtkWindow *window = g_object_get_data (G_OBJECT (parent), "odl-preferences");
  Preferences *preferences
      = window ? g_object_get_data (G_OBJECT (window), "preferences") : NULL;
  g_autofree char *text = read_screen (file, &error);
  if (!preferences)
    return;
  if (text)
    take_screen (preferences, text);
  else
    show_screen (preferences, error->message);
}

static void
screen_chosen_cb (GtkFileChooser *chooser, GFile *file, void *parts)
{
  odl_preferences_load_screen (((const OdlWindowParts *) parts)->window, file);
}

static void
load_screen_cb (Preferences *preferences)
{
  odl_file_chooser_ask (preferences->parts, _ ("Load a Measurement of the Screen"),
                        GTK_FILE_CHOOSER_ACTION_OPEN, NULL, screen_chosen_cb,
                        (void *) preferences->parts);
}

static void
forget_screen_cb (Preferences *preferences)
{
  take_screen (preferences, "");
}

static GtkWidget *
screen_group (Preferences *preferences)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *load = gtk_button_new_with_mnemonic (_ ("_Load…"));
  GtkWidget *forget = gtk_button_new_with_mnemonic (_ ("_Remove"));
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Screen"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (group),
      _ ("With a measurement of the luminance at 18 levels of grey (lines such as “15, "
         "0.62”, in cd/m²; “ambient, 0.2” for the room's light) equal steps of grey look "
         "equal, as DICOM's standard display function has it. For grey pictures on the "
         "screen that was measured."));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Grey levels"));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_widget_set_valign (load, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (forget, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (load, "clicked", G_CALLBACK (load_screen_cb), preferences);
  g_signal_connect_swapped (forget, "clicked", G_CALLBACK (forget_screen_cb),
                            preferences);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), forget);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), load);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  preferences->screen = ADW_ACTION_ROW (row);
  preferences->forget_screen = forget;
  show_screen (preferences, NULL);
  return group;
}

static void
keys_cb (void *data)
{
  const Preferences *preferences = data;
  GtkApplication *application
      = gtk_window_get_application (GTK_WINDOW (preferences->window));
  if (application)
    odl_commands_renew (application);
}

static void
gone_cb (GtkWindow *parent, GObject *window)
{
  if (g_object_get_data (G_OBJECT (parent), "odl-preferences") == window)
    g_object_set_data (G_OBJECT (parent), "odl-preferences", NULL);
}

// ---- how filters are computed --------------------------------------------------------

typedef struct {
  OdlSession *session; // referenced
  AdwComboRow *engine;
  AdwComboRow *precision;
  AdwComboRow *border;
  bool updating;
} Computation;

static const int precisions[] = { 16, 32 };

static void
computation_free (void *data)
{
  Computation *self = data;
  g_object_unref (self->session);
  g_free (self);
}

// What computes the picture now, and why, where that is not what was asked for.
static char *
describe_engine (const Computation *self)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  const OdlEngineChoice asked = odl_session_engine_request (self->session)->choice;
  const char *note = odl_session_note (self->session);
  if (!frame || frame->plan->result == frame->plan->source)
    return g_strdup (_ ("Nothing to compute: no filter acts"));
  g_autofree char *engine = odl_diagnostics_engine (
      (OdlEngineChoice){ frame->engine, frame->variant }, asked);
  // Translators: an engine.
  g_autofree char *now = g_strdup_printf (_ ("Now: %s"), engine);
  return note ? g_strdup_printf ("%s; %s", now, note) : g_steal_pointer (&now);
}

static guint
index_of_engine (const Computation *self)
{
  const OdlEngineClass *klass = odl_session_engine_request (self->session)->choice.klass;
  for (size_t i = 0; i < odl_engine_count (); i++)
    if (odl_engine_at (i) == klass)
      return (guint) i + 1;
  return 0;
}

static void
show_computation (Computation *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const bool has_wavelet = odl_recipe_last_wavelet_item (recipe) >= 0;
  g_autofree char *engine = describe_engine (self);
  self->updating = true;
  adw_combo_row_set_selected (self->engine, index_of_engine (self));
  adw_combo_row_set_selected (self->precision,
                              recipe->precision == precisions[0] ? 0 : 1);
  adw_combo_row_set_selected (self->border, recipe->border);
  self->updating = false;
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->engine), engine);
  gtk_widget_set_sensitive (GTK_WIDGET (self->border), has_wavelet);
  adw_action_row_set_subtitle (
      ADW_ACTION_ROW (self->border),
      has_wavelet ? _ ("What stands beyond the edges of the picture for wavelet filters")
                  : _ ("Of wavelet filters, which are not among those in use"));
}

static void
computation_changed_cb (GtkWidget *group)
{
  show_computation (g_object_get_data (G_OBJECT (group), "computation"));
}

static void
engine_cb (AdwComboRow *row, GParamSpec *spec, Computation *self)
{
  const guint selected = adw_combo_row_get_selected (row);
  if (!self->updating && selected != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (GTK_WIDGET (row), "main.engine", "s",
                                selected == 0 ? ODL_ENGINE_AUTO
                                              : odl_engine_at (selected - 1)->name);
}

static void
precision_cb (AdwComboRow *row, GParamSpec *spec, Computation *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->updating)
    return;
  recipe.precision = precisions[adw_combo_row_get_selected (row) == 0 ? 0 : 1];
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
border_cb (AdwComboRow *row, GParamSpec *spec, Computation *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (self->updating)
    return;
  recipe.border = (OdlBorderChoice) adw_combo_row_get_selected (row);
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static AdwComboRow *
add_row (Computation *self,
         AdwPreferencesGroup *group,
         const char *title,
         GtkStringList *choices,
         GCallback cb)
{
  GtkWidget *row = adw_combo_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (choices));
  g_signal_connect (row, "notify::selected", cb, self);
  adw_preferences_group_add (group, row);
  g_object_unref (choices);
  return ADW_COMBO_ROW (row);
}

static GtkStringList *
engines (void)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  gtk_string_list_append (names, _ ("Automatic"));
  for (size_t i = 0; i < odl_engine_count (); i++)
    gtk_string_list_append (names, odl_engine_at (i)->name);
  return names;
}

static GtkStringList *
words (const char *const *texts)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  for (int i = 0; texts[i]; i++)
    gtk_string_list_append (names, _ (texts[i]));
  return names;
}

// The rows follow what is set elsewhere. `session` may end before the group.
static GtkWidget *
computation_group_new (OdlSession *session)
{
  static const char *const bits[] = { N_ ("16 bit"), N_ ("32 bit"), NULL };
  static const char *const borders[]
      = { N_ ("Automatic"), N_ ("Symmetric"), N_ ("Periodic"), N_ ("Zero"), NULL };
  GtkWidget *widget = adw_preferences_group_new ();
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (widget);
  Computation *self = g_new0 (Computation, 1);
  self->session = g_object_ref (session);
  self->updating = true;
  g_object_set_data_full (G_OBJECT (widget), "computation", self, computation_free);
  adw_preferences_group_set_title (group, _ ("Computation"));
  adw_preferences_group_set_description (
      group, _ ("Precision and border belong to the filters in use and go with them into "
                "presets and texts."));
  self->engine = add_row (self, group, _ ("Engine"), engines (), G_CALLBACK (engine_cb));
  self->precision
      = add_row (self, group, _ ("Precision"), words (bits), G_CALLBACK (precision_cb));
  self->border
      = add_row (self, group, _ ("Border"), words (borders), G_CALLBACK (border_cb));
  self->updating = false;
  static const char *const signals[]
      = { "notify::recipe", "notify::engine", "frame-ready" };
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (session, signals[i], G_CALLBACK (computation_changed_cb),
                             widget, G_CONNECT_SWAPPED);
  show_computation (self);
  return widget;
}

GtkWindow *
odl_preferences_window_present (OdlMainWindow *parent)
{
  Preferences *preferences = g_new0 (Preferences, 1);
  GtkWidget *window = adw_preferences_window_new ();
  GtkWidget *page = adw_preferences_page_new ();
  preferences->session = g_object_ref (odl_main_window_parts (parent)->session);
  preferences->window = g_object_ref (parent);
  preferences->settings = g_object_ref (odl_main_window_parts (parent)->settings);
  preferences->parts = odl_main_window_parts (parent);
  g_object_set_data_full (G_OBJECT (window), "preferences", preferences,
                          preferences_free);
  g_object_set_data (G_OBJECT (parent), "odl-preferences", window);
  g_signal_connect_object (window, "unrealize", G_CALLBACK (gone_cb), parent,
                           G_CONNECT_SWAPPED);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_widget_insert_action_group (window, "main", G_ACTION_GROUP (parent));
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (window), FALSE);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (files_group (preferences)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (numbers_group (preferences)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (odl_mouse_group_new (
                                preferences->settings, changed_mouse_cb, preferences)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (playing_group (preferences)));
  adw_preferences_page_add (
      ADW_PREFERENCES_PAGE (page),
      ADW_PREFERENCES_GROUP (computation_group_new (preferences->session)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (screen_group (preferences)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (odl_trust_group_new ()));
  adw_preferences_page_add (
      ADW_PREFERENCES_PAGE (page),
      ADW_PREFERENCES_GROUP (odl_arrays_group_new (
          gtk_window_get_application (GTK_WINDOW (preferences->window)))));
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (page), _ ("Program"));
  adw_preferences_page_set_icon_name (ADW_PREFERENCES_PAGE (page),
                                      "preferences-system-symbolic");
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window),
                              ADW_PREFERENCES_PAGE (page));
  GtkWidget *keys = odl_keys_page_new (preferences->settings, keys_cb, preferences);
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window),
                              ADW_PREFERENCES_PAGE (keys));
  adw_preferences_window_add (
      ADW_PREFERENCES_WINDOW (window),
      ADW_PREFERENCES_PAGE (odl_nodes_page_new (preferences->settings)));
  odl_child_window_follow (window, UPDATE_MS, update_cb, preferences);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
