// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_window.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "widgets/sweep/sweep_form.h"
#include "widgets/sweep/sweep_plot.h"
#include "widgets/sweep/sweep_sheet.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"
#include "widgets/windows/help_window.h"

#define KEY "sweep"
#define WIDTH 620
#define HEIGHT 720
#define UPDATE_MS 100
#define FORM "form"
#define SHEET "sheet"
#define PLOT "plot"

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *nothing, *content; // one of both is seen
  OdlSweepForm *form;
  OdlSweepSheet *sheet;
  OdlSweepPlot *plot;
  GtkStack *pages;
  GtkWidget *start, *save, *copy;
  GtkLabel *caption; // which pictures and what noise were measured
  GtkWidget *below; // all that follows
  GtkProgressBar *progress;
  GtkLabel *marked, *best, *warning;
  GtkWidget *apply; // the marked one
  OdlSweep *sweep; // NULL: none yet
  OdlSweepWords *words; // of its trial
  char *about; // of the caption; NULL: none
  GPtrArray *rows; // OdlSweepRow, all that it found
  const OdlSweepRow *best_row; // NULL: none by now
  const OdlSweepRow *marked_row; // likewise
  OdlSession
      *tried_in; // weak; whose filters are those of a row for a try; NULL: nobody's
  guint tried_step; // of its history
  int64_t begin_ns;
} Window;

// ---- trying a row --------------------------------------------------------------------

// Whether the filters of the window are still those that were tried, in a step of the
// history of their own.
static bool
is_trying (const Window *self)
{
  if (!self->tried_in)
    return false;
  const OdlHistory *history = odl_session_history (self->tried_in);
  return history->position == self->tried_step
         && history->steps->len == self->tried_step + 1;
}

// The filters are again what they were.
static void
stop_trying (Window *self)
{
  if (is_trying (self))
    odl_session_undo (self->tried_in);
  g_clear_weak_pointer (&self->tried_in);
}

// What is shown of the filters stays.
static void
try_row (Window *self, const OdlSweepRow *row)
{
  stop_trying (self);
  OdlSession *session = self->parts->session;
  const OdlRecipe *now = odl_session_recipe (session);
  OdlRecipe recipe = odl_trial_recipe (odl_sweep_trial (self->sweep), row->indices);
  recipe.view = now->view;
  recipe.direction = now->direction;
  if (odl_recipe_equal (&recipe, now))
    return;
  odl_session_set_recipe (session, &recipe, NULL);
  self->tried_step = odl_session_history (session)->position;
  // In a history that is full each try is a step of its own.
  if (self->tried_step + 1 < ODL_HISTORY_MAX_STEPS)
    g_set_weak_pointer (&self->tried_in, session);
}

// What was tried stays, as one step of the history.
static void
keep_tried (Window *self)
{
  g_clear_weak_pointer (&self->tried_in);
}

// ---- life ----------------------------------------------------------------------------

static void
window_free (void *data)
{
  Window *self = data;
  g_clear_weak_pointer (&self->tried_in);
  odl_sweep_free (self->sweep);
  odl_sweep_words_free (self->words);
  g_free (self->about);
  odl_sweep_sheet_free (self->sheet);
  odl_sweep_form_free (self->form);
  g_object_unref (self->plot);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

static bool
is_running (const Window *self)
{
  return self->sweep && !odl_sweep_ended (self->sweep);
}

static void
set_text (GtkLabel *label, const char *text)
{
  if (g_strcmp0 (text, gtk_label_get_text (label)) != 0)
    gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

// ---- what was found ------------------------------------------------------------------

static void
find_best (Window *self, const GPtrArray *rows)
{
  const OdlTrial *trial = odl_sweep_trial (self->sweep);
  for (guint i = 0; i < rows->len; i++) {
    const OdlSweepRow *row = rows->pdata[i];
    const double value = row->scores.values[trial->metric];
    if (odl_trial_better (trial, value,
                          self->best_row ? self->best_row->scores.values[trial->metric]
                                         : NAN))
      self->best_row = row;
  }
}

// "PSNR 31.20 dB with Threshold 0.06", refused ones why.
static char *
text_of_row (const Window *self, const OdlSweepRow *row)
{
  const OdlTrial *trial = odl_sweep_trial (self->sweep);
  g_autofree char *point = odl_sweep_point_text (self->words, row);
  if (row->refusal)
    // Translators: parameters with their values, and why these cannot be.
    return g_strdup_printf (_ ("%s: %s"), point, row->refusal);
  g_autofree char *score
      = odl_sweep_score_text (trial->metric, row->scores.values[trial->metric]);
  // Translators: parameters with their values, a metric and its value.
  return g_strdup_printf (_ ("%s: %s %s"), point, _ (odl_scores[trial->metric].label),
                          score);
}

static void
show_best (Window *self)
{
  const OdlTrial *trial = odl_sweep_trial (self->sweep);
  OdlScores before;
  if (!self->best_row) {
    set_text (self->best, "");
    return;
  }
  g_autofree char *row = text_of_row (self, self->best_row);
  // Translators: parameters with their values, and a metric with its value.
  g_autofree char *text = g_strdup_printf (_ ("Best: %s"), row);
  if (odl_sweep_before (self->sweep, &before)) {
    g_autofree char *came
        = odl_sweep_score_text (trial->metric, before.values[trial->metric]);
    // Translators: what stands before it, and the value of a metric.
    g_autofree char *both
        = g_strdup_printf (_ ("%s (%s before the filters)"), text, came);
    set_text (self->best, both);
  } else
    set_text (self->best, text);
}

// Which parameters should be varied further. Transfer full; empty: none.
static char *
warning_of (const Window *self)
{
  const OdlTrial *trial = odl_sweep_trial (self->sweep);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < trial->axes->varied->len; i++) {
    if (!odl_axes_goes_on (trial->axes, self->best_row->indices, i))
      continue;
    g_autofree char *title = odl_sweep_axis_title (self->words, i);
    g_autofree char *value
        = odl_sweep_value_text (self->words, i, self->best_row->indices[i]);
    g_string_append_printf (
        text,
        // Translators: a parameter and its value.
        _ ("The best %s, %s, lies at the end of its range: a better one may lie beyond."),
        title, value);
    g_string_append_c (text, ' ');
  }
  return g_strchomp (g_string_free (text, FALSE));
}

static void
show_progress (Window *self)
{
  const OdlSweepState state = odl_sweep_state (self->sweep);
  g_autofree char *text = NULL;
  if (state.reading)
    text = g_strdup (_ ("Reading the pictures"));
  else if (state.total == 0)
    text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%" PRId64 " result",
                                         "%" PRId64 " results", (gulong) state.done),
                            state.done);
  else {
    const double seconds = (double) (odl_clock_now_ns () - self->begin_ns) / 1e9;
    const int left
        = state.done > 0 ? (int) fmin (
              seconds / (double) state.done * (double) (state.total - state.done) + 0.5,
              G_MAXINT / 2)
                         : 0;
    // Translators: hours, minutes and seconds to go.
    g_autofree char *time = g_strdup_printf (_ ("%d:%02d:%02d left"), left / 3600,
                                             left / 60 % 60, left % 60);
    text = g_strdup_printf ("%" PRId64 " / %" PRId64 "%s%s", state.done, state.total,
                            state.done > 0 ? " · " : "", state.done > 0 ? time : "");
  }
  gtk_progress_bar_set_text (self->progress, text);
  if (state.total > 0)
    gtk_progress_bar_set_fraction (self->progress,
                                   (double) state.done / (double) state.total);
  else
    gtk_progress_bar_pulse (self->progress);
}

static void
take (Window *self)
{
  g_autoptr (GPtrArray) rows = odl_sweep_take (self->sweep);
  if (rows->len > 0) {
    g_ptr_array_set_free_func (rows, NULL); // they are ours now
    g_ptr_array_extend (self->rows, rows, NULL, NULL);
    find_best (self, rows);
    odl_sweep_sheet_add (self->sheet, rows);
    odl_sweep_plot_add (self->plot, rows);
    show_best (self);
  }
  show_progress (self);
}

// ---- buttons -------------------------------------------------------------------------

static void
update_buttons (Window *self)
{
  const bool running = is_running (self);
  gtk_button_set_label (GTK_BUTTON (self->start), running ? _ ("_Stop") : _ ("_Start"));
  (running ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (self->start,
                                                                      "suggested-action");
  gtk_widget_set_sensitive (self->save, !running && self->rows->len > 0);
  gtk_widget_set_sensitive (self->copy, self->sweep != NULL);
  gtk_widget_set_visible (self->apply, self->rows->len > 0 && !running);
  gtk_widget_set_sensitive (self->apply, self->marked_row && !self->marked_row->refusal);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), running);
  gtk_widget_set_visible (self->below,
                          self->sweep || *gtk_label_get_text (self->warning));
}

// ---- choosing ------------------------------------------------------------------------

static void
show_marked (Window *self, const OdlSweepRow *row)
{
  g_autofree char *text = row ? text_of_row (self, row) : g_strdup ("");
  set_text (self->marked, text);
}

// Of a row that cannot be computed the filters stay.
static void
mark (Window *self, const OdlSweepRow *row)
{
  if (row == self->marked_row && is_trying (self))
    return;
  self->marked_row = row;
  show_marked (self, row);
  if (row && !row->refusal)
    try_row (self, row);
  else
    stop_trying (self);
  update_buttons (self);
}

static void
sheet_marked_cb (const OdlSweepRow *row, void *data)
{
  Window *self = data;
  odl_sweep_plot_mark (self->plot, row);
  mark (self, row);
}

static void
plot_marked_cb (OdlSweepPlot *plot, const OdlSweepRow *row, Window *self)
{
  odl_sweep_sheet_mark (self->sheet, row);
  mark (self, row);
}

static void
plot_shown_cb (OdlSweepPlot *plot, const OdlSweepRow *row, Window *self)
{
  show_marked (self, row);
}

static void
chosen_cb (const OdlSweepRow *row, void *data)
{
  Window *self = data;
  mark (self, row);
  keep_tried (self);
  update_buttons (self);
  if (!row->refusal)
    odl_messages_say (self->parts->messages, _ ("The values are in the filters"));
}

static void
plot_chosen_cb (OdlSweepPlot *plot, const OdlSweepRow *row, Window *self)
{
  chosen_cb (row, self);
}

static void
apply_cb (Window *self)
{
  if (self->marked_row)
    chosen_cb (self->marked_row, self);
}

// ---- running -------------------------------------------------------------------------

static void
say_problem (Window *self, const char *problem)
{
  g_autofree char *text
      = odl_names_in_text (odl_names_of (self->parts->session), problem);
  set_text (self->warning, text);
}

static void
show_end (Window *self, const GError *error)
{
  g_autofree char *note = odl_sweep_note (self->sweep);
  g_autofree char *beyond = self->best_row ? warning_of (self) : g_strdup ("");
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    say_problem (self, _ ("Stopped. What was found before stays here."));
  else if (error)
    say_problem (self, error->message);
  else if (*beyond)
    set_text (self->warning, beyond);
  else
    say_problem (self, note ? note : "");
}

// Arrow keys then go from result to result.
static void
focus_results (Window *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->pages);
  if (g_str_equal (page, SHEET))
    odl_sweep_sheet_focus (self->sheet);
  else if (!g_str_equal (page, FORM))
    gtk_widget_grab_focus (GTK_WIDGET (self->plot));
}

static void
ended_cb (const GError *error, void *data)
{
  Window *self = data;
  take (self);
  show_end (self, error);
  if (self->best_row && !self->marked_row) {
    self->marked_row = self->best_row;
    odl_sweep_sheet_mark (self->sheet, self->best_row);
    odl_sweep_plot_mark (self->plot, self->best_row);
    show_marked (self, self->best_row);
    focus_results (self);
  }
  update_buttons (self);
}

// Nothing of the one before stays.
static void
forget (Window *self)
{
  odl_sweep_sheet_begin (self->sheet, NULL);
  odl_sweep_plot_begin (self->plot, NULL);
  g_clear_pointer (&self->words, odl_sweep_words_free);
  g_clear_pointer (&self->about, g_free);
  self->best_row = self->marked_row = NULL;
  g_ptr_array_set_size (self->rows, 0);
  g_clear_pointer (&self->sweep, odl_sweep_free);
  set_text (self->best, "");
  set_text (self->marked, "");
  set_text (self->warning, "");
}

// "Threshold as the file's values", which is too long for the head of a column.
static char *
about_units (const OdlSweepWords *words)
{
  GString *text = g_string_new (NULL);
  GHashTable *told = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < words->trial->axes->varied->len; i++) {
    g_autofree char *title = odl_sweep_axis_title (words, i);
    if (!*words->units[i] || !g_hash_table_add (told, words->units[i]))
      continue;
    // Translators: a parameter, and the unit of its numbers.
    g_string_append (text, " · ");
    g_string_append_printf (text, _ ("%s: %s"), title, words->units[i]);
  }
  g_hash_table_unref (told);
  return g_string_free (text, FALSE);
}

static void
show_caption (Window *self)
{
  g_autofree char *text = odl_names_in_text (odl_names_of (self->parts->session),
                                             self->about ? self->about : "");
  set_text (self->caption, text);
}

static bool
begin (Window *self, GError **error)
{
  g_auto (OdlSweepAsked) asked = { 0 };
  stop_trying (self);
  if (!odl_sweep_form_read (self->form, &asked, error))
    return false;
  OdlSweep *sweep = odl_sweep_new (&asked.params, asked.searches, ended_cb, self, error);
  if (!sweep)
    return false;
  forget (self);
  self->sweep = sweep;
  self->begin_ns = odl_clock_now_ns ();
  self->words = odl_sweep_words_new (self->parts->session, odl_sweep_trial (sweep));
  g_autofree char *units = about_units (self->words);
  self->about = g_strconcat (asked.caption, units, NULL);
  show_caption (self);
  odl_sweep_sheet_begin (self->sheet, self->words);
  odl_sweep_plot_begin (self->plot, self->words);
  return true;
}

static void
start_cb (Window *self)
{
  g_autoptr (GError) error = NULL;
  if (is_running (self))
    odl_sweep_cancel (self->sweep);
  else if (!begin (self, &error))
    say_problem (self, error->message);
  else if (g_str_equal (gtk_stack_get_visible_child_name (self->pages), FORM))
    gtk_stack_set_visible_child_name (self->pages, SHEET);
  update_buttons (self);
}

static gboolean
update_cb (void *data)
{
  Window *self = data;
  if (!self->parts->session)
    return G_SOURCE_CONTINUE;
  if (is_running (self))
    take (self);
  // What is only tried changes no task.
  const bool any = is_trying (self) || odl_sweep_form_follow (self->form);
  show_caption (self);
  gtk_widget_set_visible (self->nothing, !any && !self->sweep);
  gtk_widget_set_visible (self->content, any || self->sweep);
  gtk_widget_set_sensitive (self->start, any || is_running (self));
  return G_SOURCE_CONTINUE;
}

// While the main window is there; with it goes what was tried.
static gboolean
close_cb (Window *self)
{
  stop_trying (self);
  return FALSE;
}

static void
help_cb (Window *self)
{
  odl_help_window_present (self->parts->window, "help/sweeps");
}

// Escape ends what is at work, and only then the window.
static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        Window *self)
{
  if (key == GDK_KEY_F1)
    help_cb (self);
  else if (key == GDK_KEY_Escape && is_running (self))
    odl_sweep_cancel (self->sweep);
  else
    return FALSE;
  return TRUE;
}

// ---- taking it away ------------------------------------------------------------------

static int
compare_points (const void *a, const void *b)
{
  const OdlSweepRow *const *first = a, *const *second = b;
  return ((*first)->point > (*second)->point) - ((*first)->point < (*second)->point);
}

// Tables and commands have the names of files in them.
static bool
may_name_files (Window *self)
{
  const bool hidden = odl_names_are_hidden (odl_names_of (self->parts->session));
  if (hidden)
    say_problem (self, _ ("Names are hidden, and this would have that of the file in it. "
                          "Show names first (Shift+C)."));
  update_buttons (self);
  return !hidden;
}

bool
odl_sweep_window_save (GtkWindow *window, const char *path)
{
  Window *self = g_object_get_data (G_OBJECT (window), KEY);
  g_autoptr (GError) error = NULL;
  if (!self->sweep || is_running (self) || odl_files_is_shown (self->parts, path)
      || !may_name_files (self))
    return false;
  g_autoptr (GPtrArray) rows = g_ptr_array_copy (self->rows, NULL, NULL);
  g_ptr_array_set_free_func (rows, NULL);
  g_ptr_array_sort (rows, compare_points);
  if (!odl_sweep_save (self->sweep, rows, path, &error)) {
    say_problem (self, error->message);
    update_buttons (self);
    return false;
  }
  g_autofree char *name
      = odl_names_of_file (odl_names_of (self->parts->session), path, NULL);
  g_autofree char *said = g_strdup_printf (_ ("Saved “%s”"), name);
  odl_messages_say (self->parts->messages, said);
  return true;
}

static char *
name_file (const Window *self, const char *format)
{
  // Translators: the end of a file's name, “echo-sweep.csv”.
  g_autofree char *ending = g_strdup_printf ("-%s.%s", _ ("sweep"), format);
  return odl_files_save_name (self->parts, ending);
}

// For a terminal, or a machine that has more time.
static void
copy_cb (Window *self)
{
  if (!may_name_files (self))
    return;
  g_autofree char *name = name_file (self, "csv");
  g_autofree char *command = odl_sweep_command (self->sweep, name);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->copy), command);
  odl_messages_say (self->parts->messages, _ ("The sweep is copied as a command"));
}

// The window may have been closed meanwhile.
static void
path_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  g_autoptr (GObject) window
      = g_weak_ref_get (g_object_get_data (G_OBJECT (chooser), KEY));
  g_autofree char *path = g_file_get_path (file);
  if (window && path)
    odl_sweep_window_save (GTK_WINDOW (window), path);
}

static void
weak_free (void *data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
save_cb (Window *self)
{
  const char *const tables[] = { "*.csv", NULL };
  const char *const plots[] = { "*.svg", "*.png", "*.pdf", NULL };
  const bool draws = g_str_equal (gtk_stack_get_visible_child_name (self->pages), PLOT);
  if (!may_name_files (self))
    return;
  g_autofree char *name = name_file (self, draws ? "svg" : "csv");
  GtkFileChooser *chooser = odl_file_chooser_new (
      self->parts, _ ("Save Sweep"), GTK_FILE_CHOOSER_ACTION_SAVE, name, path_cb, NULL);
  GWeakRef *weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, gtk_widget_get_root (self->content));
  g_object_set_data_full (G_OBJECT (chooser), KEY, weak, weak_free);
  for (int i = 0; i < 2; i++)
    if (draws == (i == 0)) // the likely one first
      odl_file_chooser_add_filter (chooser, _ ("Plot (SVG, PNG, PDF)"), plots);
    else
      odl_file_chooser_add_filter (chooser, _ ("Table (CSV)"), tables);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

// ---- window --------------------------------------------------------------------------

static GtkWidget *
make_header (Window *self, GtkWidget *window)
{
  GtkWidget *bar = adw_header_bar_new ();
  self->start = gtk_button_new_with_mnemonic (_ ("_Start"));
  self->save = odl_child_window_button (
      "document-save-symbolic", _ ("Save the table (CSV) or the plot (SVG, PNG, PDF)"),
      G_CALLBACK (save_cb), self);
  self->copy = odl_child_window_button ("edit-copy-symbolic",
                                        _ ("Copy as a command of the shell"),
                                        G_CALLBACK (copy_cb), self);
  g_signal_connect_swapped (self->start, "clicked", G_CALLBACK (start_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->start);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar),
                           odl_child_window_button ("dialog-question-symbolic",
                                                    _ ("What this does (F1)"),
                                                    G_CALLBACK (help_cb), self));
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->save);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->copy);
  gtk_window_set_default_widget (GTK_WINDOW (window), self->start);
  return bar;
}

// Below the title, where it has room in a narrow window, too.
static GtkWidget *
make_switcher (Window *self)
{
  GtkWidget *pages = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (pages), self->pages);
  gtk_widget_set_halign (pages, GTK_ALIGN_CENTER);
  return pages;
}

static void
add_page (Window *self, GtkWidget *page, const char *name, const char *title)
{
  gtk_stack_add_titled (self->pages, page, name, title);
}

static GtkWidget *
make_plot (Window *self)
{
  GtkWidget *plot = odl_sweep_plot_new ();
  self->plot = g_object_ref_sink (ODL_SWEEP_PLOT (plot));
  gtk_widget_set_vexpand (plot, TRUE);
  gtk_widget_set_margin_start (plot, 12);
  gtk_widget_set_margin_end (plot, 12);
  gtk_widget_set_margin_bottom (plot, 6);
  g_signal_connect (plot, "shown", G_CALLBACK (plot_shown_cb), self);
  g_signal_connect (plot, "marked", G_CALLBACK (plot_marked_cb), self);
  g_signal_connect (plot, "chosen", G_CALLBACK (plot_chosen_cb), self);
  return plot;
}

static void
make_pages (Window *self)
{
  self->pages = GTK_STACK (gtk_stack_new ());
  self->form = odl_sweep_form_new (self->parts);
  self->sheet = odl_sweep_sheet_new (chosen_cb, sheet_marked_cb, self);
  // Translators: what a sweep is to do.
  add_page (self, odl_sweep_form_widget (self->form), FORM, _ ("Task"));
  // Translators: the results of a sweep, in rows and columns.
  add_page (self, odl_sweep_sheet_widget (self->sheet), SHEET, _ ("Sheet"));
  // Translators: the results of a sweep, as a curve or a map.
  add_page (self, make_plot (self), PLOT, _ ("Plot"));
  gtk_widget_set_vexpand (GTK_WIDGET (self->pages), TRUE);
}

static GtkLabel *
add_label (GtkBox *box, const char *style)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, style);
  gtk_widget_set_visible (label, FALSE);
  gtk_box_append (box, label);
  return GTK_LABEL (label);
}

static GtkWidget *
make_below (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *progress = gtk_progress_bar_new ();
  self->below = box;
  self->progress = GTK_PROGRESS_BAR (progress);
  gtk_progress_bar_set_show_text (self->progress, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (progress),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Progress"), -1);
  gtk_box_append (GTK_BOX (box), progress);
  self->marked = add_label (GTK_BOX (box), "numeric");
  self->best = add_label (GTK_BOX (box), "heading");
  self->warning = add_label (GTK_BOX (box), "warning");
  self->apply = gtk_button_new_with_mnemonic (_ ("_Apply"));
  gtk_widget_set_halign (self->apply, GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (self->apply,
                               _ ("Puts the values of the marked result into the filters "
                                  "(Enter); until then they are only tried"));
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (apply_cb), self);
  gtk_box_append (GTK_BOX (box), self->apply);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  return box;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Sweep"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkEventController *keys = gtk_event_controller_key_new ();
  self->parts = odl_main_window_parts (parent);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_sweep_row_free);
  g_object_set_data_full (G_OBJECT (window), KEY, self, window_free);
  make_pages (self);
  self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->nothing = odl_child_window_nothing (
      "edit-find-symbolic", _ ("Add a Filter"),
      _ ("Filters with numbers or words to choose from (Insert): the values of these are "
         "tried one after the other here, and the results measured."));
  gtk_box_append (GTK_BOX (self->content), make_switcher (self));
  self->caption = add_label (GTK_BOX (self->content), "caption");
  gtk_widget_set_margin_start (GTK_WIDGET (self->caption), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->caption), 12);
  gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->pages));
  gtk_box_append (GTK_BOX (self->content), make_below (self));
  gtk_box_append (GTK_BOX (box), make_header (self, window));
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), self->content);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (window, keys);
  g_signal_connect_swapped (window, "close-request", G_CALLBACK (close_cb), self);
  update_buttons (self);
  odl_child_window_follow (window, UPDATE_MS, update_cb, self);
  return window;
}

GtkWindow *
odl_sweep_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, KEY, make_window);
}
