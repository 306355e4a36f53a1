// SPDX-License-Identifier: MIT
#include "widgets/archive/send_window.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "session/archive/parcel.h"
#include "session/archive/search.h"
#include "widgets/archive/find_row.h"
#include "widgets/archive/node_list.h"
#include "widgets/archive/queue_group.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"

#define DATA "send-to-archive"
#define NODE_KEY "archive-node"
#define WIDTH 520
#define HEIGHT 640
#define CARD_MARGIN 9
#define MOST_TOLD 100 // files that were not sent, by name

// What of the open picture goes along.
enum {
  PICTURE,
  SERIES,
  NOTHING,
};

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *window;
  GPtrArray *nodes;
  AdwComboRow *node, *what;
  char *picture; // the file on screen; NULL: none that can be sent
  GPtrArray *series; // files of its series, in order; empty: it has none
  GPtrArray *more; // files that were chosen besides
  AdwPreferencesGroup *more_group;
  GPtrArray *more_rows; // borrowed
  GtkLabel *state;
  GtkProgressBar *progress;
  GtkWidget *send, *stop;
  GtkTextBuffer *failed;
  GtkWidget *failed_view;
  OdlArchiveWork *looking, *checking, *sending; // NULL: not under way
  OdlArchiveNode *to; // that is being sent to
  char **paths; // of what is being sent
  char *question; // whose files they are
  char *number, *name, *birth; // of the only person; NULL: there are more, or none
  bool updating;
  bool is_strange; // a reason to ask twice is in the question
  bool tells_of_waiting; // the words below say that something waits
  guint n, n_all, n_told;
} Window;

static void
stop_all (Window *self)
{
  g_clear_pointer (&self->looking, odl_archive_work_drop);
  g_clear_pointer (&self->checking, odl_archive_work_drop);
  g_clear_pointer (&self->sending, odl_archive_work_drop);
}

static void
window_free (void *data)
{
  Window *self = data;

  stop_all (self);
  odl_archive_node_free (self->to);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->series);
  g_ptr_array_unref (self->more);
  g_ptr_array_unref (self->more_rows);
  g_strfreev (self->paths);
  g_free (self->picture);
  g_free (self->question);
  g_free (self->number);
  g_free (self->name);
  g_free (self->birth);
  g_free (self);
}

static bool
hides_names (const Window *self)
{
  return odl_names_are_hidden (odl_names_of (self->parts->session));
}

static bool
is_busy (const Window *self)
{
  return self->looking != NULL || self->checking != NULL || self->sending != NULL;
}

static void
tell (Window *self, bool good, const char *text)
{
  gtk_label_set_text (self->state, text);
  (good ? gtk_widget_remove_css_class
        : gtk_widget_add_css_class) (GTK_WIDGET (self->state), "error");
}

// ---- What is sent --------------------------------------------------------------------

static guint
what_is_chosen (const Window *self)
{
  const guint at = adw_combo_row_get_selected (self->what);

  if (self->picture == NULL)
    return NOTHING;
  return at == 0 || self->series->len > 1 ? at : NOTHING;
}

// NULL-terminated. Transfer full.
static char **
collect (const Window *self)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  const guint what = what_is_chosen (self);

  if (what == PICTURE)
    g_strv_builder_add (paths, self->picture);
  for (guint i = 0; what == SERIES && i < self->series->len; i++)
    g_strv_builder_add (paths, self->series->pdata[i]);
  for (guint i = 0; i < self->more->len; i++)
    g_strv_builder_add (paths, self->more->pdata[i]);
  return g_strv_builder_end (paths);
}

// The files of the picture that is shown.
static void
take_picture (Window *self)
{
  OdlSession *session = self->parts->session;
  const OdlSourceInfo *info = odl_session_info (session);
  const char *file = odl_session_file (session);

  if (file == NULL || odl_session_detail (session, "sop-instance") == NULL)
    return;
  self->picture = g_strdup (file);
  for (gint64 i = 0; info->files != NULL && i < info->n_frames; i++) {
    const char *one = info->files[i];
    if (!odl_session_lacks_frame (session, i)
        && !g_ptr_array_find_with_equal_func (self->series, one, g_str_equal, NULL))
      g_ptr_array_add (self->series, g_strdup (one));
  }
}

static const OdlArchiveNode *
chosen_node (const Window *self)
{
  const guint at = adw_combo_row_get_selected (self->node);

  return at < self->nodes->len ? self->nodes->pdata[at] : NULL;
}

static void
update (Window *self)
{
  const OdlArchiveNode *node = chosen_node (self);
  g_auto (GStrv) paths = collect (self);
  const guint n = g_strv_length (paths);
  const guint n_waiting = node != NULL ? odl_archive_n_waiting (node) : 0;
  const bool busy = is_busy (self);

  gtk_widget_set_sensitive (self->send, node != NULL && n + n_waiting > 0 && !busy);
  gtk_widget_set_visible (self->stop, busy);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), self->sending != NULL);
  if (node == NULL) {
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->node),
                                 _ ("Name one in the preferences, at Archives"));
    return;
  }
  g_autofree char *address = odl_node_place (node);
  g_autofree char *text
      = n_waiting > 0
            ? g_strdup_printf (ngettext ("%s\n%u file from before waits for it, and "
                                         "goes along",
                                         "%s\n%u files from before wait for it, and go "
                                         "along",
                                         n_waiting),
                               address, n_waiting)
            : g_strdup (address);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->node), text);
}

// ---- Files besides -------------------------------------------------------------------

static void fill_more (Window *self);

static void
remove_cb (Window *self, GtkWidget *button)
{
  const int at = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "number"));

  g_ptr_array_remove_index (self->more, (guint) at);
  fill_more (self);
}

static void
fill_more (Window *self)
{
  for (guint i = 0; i < self->more_rows->len; i++)
    adw_preferences_group_remove (self->more_group, self->more_rows->pdata[i]);
  g_ptr_array_set_size (self->more_rows, 0);
  for (guint i = 0; i < self->more->len; i++) {
    GtkWidget *row = adw_action_row_new ();
    GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
    g_autofree char *name = odl_names_of_file (odl_names_of (self->parts->session),
                                               self->more->pdata[i], NULL);
    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text (button, _ ("Remove"));
    g_object_set_data (G_OBJECT (button), "number", GINT_TO_POINTER ((int) i));
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (remove_cb), self);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    adw_preferences_group_add (self->more_group, row);
    g_ptr_array_add (self->more_rows, row);
  }
  update (self);
}

static void
chosen_cb (GtkNativeDialog *dialog, int answer, GObject *window)
{
  Window *self = g_object_get_data (window, DATA);
  g_autoptr (GListModel) files
      = answer == GTK_RESPONSE_ACCEPT
            ? gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog))
            : NULL;

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++) {
    g_autoptr (GFile) file = g_list_model_get_item (files, i);
    char *path = g_file_get_path (file);
    if (path != NULL
        && !g_ptr_array_find_with_equal_func (self->more, path, g_str_equal, NULL))
      g_ptr_array_add (self->more, path);
    else
      g_free (path);
  }
  fill_more (self);
}

// Begins beside the picture, where what was saved of it lies.
static void
add_cb (Window *self)
{
  GtkFileChooserNative *dialog
      = gtk_file_chooser_native_new (_ ("Files to Send"), GTK_WINDOW (self->window),
                                     GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  g_autoptr (GFile) folder = odl_files_save_folder (self->parts);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  g_signal_connect_object (dialog, "response", G_CALLBACK (chosen_cb), self->window, 0);
  g_object_set_data_full (G_OBJECT (self->window), "odl-chooser", dialog, g_object_unref);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

// ---- Sending -------------------------------------------------------------------------

static void
sent_cb (const OdlArchiveSent *sent, void *data)
{
  Window *self = data;
  GtkTextIter end;

  self->n++;
  gtk_progress_bar_set_fraction (
      self->progress, self->n_all > 0 ? MIN (1, (double) self->n / self->n_all) : 0);
  if (sent->text == NULL || self->n_told++ >= MOST_TOLD)
    return;
  g_autofree char *name
      = hides_names (self) ? g_strdup_printf ("%u", self->n) : g_strdup (sent->name);
  g_autofree char *line = g_strdup_printf ("%s: %s\n", name, sent->text);
  gtk_text_buffer_get_end_iter (self->failed, &end);
  gtk_text_buffer_insert (self->failed, &end, line, -1);
  gtk_widget_set_visible (self->failed_view, TRUE);
}

static char *
conclude (const OdlArchiveSendCounts *counts, const char *node)
{
  const guint all = counts->n_sent + counts->n_failed;
  GString *text = g_string_new (NULL);

  if (counts->n_failed == 0)
    g_string_append_printf (
        text, ngettext ("%u file sent; %s has it", "%u files sent; %s has them", all),
        all, node);
  else
    g_string_append_printf (text, _ ("%u of %u files sent"), counts->n_sent, all);
  if (counts->was_cancelled)
    g_string_append (text, _ ("; stopped, the others do not wait"));
  if (counts->n_waiting > 0)
    g_string_append_printf (
        text,
        ngettext (
            "; %u waits on this machine, and goes by itself as long as a window is open",
            "; %u wait on this machine, and go by themselves as long as a window is open",
            counts->n_waiting),
        counts->n_waiting);
  return g_string_free (text, FALSE);
}

static void
ended_cb (const OdlArchiveSendCounts *counts, const GError *error, void *data)
{
  Window *self = data;
  g_autofree char *text
      = error != NULL ? g_strdup (error->message) : conclude (counts, self->to->name);

  g_clear_pointer (&self->sending, odl_archive_work_drop);
  tell (self, error == NULL && counts->n_failed == 0, text);
  self->tells_of_waiting = counts->n_waiting > 0;
  odl_messages_say (self->parts->messages, text);
  if (odl_queue_outgoing (self->parts) != NULL)
    odl_outgoing_look (odl_queue_outgoing (self->parts));
  update (self);
}

static void
send_now (Window *self)
{
  const OdlArchiveSendParams params = { .node = self->to,
                                        .paths = (const char *const *) self->paths,
                                        .waits_for_others = true,
                                        .sent = sent_cb,
                                        .ended = ended_cb,
                                        .data = self };
  g_autoptr (GError) error = NULL;

  self->n = self->n_told = 0;
  self->n_all = g_strv_length (self->paths) + odl_archive_n_waiting (self->to);
  gtk_text_buffer_set_text (self->failed, "", 0);
  gtk_widget_set_visible (self->failed_view, FALSE);
  gtk_progress_bar_set_fraction (self->progress, 0);
  self->sending = odl_archive_send_start (&params, &error);
  tell (self, error == NULL, error == NULL ? _ ("Sending…") : error->message);
  update (self);
}

// ---- Asking first --------------------------------------------------------------------

static void
answered_cb (AdwMessageDialog *dialog, const char *answer, GObject *window)
{
  Window *self = g_object_get_data (window, DATA);

  if (g_str_equal (answer, "send"))
    send_now (self);
  else
    tell (self, true, _ ("Nothing was sent"));
}

static void
ask (Window *self)
{
  g_autofree char *address = odl_node_place (self->to);
  const guint n = g_strv_length (self->paths);
  g_autofree char *files = g_strdup_printf (ngettext ("%u file", "%u files", n), n);
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self->window),
      self->is_strange ? _ ("Send to Another Patient's List?") : _ ("Send?"), NULL);

  // Translators: what is sent, the name of a node, its address, whose pictures they are.
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog), _ ("%s to %s (%s).\n%s"),
                                  files, self->to->name, address, self->question);
  adw_message_dialog_add_responses (
      ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "send",
      self->is_strange ? _ ("_Send All the Same") : _ ("_Send"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "send",
                                              self->is_strange ? ADW_RESPONSE_DESTRUCTIVE
                                                               : ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog),
                                           self->is_strange ? "cancel" : "send");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self->window, 0);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
add_to_question (Window *self, const char *text)
{
  char *whole = g_strdup_printf ("%s\n%s", self->question, text);

  g_free (self->question);
  self->question = whole;
}

static char *
person_text (const Window *self, const char *name, const char *number, const char *birth)
{
  g_autofree char *read = odl_find_row_name (name);
  g_autofree char *born = odl_diagnostics_date (birth);

  if (hides_names (self))
    // Translators: in the place of who somebody is.
    return g_strdup (_ ("(names are hidden)"));
  return g_strjoin (" · ", *read != '\0' ? read : _ ("Without a name"),
                    *number != '\0' ? number : _ ("without a number"),
                    *birth != '\0' ? born : NULL, NULL);
}

// Whom the node has under that number.
static void
known_cb (const GPtrArray *some, void *data)
{
  Window *self = data;

  for (guint i = 0; i < some->len && !self->is_strange; i++) {
    const OdlArchiveFound *found = some->pdata[i];
    const char *name = odl_archive_found_value (found, ODL_KEY_PATIENT_NAME);
    const char *birth = odl_archive_found_value (found, ODL_KEY_BIRTH_DATE);
    if (odl_archive_may_be_one (self->name, self->birth, name, birth))
      continue;
    g_autofree char *person = person_text (self, name, self->number, birth);
    g_autofree char *text = g_strdup_printf (
        _ ("Attention: the archive has another person under that number, %s."), person);
    self->is_strange = true;
    add_to_question (self, text);
  }
}

static void
checked_cb (const GError *error, const GPtrArray *notes, void *data)
{
  Window *self = data;

  g_clear_pointer (&self->checking, odl_archive_work_drop);
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    tell (self, true, _ ("Nothing was sent"));
    update (self);
    return;
  }
  if (error != NULL)
    add_to_question (self, _ ("Whom the archive has under that number is not known: it "
                              "answers no query."));
  tell (self, true, "");
  update (self);
  ask (self);
}

static void
check_number (Window *self)
{
  const OdlArchiveSearchParams params = { .node = self->to,
                                          .level = ODL_LEVEL_STUDY,
                                          .wanted[ODL_KEY_PATIENT_ID] = self->number,
                                          .found = known_cb,
                                          .ended = checked_cb,
                                          .data = self };

  self->checking = self->number != NULL && *self->number != '\0'
                       ? odl_archive_search_start (&params, NULL)
                       : NULL;
  if (self->checking == NULL) {
    ask (self);
    return;
  }
  tell (self, true, _ ("Asking whom the archive has under that number…"));
}

// A line for each person.
static void
owners_cb (const GPtrArray *persons, guint n_unknown, void *data)
{
  Window *self = data;
  GString *text = g_string_new (NULL);

  g_clear_pointer (&self->looking, odl_archive_work_drop);
  g_clear_pointer (&self->number, g_free);
  self->is_strange = persons->len > 1;
  if (persons->len > 1)
    g_string_append_printf (text, _ ("Attention: these are files of %u persons:"),
                            persons->len);
  for (guint i = 0; i < persons->len; i++) {
    const OdlArchivePerson *one = persons->pdata[i];
    g_autofree char *person = person_text (self, one->name, one->number, one->birth);
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", person);
  }
  if (persons->len == 1) {
    const OdlArchivePerson *one = persons->pdata[0];
    g_free (self->name);
    g_free (self->birth);
    self->number = g_strdup (one->number);
    self->name = g_strdup (one->name);
    self->birth = g_strdup (one->birth);
  }
  if (n_unknown > 0)
    g_string_append_printf (text,
                            ngettext ("\n%u file does not say whose it is.",
                                      "\n%u files do not say whose they are.", n_unknown),
                            n_unknown);
  g_free (self->question);
  self->question = g_string_free (text, FALSE);
  check_number (self);
  update (self);
}

static void
send_cb (Window *self)
{
  const OdlArchiveNode *node = chosen_node (self);
  g_autoptr (GError) error = NULL;

  if (node == NULL || is_busy (self))
    return;
  if (!odl_archive_node_check (node, &error)) {
    tell (self, false, error->message);
    return;
  }
  odl_archive_node_free (self->to);
  self->to = odl_archive_node_copy (node);
  g_strfreev (self->paths);
  self->paths = collect (self);
  if (self->paths[0] == NULL) { // what waits was asked about when it was sent first
    send_now (self);
    return;
  }
  tell (self, true, _ ("Reading whose files these are…"));
  self->looking = odl_archive_owners_start ((const char *const *) self->paths, owners_cb,
                                            self, &error);
  if (self->looking == NULL)
    tell (self, false, error->message);
  update (self);
}

static void
stop_cb (Window *self)
{
  if (self->sending != NULL)
    odl_archive_work_cancel (self->sending);
  if (self->checking != NULL)
    odl_archive_work_cancel (self->checking);
  if (self->looking != NULL) {
    g_clear_pointer (&self->looking, odl_archive_work_drop);
    tell (self, true, _ ("Nothing was sent"));
    update (self);
  }
}

// ---- The window ----------------------------------------------------------------------

static void
node_cb (Window *self)
{
  const OdlArchiveNode *node = chosen_node (self);

  if (self->updating)
    return;
  if (node != NULL)
    odl_settings_set_string (self->parts->settings, NODE_KEY, node->name);
  update (self);
}

static AdwComboRow *
add_choice (AdwPreferencesGroup *group, const char *title)
{
  GtkWidget *row = adw_combo_row_new ();

  // Titles of nodes may have any letters.
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_preferences_group_add (group, row);
  return ADW_COMBO_ROW (row);
}

static void
fill_choices (Window *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) kinds = gtk_string_list_new (NULL);
  g_autofree char *last = odl_settings_get_string (self->parts->settings, NODE_KEY);
  guint selected = 0;

  for (guint i = 0; i < self->nodes->len; i++) {
    const OdlArchiveNode *node = self->nodes->pdata[i];
    gtk_string_list_append (names, node->name);
    selected = g_str_equal (node->name, last) ? i : selected;
  }
  self->updating = true;
  adw_combo_row_set_model (self->node, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->node, selected);
  self->updating = false;
  if (self->picture != NULL)
    gtk_string_list_append (kinds, _ ("This picture, as it came"));
  if (self->series->len > 1) {
    g_autofree char *text
        = g_strdup_printf (_ ("Its series, as it came (%u files)"), self->series->len);
    gtk_string_list_append (kinds, text);
  }
  gtk_string_list_append (kinds, _ ("Saved files alone"));
  adw_combo_row_set_model (self->what, G_LIST_MODEL (kinds));
  adw_combo_row_set_selected (self->what, 0);
}

static GtkLabel *
add_words (GtkWidget *box)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

// What waits may have gone, or was given up: nothing says any more that it does.
static void
queue_cb (void *data)
{
  Window *self = data;

  if (is_busy (self) || odl_window_is_closed (self->parts))
    return;
  if (self->tells_of_waiting && odl_archive_n_waiting (self->to) == 0) {
    self->tells_of_waiting = false;
    tell (self, true, "");
    gtk_widget_set_visible (self->failed_view, FALSE);
  }
  update (self);
}

static void
fill (Window *self, GtkWidget *box)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *more = adw_preferences_group_new ();
  GtkWidget *add = gtk_button_new_with_mnemonic (_ ("_Add…"));
  GtkWidget *view = gtk_text_view_new ();

  self->node = add_choice (ADW_PREFERENCES_GROUP (group), _ ("To"));
  self->what = add_choice (ADW_PREFERENCES_GROUP (group), _ ("What"));
  // Beside the title it would be cut after twenty letters.
  adw_combo_row_set_use_subtitle (self->what, TRUE);
  gtk_box_append (GTK_BOX (box), group);
  self->more_group = ADW_PREFERENCES_GROUP (more);
  adw_preferences_group_set_title (self->more_group, _ ("Files That Were Saved"));
  adw_preferences_group_set_description (
      self->more_group,
      _ ("Derived pictures, presentation states, reports, key objects"));
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (add_cb), self);
  gtk_widget_set_valign (add, GTK_ALIGN_CENTER);
  adw_preferences_group_set_header_suffix (self->more_group, add);
  gtk_box_append (GTK_BOX (box), more);
  gtk_box_append (GTK_BOX (box), odl_queue_group_new (self->parts, queue_cb, self));
  self->state = add_words (box);
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->progress));
  self->failed = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  self->failed_view = view;
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), CARD_MARGIN);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), CARD_MARGIN);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), CARD_MARGIN);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), CARD_MARGIN);
  gtk_widget_add_css_class (view, "card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What was not sent, and what was changed"), -1);
  gtk_widget_set_visible (view, FALSE);
  gtk_box_append (GTK_BOX (box), view);
}

static GtkWidget *
make_header (Window *self)
{
  GtkWidget *header = adw_header_bar_new ();

  self->send = gtk_button_new_with_mnemonic (_ ("_Send…"));
  self->stop = gtk_button_new_with_mnemonic (_ ("S_top"));
  gtk_widget_add_css_class (self->send, "suggested-action");
  g_signal_connect_swapped (self->send, "clicked", G_CALLBACK (send_cb), self);
  g_signal_connect_swapped (self->stop, "clicked", G_CALLBACK (stop_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->send);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->stop);
  return header;
}

// The picture that is shown may be another one than before, and so may the nodes.
static void
renew (Window *self)
{
  if (is_busy (self) || odl_window_is_closed (self->parts))
    return;
  const guint what = adw_combo_row_get_selected (self->what);
  g_autofree char *before = g_steal_pointer (&self->picture);
  g_ptr_array_set_size (self->series, 0);
  take_picture (self);
  g_ptr_array_unref (self->nodes);
  self->nodes = odl_nodes_load (self->parts->settings);
  fill_choices (self);
  if (g_strcmp0 (before, self->picture) == 0)
    adw_combo_row_set_selected (self->what, what);
  update (self);
}

static void
active_cb (Window *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self->window)))
    renew (self);
}

// Whoever sends is to see what became of it.
static gboolean
close_cb (Window *self)
{
  if (self->sending != NULL)
    odl_messages_say (self->parts->messages, _ ("Files are being sent; stop that first"));
  return self->sending != NULL;
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->parts = odl_main_window_parts (parent);
  self->nodes = odl_nodes_load (self->parts->settings);
  self->series = g_ptr_array_new_with_free_func (g_free);
  self->more = g_ptr_array_new_with_free_func (g_free);
  self->more_rows = g_ptr_array_new ();
  self->window = odl_child_window_new (GTK_WINDOW (parent), _ ("Send to an Archive"),
                                       WIDTH, HEIGHT);
  g_object_set_data_full (G_OBJECT (self->window), DATA, self, window_free);
  g_signal_connect_swapped (self->window, "destroy", G_CALLBACK (stop_all), self);
  gtk_widget_add_css_class (box, "panel-content");
  gtk_box_append (GTK_BOX (outer), make_header (self));
  fill (self, box);
  fill_choices (self);
  g_signal_connect_swapped (self->window, "notify::is-active", G_CALLBACK (active_cb),
                            self);
  g_signal_connect_swapped (self->window, "close-request", G_CALLBACK (close_cb), self);
  g_signal_connect_swapped (self->node, "notify::selected", G_CALLBACK (node_cb), self);
  g_signal_connect_swapped (self->what, "notify::selected", G_CALLBACK (update), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (outer), scrolled);
  adw_window_set_content (ADW_WINDOW (self->window), outer);
  update (self);
  return self->window;
}

GtkWindow *
odl_send_window_present (OdlMainWindow *parent)
{
  GtkWindow *window = odl_child_window_present (parent, DATA, make_window);

  renew (g_object_get_data (G_OBJECT (window), DATA));
  return window;
}
