// SPDX-License-Identifier: MIT
#include "widgets/windows/help_window.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/help.h"
#include "filter/filter.h"
#include "widgets/panels/parameters/control.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/windows/child_window.h"

#define WIDTH 860
#define HEIGHT 640
#define LIST_WIDTH 250
#define MARGIN 18
#define FIRST_PAGE ODL_HELP_TOPICS "/start"

typedef struct {
  char *id; // "filters/median"
  char *title;
  char *words; // of all that it says, as odl_source_item_fold has them
  GPtrArray *blocks; // OdlHelpBlock
  const OdlFilter *filter; // NULL: it is about a topic
} Page;

typedef struct {
  GtkListBox *list;
  GtkEditable *search;
  GtkTextView *view;
  GtkTextBuffer *text;
  GtkWidget *nothing; // in the place of the list, where no page fits
  char **wanted; // folded words; NULL: every page fits
  bool shows_row; // the row chosen is to be scrolled to, too
  guint scroll_id;
} Help;

static void
free_page (void *data)
{
  Page *page = data;
  g_free (page->id);
  g_free (page->title);
  g_free (page->words);
  g_ptr_array_unref (page->blocks);
  g_free (page);
}

static void
free_help (void *data)
{
  Help *self = data;
  g_strfreev (self->wanted);
  g_free (self);
}

static Page *
page_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "page");
}

// ---- text ----------------------------------------------------------------------------

// What stands between back quotes looks as it is typed.
static void
add_words (Help *self, const char *words, const char *tag)
{
  g_auto (GStrv) parts = g_strsplit (words, "`", -1);
  for (int i = 0; parts[i]; i++) {
    GtkTextIter end;
    gtk_text_buffer_get_end_iter (self->text, &end);
    gtk_text_buffer_insert_with_tags_by_name (self->text, &end, parts[i], -1, tag,
                                              i % 2 ? "typed" : NULL, NULL);
  }
}

static void
add_line (Help *self, const char *words, const char *tag)
{
  add_words (self, words, tag);
  add_words (self, "\n", tag);
}

// A parameter is called as its slider is.
static void
add_term (Help *self, const Page *page, const OdlHelpBlock *block)
{
  g_autofree char *key = odl_help_plain (odl_help_block_term (block));
  const OdlParameter *parameter
      = page->filter ? odl_filter_parameter (page->filter, key) : NULL;
  if (parameter) {
    add_words (self, _ (parameter->label), "term");
    add_words (self, "  ", "term");
  }
  add_line (self, odl_help_block_term (block), "term");
  if (*block->text)
    add_line (self, odl_help_block_text (block), "explained");
}

static void
add_block (Help *self, const Page *page, const OdlHelpBlock *block)
{
  switch (block->kind) {
  case ODL_HELP_HEADING:
    add_line (self, odl_help_block_text (block), "heading");
    break;
  case ODL_HELP_PARAGRAPH:
    add_line (self, odl_help_block_text (block), "paragraph");
    break;
  case ODL_HELP_TERM:
    add_term (self, page, block);
    break;
  case ODL_HELP_CODE:
    add_line (self, odl_help_block_text (block), "code");
    break;
  }
}

static gboolean
scroll_cb (void *data)
{
  Help *self = data;
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  self->scroll_id = 0;
  gtk_text_view_scroll_to_mark (self->view, gtk_text_buffer_get_insert (self->text), 0,
                                TRUE, 0, 0.1);
  if (row && self->shows_row)
    gtk_widget_grab_focus (GTK_WIDGET (row));
  self->shows_row = false;
  return G_SOURCE_REMOVE;
}

// When text and list are laid out, which a place to scroll to has to wait for.
static void
scroll_later (Help *self)
{
  if (!self->scroll_id)
    self->scroll_id = g_idle_add_full (G_PRIORITY_LOW, scroll_cb, self, NULL);
}

// Marks the words that are searched for, and shows the first of them.
static void
mark_found (Help *self)
{
  GtkTextIter at, from, to;
  bool any = false;
  gtk_text_buffer_get_bounds (self->text, &from, &to);
  gtk_text_buffer_remove_tag_by_name (self->text, "found", &from, &to);
  for (char **word = self->wanted; word && *word; word++) {
    gtk_text_buffer_get_start_iter (self->text, &at);
    while (gtk_text_iter_forward_search (&at, *word, GTK_TEXT_SEARCH_CASE_INSENSITIVE,
                                         &from, &to, NULL)) {
      gtk_text_buffer_apply_tag_by_name (self->text, "found", &from, &to);
      if (!any)
        gtk_text_buffer_place_cursor (self->text, &from);
      any = true;
      at = to;
    }
  }
  if (!any) {
    gtk_text_buffer_get_start_iter (self->text, &at);
    gtk_text_buffer_place_cursor (self->text, &at);
  }
  scroll_later (self);
}

static void
show_page (Help *self, const Page *page)
{
  gtk_text_buffer_set_text (self->text, "", 0);
  if (page->filter) {
    add_line (self, page->title, "heading");
    add_line (self, _ (page->filter->description), "paragraph");
  }
  for (guint i = 0; i < page->blocks->len; i++)
    add_block (self, page, page->blocks->pdata[i]);
  mark_found (self);
}

static void
add_tags (GtkTextBuffer *text)
{
  gtk_text_buffer_create_tag (text, "heading", "weight", PANGO_WEIGHT_BOLD, "scale", 1.15,
                              "pixels-above-lines", 12, "pixels-below-lines", 3, NULL);
  gtk_text_buffer_create_tag (text, "paragraph", "pixels-below-lines", 6, NULL);
  gtk_text_buffer_create_tag (text, "term", "weight", PANGO_WEIGHT_BOLD,
                              "pixels-above-lines", 3, NULL);
  gtk_text_buffer_create_tag (text, "explained", "left-margin", 2 * MARGIN,
                              "pixels-below-lines", 3, NULL);
  gtk_text_buffer_create_tag (text, "code", "family", "monospace", "left-margin",
                              2 * MARGIN, "pixels-below-lines", 6, NULL);
  gtk_text_buffer_create_tag (text, "typed", "family", "monospace", NULL);
  gtk_text_buffer_create_tag (text, "found", "underline", PANGO_UNDERLINE_SINGLE,
                              "weight", PANGO_WEIGHT_BOLD, NULL);
}

// ---- pages ---------------------------------------------------------------------------

// Everything that is read, for the search.
static char *
words_of (const Page *page)
{
  g_autoptr (GString) words = g_string_new (page->title);
  g_string_append_printf (words, " %s", page->id);
  if (page->filter)
    g_string_append_printf (words, " %s", _ (page->filter->description));
  for (guint i = 0; i < page->blocks->len; i++) {
    const OdlHelpBlock *block = page->blocks->pdata[i];
    g_string_append_printf (words, " %s %s", odl_help_block_term (block),
                            odl_help_block_text (block));
  }
  g_autofree char *plain = odl_help_plain (words->str);
  return odl_source_item_fold (plain);
}

static void
add_page (Help *self, const char *shelf, const char *name, const OdlFilter *filter)
{
  GPtrArray *blocks = odl_help_load (shelf, name);
  if (!blocks)
    return;
  Page *page = g_new0 (Page, 1);
  page->id = g_strconcat (shelf, "/", name, NULL);
  page->blocks = blocks;
  page->filter = filter;
  page->title
      = filter ? g_strdup (_ (filter->label)) : odl_help_title (page->blocks, name);
  page->words = words_of (page);
  GtkWidget *label = gtk_label_new (page->title);
  GtkWidget *row = gtk_list_box_row_new ();
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  odl_control_name (row, page->title);
  g_object_set_data_full (G_OBJECT (row), "page", page, free_page);
  gtk_list_box_append (self->list, row);
}

static void
add_pages (Help *self)
{
  g_auto (GStrv) topics = odl_help_names (ODL_HELP_TOPICS);
  for (int i = 0; topics[i]; i++)
    add_page (self, ODL_HELP_TOPICS, topics[i], NULL);
  for (size_t i = 0; i < odl_filter_count (); i++)
    add_page (self, ODL_HELP_FILTERS, odl_filter_at (i)->name, odl_filter_at (i));
}

// The page that one begins with, the other topics by their titles, then filters.
static int
order_pages (GtkListBoxRow *a, GtkListBoxRow *b, void *data)
{
  const Page *pages[] = { page_of (a), page_of (b) };
  int ranks[2];
  for (int i = 0; i < 2; i++)
    ranks[i] = pages[i]->filter != NULL ? 2 : !g_str_equal (pages[i]->id, FIRST_PAGE);
  return ranks[0] != ranks[1] ? ranks[0] - ranks[1]
                              : g_utf8_collate (pages[0]->title, pages[1]->title);
}

static void
add_header (GtkListBoxRow *row, GtkListBoxRow *before, void *data)
{
  const bool is_filter = page_of (row)->filter != NULL;
  if (before && is_filter == (page_of (before)->filter != NULL)) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  GtkWidget *label = gtk_label_new (is_filter ? _ ("Filters") : _ ("Topics"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "panel-bar");
  gtk_list_box_row_set_header (row, label);
}

// ---- search --------------------------------------------------------------------------

static bool
has_all (const char *words, char **wanted)
{
  for (char **word = wanted; word && *word; word++)
    if (!strstr (words, *word))
      return false;
  return true;
}

static gboolean
fits (GtkListBoxRow *row, void *data)
{
  const Help *self = data;
  return has_all (page_of (row)->words, self->wanted);
}

// The first page whose title has the words, else the first that has them anywhere.
static GtkListBoxRow *
find_best (Help *self)
{
  GtkListBoxRow *best = NULL, *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)); i++) {
    g_autofree char *title = odl_source_item_fold (page_of (row)->title);
    if (has_all (title, self->wanted))
      return row;
    if (!best && fits (row, self))
      best = row;
  }
  return best;
}

static void
search_cb (Help *self)
{
  g_autofree char *folded = odl_source_item_fold (gtk_editable_get_text (self->search));
  g_auto (GStrv) words = g_strsplit_set (folded, " \t\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (char **word = words; *word; word++)
    if (**word)
      g_strv_builder_add (builder, *word);
  g_strfreev (self->wanted);
  self->wanted = g_strv_builder_end (builder);
  gtk_list_box_invalidate_filter (self->list);
  GtkListBoxRow *row = find_best (self);
  gtk_widget_set_visible (self->nothing, !row);
  if (row && *self->wanted && row != gtk_list_box_get_selected_row (self->list))
    gtk_list_box_select_row (self->list, row);
  else
    mark_found (self);
}

static void
selected_cb (Help *self, GtkListBoxRow *row)
{
  if (row)
    show_page (self, page_of (row));
}

// Escape: the search first, then the window.
static void
stop_cb (Help *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self->search));
  if (*gtk_editable_get_text (self->search))
    gtk_editable_set_text (self->search, "");
  else if (window)
    gtk_window_close (GTK_WINDOW (window));
}

// ---- window --------------------------------------------------------------------------

static GtkWidget *
make_list (Help *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *search = gtk_search_entry_new ();
  self->search = GTK_EDITABLE (search);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  self->nothing = gtk_label_new (_ ("No page has these words."));
  odl_control_name (search, _ ("Search the help"));
  odl_control_name (GTK_WIDGET (self->list), _ ("Pages"));
  gtk_widget_set_margin_start (search, 6);
  gtk_widget_set_margin_end (search, 6);
  gtk_widget_set_margin_top (search, 6);
  gtk_widget_add_css_class (self->nothing, "dim-label");
  gtk_widget_set_visible (self->nothing, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_list_box_set_filter_func (self->list, fits, self, NULL);
  gtk_list_box_set_sort_func (self->list, order_pages, NULL, NULL);
  gtk_list_box_set_header_func (self->list, add_header, NULL, NULL);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (selected_cb), self);
  g_signal_connect_swapped (search, "search-changed", G_CALLBACK (search_cb), self);
  g_signal_connect_swapped (search, "stop-search", G_CALLBACK (stop_cb), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_size_request (box, LIST_WIDTH, -1);
  gtk_box_append (GTK_BOX (box), search);
  gtk_box_append (GTK_BOX (box), self->nothing);
  gtk_box_append (GTK_BOX (box), scrolled);
  return box;
}

static GtkWidget *
make_view (Help *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();
  self->view = GTK_TEXT_VIEW (view);
  self->text = gtk_text_view_get_buffer (self->view);
  add_tags (self->text);
  gtk_text_view_set_editable (self->view, FALSE);
  gtk_text_view_set_cursor_visible (self->view, FALSE);
  gtk_text_view_set_wrap_mode (self->view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (self->view, MARGIN);
  gtk_text_view_set_right_margin (self->view, MARGIN);
  gtk_text_view_set_bottom_margin (self->view, MARGIN);
  odl_control_name (view, _ ("Page"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_hexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_header (void)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *keys = gtk_button_new_from_icon_name ("input-keyboard-symbolic");
  gtk_widget_set_tooltip_text (keys, _ ("All shortcuts (Ctrl+?)"));
  odl_control_name (keys, _ ("All shortcuts"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (keys), "app.shortcuts");
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), keys);
  return header;
}

static void
closed_cb (Help *self)
{
  g_clear_handle_id (&self->scroll_id, g_source_remove);
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Help *self = g_new0 (Help, 1);
  GtkWidget *window
      = odl_child_window_new (GTK_WINDOW (parent), _ ("Help"), WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  g_object_set_data_full (G_OBJECT (window), "help", self, free_help);
  gtk_paned_set_start_child (GTK_PANED (paned), make_list (self));
  gtk_paned_set_end_child (GTK_PANED (paned), make_view (self));
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (box), make_header ());
  gtk_box_append (GTK_BOX (box), paned);
  adw_window_set_content (ADW_WINDOW (window), box);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (closed_cb), self);
  gtk_widget_insert_action_group (
      window, "app", G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (parent))));
  add_pages (self);
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, 0));
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  return window;
}

GtkWindow *
odl_help_window_present (OdlMainWindow *parent, const char *page)
{
  GtkWindow *window = odl_child_window_present (parent, "help", make_window);
  Help *self = g_object_get_data (G_OBJECT (window), "help");
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)); i++)
    if (g_str_equal (page_of (row)->id, page)) {
      gtk_editable_set_text (self->search, "");
      gtk_list_box_select_row (self->list, row);
      self->shows_row = true;
      scroll_later (self);
    }
  return window;
}
