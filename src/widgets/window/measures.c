// SPDX-License-Identifier: MIT
// What can be measured, as a menu, and the button of what was measured last; what was
// measured, as a table.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "filter/measure.h"
#include "session/save/measures.h"

#include "widgets/diagnostics.h"
#include "widgets/units.h"
#include "widgets/window/parts.h"
#include "widgets/windows/calculation_window.h"

// ---- the table -----------------------------------------------------------------------

typedef struct {
  OdlMainWindow *window;
  OdlMeasuresParams params; // whose pointers it owns
  bool is_object;
  OdlMeasuresObject object; // that is written; else the table
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  g_object_unref (job->window);
  g_free ((char *) job->params.path);
  g_free ((char *) job->params.location);
  g_free ((char *) job->params.identity);
  g_free ((char *) job->params.row);
  g_free ((char *) job->params.line);
  g_strfreev ((char **) job->params.derived);
  odl_annotations_unref ((OdlAnnotations *) job->params.annotations);
  if (job->params.operands)
    odl_operands_unref (job->params.operands);
  g_free (job);
}

static void
work_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  if (job->is_object ? odl_measures_save_object (&job->params, &job->object, &error)
                     : odl_measures_save (&job->params, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved_cb (GObject *object, GAsyncResult *result, void *data)
{
  const Job *job = g_task_get_task_data (G_TASK (result));
  const OdlWindowParts *parts = odl_main_window_parts (job->window);
  g_autoptr (GError) error = NULL;
  const bool done = g_task_propagate_boolean (G_TASK (result), &error);
  if (odl_window_is_closed (parts))
    return;
  if (!done) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autofree char *name
      = odl_names_of_file (odl_names_of (parts->session), job->params.path, NULL);
  const bool lacks_filters = job->is_object && job->object.kind == ODL_OBJECT_STATE
                             && !odl_recipe_is_identity (&job->params.recipe);
  g_autofree char *text = g_strdup_printf (
      lacks_filters ? _ ("Saved “%s”: window, turns and what is drawn, not the filters")
      : odl_measures_follow (&job->params.recipe)
          ? _ ("Saved “%s”")
          : _ ("Saved “%s”: values of the original alone, since filters over time or "
               "over slices see more than one picture"),
      name);
  odl_messages_say_of_file (parts->messages, text, job->params.path);
}

#define DERIVED "derived-files" // location and path in turn, the newest first

void
odl_window_remember_derived (const OdlWindowParts *parts,
                             const char *location,
                             const char *path)
{
  GObject *window = G_OBJECT (parts->window);
  GPtrArray *all = g_object_get_data (window, DERIVED);
  if (!all) {
    all = g_ptr_array_new_with_free_func (g_free);
    g_object_set_data_full (window, DERIVED, all, (GDestroyNotify) g_ptr_array_unref);
  }
  g_ptr_array_insert (all, 0, g_strdup (path));
  g_ptr_array_insert (all, 0, g_strdup (location));
}

// The files that were saved of a source, of a stack those of the picture that is shown,
// which was saved by itself; up to NULL. Transfer full.
static char **
list_derived (const OdlWindowParts *parts, const char *location)
{
  const char *file = odl_session_file (parts->session);
  const GPtrArray *all = g_object_get_data (G_OBJECT (parts->window), DERIVED);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  for (guint i = 0; all && i + 1 < all->len; i += 2)
    if (g_strcmp0 (all->pdata[i], location) == 0 || g_strcmp0 (all->pdata[i], file) == 0)
      g_strv_builder_add (paths, all->pdata[i + 1]);
  return g_strv_builder_end (paths);
}

// A table is no DICOM file, nor the other way round, whatever its name says.
static bool
misleads (const OdlWindowParts *parts, const char *path, bool is_object)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);
  if (!g_str_has_suffix (lower, is_object ? ".csv" : ".dcm"))
    return false;
  odl_messages_say (
      parts->messages,
      is_object ? _ ("This is a DICOM file: its name does not end with “.csv”.")
                : _ ("This is a table: its name does not end with “.dcm”. “Save as DICOM "
                     "Report…” in the menu of measuring writes a DICOM file."));
  return true;
}

// `object`: NULL for the table.
static void
save (const OdlWindowParts *parts, GFile *file, const OdlMeasuresObject *object)
{
  OdlSession *session = parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  g_autofree char *path = g_file_get_path (file);
  if (odl_files_is_shown (parts, path) || misleads (parts, path, object != NULL)
      || !odl_session_identity (session) || !frame)
    return;
  Job *job = g_new (Job, 1);
  *job = (Job){
    .window = g_object_ref (parts->window),
    .params = { .path = g_steal_pointer (&path),
                .location = g_strdup (odl_session_info (session)->location),
                .identity = g_strdup (odl_session_identity (session)),
                .files_as = odl_names_word (odl_names_of (session)),
                .annotations = odl_annotations_ref (odl_session_annotations (session)),
                .row = odl_calculation_window_row (parts->window),
                .recipe = *odl_session_recipe (session),
                .operands = odl_session_operands (session),
                .engine = { frame->engine, frame->variant } },
  };
  job->params.line = odl_calculation_window_line (parts->window, &job->params.line_of);
  job->params.derived = (const char *const *) list_derived (parts, job->params.location);
  if (object) {
    job->is_object = true;
    job->object = *object;
  }
  if (job->params.operands)
    odl_operands_ref (job->params.operands);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, saved_cb, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, work_thread);
}

static void
save_table (const OdlWindowParts *parts, GFile *file)
{
  save (parts, file, NULL);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  save_table (data, file);
}

// Asks where; `what` ends the name, with the ending of the format.
static void
ask (const OdlWindowParts *parts,
     const char *title,
     const char *what,
     const char *format,
     void (*chosen) (GtkFileChooser *chooser, GFile *file, void *data))
{
  const char *ending = strrchr (what, '.');
  const bool hidden = odl_names_are_hidden (odl_names_of (parts->session));
  g_autofree char *base
      = g_strdup (hidden ? _ ("picture") : odl_session_info (parts->session)->name);
  g_strdelimit (odl_text_cut_ending (base), "/", '-');
  g_autofree char *name = g_strconcat (base, "-", what, NULL);
  g_autofree char *pattern = g_strconcat ("*", ending, NULL);
  GtkFileChooser *chooser = odl_file_chooser_new (
      parts, title, GTK_FILE_CHOOSER_ACTION_SAVE, name, chosen, (void *) parts);
  const char *const patterns[] = { pattern, NULL };
  odl_file_chooser_add_filter (chooser, format, patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
save_cb (void *data, GVariant *parameter)
{
  // Translators: the end of a file's name, “echo-measurements.csv”.
  g_autofree char *what = g_strconcat (_ ("measurements"), ".csv", NULL);
  ask (data, _ ("Save Measurements"), what, "CSV", chosen_cb);
}

// With a path instead of the dialog, for tests and scripts.
static void
save_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  save_table (data, file);
}

// ---- DICOM ---------------------------------------------------------------------------

static void
save_object (const OdlWindowParts *parts, GFile *file, OdlMeasuresKind kind)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  if (!frame)
    return;
  OdlMeasuresObject object = { .kind = kind,
                               .frame = frame->index,
                               .window = odl_viewport_window (parts->viewport),
                               .view = *odl_viewport_view (parts->viewport) };
  if (object.window.mode == ODL_WINDOW_TABLE) {
    // It belongs to the viewport.
    odl_viewport_get_window (parts->viewport, &object.window.centre,
                             &object.window.width);
    object.window.mode = ODL_WINDOW_CUSTOM;
    object.window.table = NULL;
  }
  save (parts, file, &object);
}

static void
report_chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  save_object (data, file, ODL_OBJECT_REPORT);
}

static void
state_chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  save_object (data, file, ODL_OBJECT_STATE);
}

static void
report_cb (void *data, GVariant *parameter)
{
  // Translators: the end of a file's name, “echo-measurements.dcm”.
  g_autofree char *what = g_strconcat (_ ("measurements"), ".dcm", NULL);
  ask (data, _ ("Save Measurements as DICOM Report"), what, "DICOM", report_chosen_cb);
}

static void
state_cb (void *data, GVariant *parameter)
{
  // Translators: the end of a file's name, “echo-as-seen.dcm”.
  g_autofree char *what = g_strconcat (_ ("as-seen"), ".dcm", NULL);
  ask (data, _ ("Save DICOM Presentation State"), what, "DICOM", state_chosen_cb);
}

static void
keys_chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  save_object (data, file, ODL_OBJECT_KEYS);
}

static void
keys_cb (void *data, GVariant *parameter)
{
  // Translators: the end of a file's name, “CT-key-pictures.dcm”.
  g_autofree char *what = g_strconcat (_ ("key-pictures"), ".dcm", NULL);
  ask (data, _ ("Save Key Pictures as DICOM"), what, "DICOM", keys_chosen_cb);
}

static void
keys_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  save_object (data, file, ODL_OBJECT_KEYS);
}

static void
report_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  save_object (data, file, ODL_OBJECT_REPORT);
}

static void
state_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  save_object (data, file, ODL_OBJECT_STATE);
}

// ---- beside the file -----------------------------------------------------------------

static void
beside_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  OdlSession *session = parts->session;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  if (!odl_session_save_annotations_beside (session, &path, &error)) {
    g_autofree char *text
        = odl_settings_get_boolean (parts->settings, "keep-measured")
              // Translators: a sentence why something cannot be saved goes before.
              ? g_strdup_printf (_ ("%s What was measured stays in your data folder."),
                                 error->message)
              : g_strdup (error->message);
    odl_messages_say (parts->messages, text);
    return;
  }
  const bool any = odl_annotations_count (odl_session_annotations (session)) > 0;
  if (any && odl_session_info (session)->files) {
    odl_messages_say (parts->messages, _ ("Measurements are kept beside the files of the "
                                          "pictures on which they lie"));
    return;
  }
  g_autofree char *name = odl_names_of_file (odl_names_of (session), path, NULL);
  g_autofree char *text
      = g_strdup_printf (any ? _ ("Measurements are kept beside the file, in “%s”")
                             : _ ("Nothing is measured: “%s” is not kept any more"),
                         name);
  odl_messages_say (parts->messages, text);
}

// ---- noise of a region ---------------------------------------------------------------

static bool
asks_for_noise (const OdlWindowParts *parts, int item)
{
  const OdlRecipe *recipe = odl_session_recipe (parts->session);
  for (int i = 0; i < recipe->n_items; i++)
    if ((item < 0 || i == item) && odl_filter_takes_noise (recipe->items[i].filter))
      return true;
  return false;
}

static void
take_noise (const OdlWindowParts *parts, int item)
{
  g_autoptr (OdlImage) input = NULL;
  const OdlAnnotation *region = odl_viewport_region (parts->viewport, &input);
  const char *word = NULL;
  if (!asks_for_noise (parts, item))
    word = _ ("No filter asks how much noise there is. Add one such as Bivariate "
              "shrinkage.");
  else if (!region)
    word = _ ("Draw an ellipse or a closed line (M, Shift+M) over a part that is the "
              "same everywhere but for its noise.");
  if (word) {
    odl_messages_say_of_state (parts->messages, word);
    return;
  }
  const OdlExtent extent = odl_image_info (input)->extent;
  int area[4];
  g_autofree uint8_t *mask = odl_annotation_mask (region, extent.x, extent.y, area);
  const OdlNoisePart part = { area[0], area[1], area[2], area[3], mask };
  if (!mask || !odl_session_take_noise (parts->session, item, input, &part)) {
    odl_messages_say_of_state (parts->messages, _ ("There is no noise in this region."));
    return;
  }
  const OdlColourMode colour = odl_session_recipe (parts->session)->colour;
  g_autofree char *sigma
      = odl_units_amount (parts->session, odl_deviation_of (input, colour, &part));
  // Translators: σ is the standard deviation of noise, with its unit.
  g_autofree char *text = g_strdup_printf (
      _ ("The noise of the region is set: σ = %s. Undo takes it back."), sigma);
  odl_messages_say (parts->messages, text);
}

// Of one filter; −1: of all.
static void
noise_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  if (odl_window_shows_picture (parts))
    take_noise (parts, g_variant_get_int32 (parameter));
}

// ---- the menu and the button ---------------------------------------------------------

static bool
is_measured (const OdlWindowParts *parts)
{
  return odl_window_shows_picture (parts) && odl_session_identity (parts->session)
         && !odl_session_info (parts->session)->live;
}

// What lies on all frames of a live source is measured in none of them.
static bool
has_table (const OdlWindowParts *parts)
{
  OdlAnnotations *all = odl_session_annotations (parts->session);
  bool measures = false;
  for (int i = 0; i < odl_annotations_count (all); i++)
    measures |= odl_annotations_at (all, i)->kind->measure != NULL;
  return measures && is_measured (parts);
}

static bool
has_text (const OdlWindowParts *parts)
{
  OdlAnnotations *all = odl_session_annotations (parts->session);
  for (int i = 0; i < odl_annotations_count (all); i++)
    if (odl_annotations_at (all, i)->kind->origin == ODL_WORDS_TYPED)
      return true;
  return false;
}

// Whether the frame that is shown is one that a DICOM object can refer to.
static bool
is_stored (const OdlWindowParts *parts)
{
  return is_measured (parts) && !odl_session_shows_planes (parts->session)
         && odl_session_detail (parts->session, "sop-instance");
}

static bool
has_report (const OdlWindowParts *parts)
{
  return is_stored (parts) && (has_table (parts) || has_text (parts));
}

static bool
has_keys (const OdlWindowParts *parts)
{
  g_autoptr (GArray) frames
      = is_stored (parts) ? odl_session_keys (parts->session) : NULL;
  return frames && frames->len > 0;
}

// Nothing of DICOM is offered beside a photograph.
static void
append_if_enabled (GMenu *menu, const char *label, const char *action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);
  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (menu, item);
}

void
odl_window_add_measures (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "save-measures", G_CALLBACK (save_cb), .when = has_table },
    { "save-measures-to", G_CALLBACK (save_to_cb), "s", .when = has_table },
    { "save-report", G_CALLBACK (report_cb), .when = has_report },
    { "save-report-to", G_CALLBACK (report_to_cb), "s", .when = has_report },
    { "save-state", G_CALLBACK (state_cb), .when = is_stored },
    { "save-state-to", G_CALLBACK (state_to_cb), "s", .when = is_stored },
    { "save-keys", G_CALLBACK (keys_cb), .when = has_keys },
    { "save-keys-to", G_CALLBACK (keys_to_cb), "s", .when = has_keys },
    { "save-measures-beside", G_CALLBACK (beside_cb), .when = is_measured },
    { "noise-from-region", G_CALLBACK (noise_cb), "i" },
  };
  GMenu *menu = odl_window_child (parts, "measure_menu");
  g_autoptr (GMenu) table = g_menu_new ();
  const OdlAnnotationKind *kind;
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
  for (size_t i = 0; (kind = odl_annotation_kind_at (i)) != NULL; i++) {
    g_autofree char *action = g_strconcat ("win.tool::", kind->name, NULL);
    g_menu_append (menu, _ (kind->title), action);
  }
  g_menu_append (table, _ ("Key Pi_cture"), "win.key-picture");
  g_menu_append (table, _ ("S_tatistics of Regions"), "win.region-statistics");
  g_menu_append (table, _ ("C_alculations"), "win.calculations");
  g_menu_append (table, _ ("_Plot of the Profile"), "win.profile-plot");
  g_menu_append (table, _ ("_Save Measurements…"), "win.save-measures");
  append_if_enabled (table, _ ("Save as DICOM _Report…"), "win.save-report");
  append_if_enabled (table, _ ("Save DICOM Presentation Stat_e…"), "win.save-state");
  append_if_enabled (table, _ ("Save Ke_y Pictures…"), "win.save-keys");
  g_menu_append (table, _ ("_Keep Measurements Beside the File"),
                 "win.save-measures-beside");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (table));
}

void
odl_window_update_measures (const OdlWindowParts *parts)
{
  GtkWidget *button = odl_window_child (parts, "measure_button");
  const OdlAnnotationKind *kind = odl_viewport_measuring (parts->viewport);
  g_autofree char *icon = g_strdup_printf ("odl-%s-symbolic", kind->name);
  // Translators: what is measured, or drawn: “Measure: length (M)”, “Draw: arrow (M)”.
  g_autofree char *tip = g_strdup_printf (
      kind->measure ? _ ("Measure: %s (M)") : _ ("Draw: %s (M)"), _ (kind->title));
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tip, -1);
  odl_window_enable (parts, "noise-from-region", asks_for_noise (parts, -1));
}
