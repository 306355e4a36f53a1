// SPDX-License-Identifier: MIT
#include "widgets/preferences_window.h"

#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/computation_group.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/number_field.h"
#include "widgets/window/parts.h"

#define WIDTH 520
#define HEIGHT 640
#define UPDATE_MS 500

#define CACHE_KEY "frame-cache-mb"
#define MAX_MB 65536
#define BYTES_PER_MB ((size_t) 1 << 20)
#define RATE_KEY "sequence-rate"
#define MAX_RATE 1000
#define SANDBOX_KEY "sandbox-optional"
#define KEEP_KEY "keep-view"
#define MEASURED_KEY "keep-measured"

typedef struct {
  OdlMainWindow *window; // referenced
  OdlSession *session; // referenced
  OdlSettings *settings;
  AdwActionRow *use;
  guint update_id;
} Preferences;

void
odl_preferences_apply (OdlSettings *settings, OdlSession *session, OdlViewport *viewport)
{
  odl_viewport_set_keeps_view (viewport, odl_settings_get_boolean (settings, KEEP_KEY));
  odl_session_set_stores_annotations (session,
                                      odl_settings_get_boolean (settings, MEASURED_KEY));
  odl_session_set_keeps_to_regions (session, true);
  const int mb = CLAMP (odl_settings_get_int (settings, CACHE_KEY), 0, MAX_MB);
  odl_playback_set_cache_bytes (odl_session_playback (session),
                                mb > 0 ? (size_t) mb * BYTES_PER_MB
                                       : odl_playback_default_cache_bytes ());
  odl_playback_set_default_rate (odl_session_playback (session),
                                 odl_settings_get_int (settings, RATE_KEY));
  odl_session_set_sandbox_optional (odl_settings_get_boolean (settings, SANDBOX_KEY));
}

static void
preferences_free (void *data)
{
  Preferences *preferences = data;
  g_clear_handle_id (&preferences->update_id, g_source_remove);
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
    odl_layout_apply_settings (parts->layout);
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

// A number of the settings; changes take effect immediately.
static GtkWidget *
number_row (Preferences *preferences,
            const char *key,
            const char *title,
            const char *subtitle,
            GtkWidget *entry)
{
  GtkWidget *row = adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry),
                             odl_settings_get_int (preferences->settings, key));
  g_object_set_data (G_OBJECT (entry), "key", (void *) key);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, subtitle,
                                  -1);
  odl_number_field_set_up (GTK_SPIN_BUTTON (entry), preferences->session, true);
  g_signal_connect (entry, "value-changed", G_CALLBACK (changed_cb), preferences);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), entry);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), entry);
  return row;
}

static GtkWidget *
cache_row (Preferences *preferences)
{
  g_autofree char *subtitle
      = g_strdup_printf (_ ("Frames that were read once are shown again at once. 0: a "
                            "quarter of the memory, at most 2 GiB (here %d)"),
                         (int) (odl_playback_default_cache_bytes () / BYTES_PER_MB));
  return number_row (preferences, CACHE_KEY, _ ("Memory for frames (MiB)"), subtitle,
                     gtk_spin_button_new_with_range (0, MAX_MB, 64));
}

static GtkWidget *
rate_row (Preferences *preferences)
{
  return number_row (preferences, RATE_KEY, _ ("Rate of numbered pictures (fps)"),
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
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_switch_set_active (GTK_SWITCH (toggle),
                         odl_settings_get_boolean (preferences->settings, key));
  g_object_set_data (G_OBJECT (toggle), "key", (void *) key);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, subtitle,
                                  -1);
  g_signal_connect (toggle, "notify::active", G_CALLBACK (switched_cb), preferences);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  return row;
}

static GtkWidget *
files_group (Preferences *preferences)
{
  GtkWidget *group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Files"));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      switch_row (preferences, KEEP_KEY, _ ("Keep grey levels, zoom and place"),
                  _ ("For the next picture of the same size and kind. Inverted, turned "
                     "and mirrored pictures start as they came")));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      switch_row (
          preferences, MEASURED_KEY, _ ("Keep what was measured"),
          _ ("In your data folder, to be there when the file is opened again; the "
             "file itself is not changed")));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      switch_row (preferences, SANDBOX_KEY, _ ("Open files without a sandbox"),
                  _ ("Only where the system refuses the sandbox (seccomp) that keeps a "
                     "damaged or hostile file from doing harm")));
  return group;
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
  g_object_set_data_full (G_OBJECT (window), "preferences", preferences,
                          preferences_free);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_widget_insert_action_group (window, "main", G_ACTION_GROUP (parent));
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (window), FALSE);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (files_group (preferences)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (playing_group (preferences)));
  adw_preferences_page_add (
      ADW_PREFERENCES_PAGE (page),
      ADW_PREFERENCES_GROUP (odl_computation_group_new (preferences->session)));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window),
                              ADW_PREFERENCES_PAGE (page));
  update (preferences);
  preferences->update_id = g_timeout_add (UPDATE_MS, update_cb, preferences);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
