// SPDX-License-Identifier: MIT
#include "widgets/windows/engine_window.h"

#include <glib/gi18n-lib.h>

#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

#define WIDTH 520
#define HEIGHT 640
// Measurements may begin and end while the window is open.
#define UPDATE_MS 400

// One engine, or one of its variants.
typedef struct {
  OdlEngineChoice choice;
  GtkWidget *row;
  GtkLabel *time;
} Line;

typedef struct {
  OdlSession *session; // referenced
  GArray *lines;
  AdwActionRow *automatic;
  AdwActionRow *status;
  GtkSpinner *spinner;
  GtkWidget *measure;
} Engines;

static void
engines_free (void *data)
{
  Engines *engines = data;
  g_array_unref (engines->lines);
  g_object_unref (engines->session);
  g_free (engines);
}

// ---- what is shown -------------------------------------------------------------------

static void
set_subtitle (GtkWidget *row, const char *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);
  if (ADW_IS_EXPANDER_ROW (row))
    adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), markup);
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), markup);
}

static const char *
description (OdlEngineChoice choice)
{
  const OdlEngineVariant *variant = choice.variant ? choice.klass->variants : NULL;
  for (; variant && variant->name; variant++)
    if (g_str_equal (variant->name, choice.variant))
      return _ (variant->description);
  return _ (choice.klass->description);
}

static void
update_line (const Line *line, const OdlRanking *ranking, OdlEngineChoice used)
{
  const OdlCandidate *candidate
      = ranking ? odl_ranking_find (ranking, line->choice) : NULL;
  g_autofree char *time = candidate && candidate->state == ODL_CANDIDATE_MEASURED
                              ? odl_diagnostics_ms (candidate->ms)
                              : g_strdup ("");
  bool works = odl_engine_choice_equal (line->choice, used);
  gtk_label_set_text (line->time, time);
  if (works)
    gtk_widget_add_css_class (GTK_WIDGET (line->time), "heading");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (line->time), "heading");
  set_subtitle (line->row, candidate && candidate->reason ? candidate->reason
                                                          : description (line->choice));
}

// A choice made in the window is visible there; one made by the environment is not.
static char *
with_origin (OdlSession *session, const char *text)
{
  const OdlEngineRequest *request = odl_session_engine_request (session);
  if (request->origin != ODL_REQUEST_ENVIRONMENT || !request->choice.klass)
    return g_strdup (text);
  g_autofree char *name = odl_engine_choice_to_text (request->choice);
  // Translators: an environment variable and an engine.
  g_autofree char *why
      = g_strdup_printf (_ ("%s asks for %s"), ODL_ENGINE_VARIABLE, name);
  return g_strjoin ("\n", why, text, NULL);
}

static void
update_status (Engines *engines, const OdlRanking *ranking, OdlEngineChoice used)
{
  bool measuring = odl_session_is_measuring (engines->session);
  g_autofree char *name = used.klass ? odl_engine_choice_to_text (used) : NULL;
  g_autofree char *title = name ? g_strdup_printf (_ ("%s works now"), name)
                                : g_strdup (_ ("No picture yet"));
  g_autofree char *subtitle = odl_diagnostics_measured (ranking, measuring);
  const char *fallback_reason = odl_session_fallback_reason (engines->session);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (engines->status), title);
  g_autofree char *text
      = with_origin (engines->session, fallback_reason ? fallback_reason : subtitle);
  set_subtitle (GTK_WIDGET (engines->status), text);
  gtk_spinner_set_spinning (engines->spinner, measuring);
  gtk_widget_set_sensitive (engines->measure, ranking && !measuring);
}

static void
update (Engines *engines)
{
  const OdlRanking *ranking = odl_session_ranking (engines->session);
  OdlFrame *frame = odl_session_frame (engines->session);
  OdlEngineChoice used = { NULL, NULL };
  if (frame)
    used = (OdlEngineChoice){ frame->engine, frame->variant };
  for (guint i = 0; i < engines->lines->len; i++)
    update_line (&g_array_index (engines->lines, Line, i), ranking, used);
  update_status (engines, ranking, used);
}

static gboolean
update_cb (void *data)
{
  update (data);
  return G_SOURCE_CONTINUE;
}

// ---- rows ----------------------------------------------------------------------------

static GtkWidget *
radio_for (const char *name)
{
  GtkWidget *radio = gtk_check_button_new ();
  gtk_actionable_set_action_name (GTK_ACTIONABLE (radio), "main.engine");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (radio), "s", name);
  gtk_widget_set_valign (radio, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (radio), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  return radio;
}

static GtkWidget *
time_label (void)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

static void
add_line (Engines *engines, OdlEngineChoice choice, GtkWidget *row, GtkWidget *time)
{
  const char *title = choice.variant ? choice.variant : choice.klass->name;
  Line line = { choice, row, GTK_LABEL (time) };
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  g_array_append_val (engines->lines, line);
}

static GtkWidget *
action_row (Engines *engines, OdlEngineChoice choice)
{
  g_autofree char *name = odl_engine_choice_to_text (choice);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *radio = radio_for (name);
  GtkWidget *time = time_label ();
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), radio);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), radio);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), time);
  add_line (engines, choice, row, time);
  return row;
}

static GtkWidget *
engine_row (Engines *engines, const OdlEngineClass *klass)
{
  OdlEngineChoice choice = { klass, NULL };
  if (!klass->variants)
    return action_row (engines, choice);
  GtkWidget *row = adw_expander_row_new ();
  GtkWidget *time = time_label ();
  adw_expander_row_add_prefix (ADW_EXPANDER_ROW (row), radio_for (klass->name));
  adw_expander_row_add_action (ADW_EXPANDER_ROW (row), time);
  add_line (engines, choice, row, time);
  for (const OdlEngineVariant *v = klass->variants; v->name; v++)
    adw_expander_row_add_row (ADW_EXPANDER_ROW (row),
                              action_row (engines, (OdlEngineChoice){ klass, v->name }));
  return row;
}

static GtkWidget *
status_group (Engines *engines)
{
  GtkWidget *group = adw_preferences_group_new ();
  engines->status = ADW_ACTION_ROW (adw_action_row_new ());
  adw_action_row_set_subtitle_lines (engines->status, 0);
  engines->spinner = GTK_SPINNER (gtk_spinner_new ());
  engines->measure = gtk_button_new_with_mnemonic (_ ("_Measure Again"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (engines->measure),
                                  "main.measure-engines");
  gtk_widget_set_valign (engines->measure, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (engines->status, GTK_WIDGET (engines->spinner));
  adw_action_row_add_suffix (engines->status, engines->measure);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (engines->status));
  return group;
}

static GtkWidget *
choice_group (Engines *engines)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *radio = radio_for (ODL_ENGINE_AUTO);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Engine"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (group), _ ("The times are those of a frame to the canvas."));
  engines->automatic = ADW_ACTION_ROW (adw_action_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (engines->automatic),
                                 _ ("Automatic"));
  adw_action_row_set_subtitle (engines->automatic,
                               _ ("What is fastest on this computer"));
  adw_action_row_add_prefix (engines->automatic, radio);
  adw_action_row_set_activatable_widget (engines->automatic, radio);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                             GTK_WIDGET (engines->automatic));
  for (size_t i = 0; i < odl_engine_count (); i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                               engine_row (engines, odl_engine_at (i)));
  return group;
}

GtkWindow *
odl_engine_window_present (OdlMainWindow *parent)
{
  Engines *engines = g_new0 (Engines, 1);
  GtkWidget *window = adw_preferences_window_new ();
  GtkWidget *page = adw_preferences_page_new ();
  engines->session = g_object_ref (odl_main_window_parts (parent)->session);
  engines->lines = g_array_new (FALSE, TRUE, sizeof (Line));
  g_object_set_data_full (G_OBJECT (window), "engines", engines, engines_free);

  gtk_widget_insert_action_group (window, "main", G_ACTION_GROUP (parent));
  gtk_window_set_title (GTK_WINDOW (window), _ ("Engines"));
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  adw_preferences_window_set_search_enabled (ADW_PREFERENCES_WINDOW (window), FALSE);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (status_group (engines)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (choice_group (engines)));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window),
                              ADW_PREFERENCES_PAGE (page));
  odl_child_window_follow (window, UPDATE_MS, update_cb, engines);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
