// SPDX-License-Identifier: MIT
#include "widgets/windows/code_window.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/windows/child_window.h"

#define WIDTH 640
#define HEIGHT 620
#define SHOWN_DIGITS 16

typedef struct {
  const OdlOwnCode *code;
  OdlCodeAnswerCb cb; // NULL: nothing is asked, or it was answered
  void *data;
} Question;

char *
odl_code_window_text (const OdlOwnCode *code)
{
  g_autofree char *bytes = g_strndup (code->bytes, code->length);
  GString *text = g_string_new (NULL);
  for (const char *p = bytes; *p; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);
    if (c == '\n' || c == '\t' || g_unichar_isprint (c))
      g_string_append_unichar (text, c);
    else if (c != '\r')
      g_string_append_printf (text, "⟨U+%04X⟩", (unsigned) c);
  }
  return g_string_free (text, FALSE);
}

static void
answer (Question *question, bool trusts)
{
  const OdlCodeAnswerCb cb = question->cb;
  question->cb = NULL;
  if (cb)
    cb (question->code, trusts, question->data);
}

static void
trust_cb (GtkWidget *window)
{
  answer (g_object_get_data (G_OBJECT (window), "question"), true);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
closed_cb (GtkWidget *window)
{
  answer (g_object_get_data (G_OBJECT (window), "question"), false);
}

static GtkWidget *
make_words (const OdlOwnCode *code, OdlCodeOrigin origin)
{
  const char *const begins[] = {
    [ODL_CODE_WAS_CHOSEN]
    = _ ("This file is a program that filters your pictures. Look at it before it runs "
         "for the first time."),
    [ODL_CODE_CAME]
    = _ ("These filters came with a program that has not run here yet. Look at it: "
         "without your yes the filters do without it."),
    [ODL_CODE_IS_SHOWN] = _ ("This program filters your pictures. You have allowed it."),
  };
  g_autofree char *digits = g_strndup (code->hash, SHOWN_DIGITS);
  g_autofree char *text = g_strdup_printf (
      code->language == ODL_OWN_PYTHON
          // Translators: what the file is, then what it can do, then its SHA-256.
          ? _ (
              "%s It is Python, and runs in a process of its own that sees the pictures, "
              "Python and its packages, and nothing else: none of your files, no "
              "network. It may compute for 20 seconds a picture, and take 2 GiB of "
              "memory.\n\nSHA-256: %s…")
          // Translators: what the file is, then what it can do, then its SHA-256.
          : _ ("%s It can compute with the samples of a picture and nothing else: no "
               "files, no "
               "network. What it can do is keep the graphics card busy, or bring its "
               "driver "
               "down; so it is tried in a process of its own first.\n\nSHA-256: %s…"),
      begins[origin], digits);
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  return label;
}

static GtkWidget *
make_text (const OdlOwnCode *code)
{
  g_autofree char *text = odl_code_window_text (code);
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkTextView *lines = GTK_TEXT_VIEW (view);
  gtk_text_view_set_editable (lines, FALSE);
  gtk_text_view_set_cursor_visible (lines, FALSE);
  gtk_text_view_set_monospace (lines, TRUE);
  gtk_text_view_set_accepts_tab (lines, FALSE);
  // Nothing stands beyond the edge, where nobody looks.
  gtk_text_view_set_wrap_mode (lines, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (lines, 12);
  gtk_text_view_set_right_margin (lines, 12);
  gtk_text_view_set_top_margin (lines, 12);
  gtk_text_view_set_bottom_margin (lines, 12);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (lines), text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The code"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_bar (GtkWidget *window, bool asks)
{
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (asks ? _ ("_Cancel") : _ ("_Close"));
  GtkWidget *trust = gtk_button_new_with_mnemonic (_ ("_Trust and Run"));
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), window);
  g_signal_connect_swapped (trust, "clicked", G_CALLBACK (trust_cb), window);
  gtk_widget_add_css_class (trust, "suggested-action");
  gtk_widget_set_visible (trust, asks);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), trust);
  // Enter is no yes.
  gtk_window_set_focus (GTK_WINDOW (window), cancel);
  return bar;
}

GtkWindow *
odl_code_window_present (GtkWindow *parent,
                         const OdlOwnCode *code,
                         OdlCodeOrigin origin,
                         OdlCodeAnswerCb cb,
                         void *data)
{
  // Translators: the name of a file with code.
  g_autofree char *title
      = g_strdup_printf (cb ? _ ("Trust “%s”?") : _ ("Code of “%s”"), code->name);
  GtkWidget *window = odl_child_window_new (parent, title, WIDTH, HEIGHT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *inner = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  Question *question = g_new (Question, 1);
  *question = (Question){ code, cb, data };
  g_object_set_data_full (G_OBJECT (window), "question", question, g_free);
  gtk_window_set_modal (GTK_WINDOW (window), cb != NULL);
  gtk_box_append (GTK_BOX (box), make_bar (window, cb != NULL));
  gtk_widget_set_margin_start (inner, 18);
  gtk_widget_set_margin_end (inner, 18);
  gtk_widget_set_margin_top (inner, 12);
  gtk_widget_set_margin_bottom (inner, 18);
  gtk_box_append (GTK_BOX (inner), make_words (code, origin));
  gtk_box_append (GTK_BOX (inner), make_text (code));
  gtk_box_append (GTK_BOX (box), inner);
  adw_window_set_content (ADW_WINDOW (window), box);
  g_signal_connect (window, "unrealize", G_CALLBACK (closed_cb), NULL);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
