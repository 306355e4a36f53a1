// SPDX-License-Identifier: MIT
// Code of the user's own in the window: a file that he chose, or dropped, is shown before
// it runs, as is code that came with a recipe; what he chose is watched from then on.
#include <glib/gi18n-lib.h>

#include "session/code_watch.h"
#include "session/own_code.h"
#include "session/trust.h"
#include "widgets/panels/filter_chain.h"
#include "widgets/window/parts.h"
#include "widgets/windows/code_window.h"

#define NAME "odl-own-code"
static const char *const endings[] = { ".glsl", ".py", NULL };

typedef struct {
  const OdlWindowParts *parts;
  OdlTrust *trust;
  GHashTable *watches; // path to OdlCodeWatch
  GtkWindow *question; // weak; NULL: none is open
  char *path; // of the file that the question is about; NULL: it came with a recipe
  guint look; // an idle source; 0: none
} OwnCode;

static void look_later (OwnCode *self);

static OwnCode *
own_code_of (const OdlWindowParts *parts)
{
  return g_object_get_data (G_OBJECT (parts->window), NAME);
}

static void
free_own_code (void *data)
{
  OwnCode *self = data;
  g_clear_handle_id (&self->look, g_source_remove);
  g_clear_weak_pointer (&self->question);
  g_hash_table_unref (self->watches);
  g_free (self->path);
  g_free (self);
}

// ---- watching ------------------------------------------------------------------------

static void
changed_cb (const OdlOwnCode *from, const OdlOwnCode *to, void *data)
{
  OwnCode *self = data;
  const OdlLayout *layout = self->parts->layout;
  if (odl_window_is_closed (self->parts))
    return;
  for (int i = 0; i < odl_layout_count (layout); i++) {
    OdlSession *session = odl_layout_nth (layout, i)->session;
    if (to)
      odl_session_replace_code (session, from, to);
    else
      g_object_notify (G_OBJECT (session), "recipe");
  }
}

static void
watch (OwnCode *self, const char *path, const OdlOwnCode *code)
{
  OdlCodeWatch *made
      = odl_code_watch_new (path, code, self->parts->session, changed_cb, self);
  g_hash_table_replace (self->watches, g_strdup (path), made);
}

// ---- a file --------------------------------------------------------------------------

static void
add (OwnCode *self, const char *path, const OdlOwnCode *code)
{
  const OdlWindowParts *parts = self->parts;
  if (odl_session_recipe (parts->session)->n_items == ODL_RECIPE_MAX_FILTERS) {
    g_autofree char *text = g_strdup_printf (
        _ ("A chain has at most %d filters. Remove one first."), ODL_RECIPE_MAX_FILTERS);
    odl_messages_say (parts->messages, text);
    return;
  }
  watch (self, path, code);
  odl_filter_chain_add (odl_filter_panel_chain (parts->filter_panel), &code->filter);
  g_autofree char *text = g_strdup_printf (
      // Translators: the name of a file with code.
      odl_code_file_is_private (path)
          ? _ ("“%s” filters the picture. Save it in an editor, and the picture follows.")
          : _ ("“%s” filters the picture. It is not followed when it is saved, since "
               "others may write it."),
      code->name);
  odl_messages_say (parts->messages, text);
}

static void
answered_cb (const OdlOwnCode *code, bool trusts, void *data)
{
  g_autoptr (OdlMainWindow) window = data;
  const OdlWindowParts *parts = odl_main_window_parts (window);
  OwnCode *self = own_code_of (parts);
  g_clear_weak_pointer (&self->question);
  g_autofree char *path = g_steal_pointer (&self->path);
  if (odl_window_is_closed (parts))
    return;
  if (trusts)
    odl_trust_allow (self->trust, code);
  else if (!path)
    odl_trust_refuse (self->trust, code);
  if (trusts && path)
    add (self, path, code);
  look_later (self);
}

// One question at a time.
static void
ask (OwnCode *self, const OdlOwnCode *code, const char *path)
{
  if (self->question) {
    gtk_window_present (self->question);
    return;
  }
  self->path = g_strdup (path);
  GtkWindow *question = odl_code_window_present (
      GTK_WINDOW (self->parts->window), code, path ? ODL_CODE_WAS_CHOSEN : ODL_CODE_CAME,
      answered_cb, g_object_ref (self->parts->window));
  g_set_weak_pointer (&self->question, question);
}

bool
odl_window_is_code (const char *path)
{
  for (int i = 0; path && endings[i]; i++)
    if (g_str_has_suffix (path, endings[i]))
      return true;
  return false;
}

void
odl_window_insert_code (const OdlWindowParts *parts, const char *path)
{
  OwnCode *self = own_code_of (parts);
  g_autoptr (GError) error = NULL;
  const OdlOwnCode *code = odl_own_code_load (path, &error);
  if (!code)
    odl_messages_say (parts->messages, error->message);
  else if (odl_own_state (code) == ODL_OWN_ALLOWED)
    add (self, path, code);
  else
    ask (self, code, path);
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  g_autofree char *path = g_file_get_path (file);
  odl_window_insert_code (data, path);
}

static void
insert_cb (OwnCode *self, GVariant *parameter)
{
  static const char *const patterns[] = { "*.glsl", "*.py", NULL };
  GtkFileChooser *chooser
      = odl_file_chooser_new (self->parts, _ ("Own Filter"), GTK_FILE_CHOOSER_ACTION_OPEN,
                              NULL, chosen_cb, (void *) self->parts);
  odl_file_chooser_add_filter (chooser, _ ("Code (GLSL, Python)"), patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
insert_file_cb (OwnCode *self, GVariant *parameter)
{
  odl_window_insert_code (self->parts, g_variant_get_string (parameter, NULL));
}

// ---- what came with a recipe ---------------------------------------------------------

// The first that waits, of all panes.
static const OdlOwnCode *
find_waiting (OwnCode *self)
{
  const OdlLayout *layout = self->parts->layout;
  for (int p = 0; p < odl_layout_count (layout); p++) {
    const OdlRecipe *recipe = odl_session_recipe (odl_layout_nth (layout, p)->session);
    for (int i = 0; i < recipe->n_items; i++) {
      const OdlOwnCode *code = recipe->items[i].filter->code;
      if (code && odl_own_state (code) == ODL_OWN_WAITS)
        return code;
    }
  }
  return NULL;
}

static gboolean
look_cb (void *data)
{
  OwnCode *self = data;
  self->look = 0;
  if (odl_window_is_closed (self->parts) || self->question)
    return G_SOURCE_REMOVE;
  const OdlOwnCode *code = find_waiting (self);
  if (code)
    ask (self, code, NULL);
  return G_SOURCE_REMOVE;
}

// Not amid a change.
static void
look_later (OwnCode *self)
{
  if (!self->look)
    self->look = g_idle_add (look_cb, self);
}

// Asked for by hand: of code that was refused, too, or has failed.
static void
look_at_cb (OwnCode *self, GVariant *parameter)
{
  const OdlOwnCode *code
      = odl_own_code_find (NULL, g_variant_get_string (parameter, NULL));
  if (!code)
    return;
  if (odl_own_state (code) == ODL_OWN_ALLOWED || odl_own_state (code) == ODL_OWN_FAILED)
    odl_code_window_present (GTK_WINDOW (self->parts->window), code, ODL_CODE_IS_SHOWN,
                             NULL, NULL);
  else
    ask (self, code, NULL);
}

static void
try_cb (OwnCode *self, GVariant *parameter)
{
  const OdlOwnCode *code
      = odl_own_code_find (NULL, g_variant_get_string (parameter, NULL));
  if (!code || odl_own_state (code) != ODL_OWN_FAILED)
    return;
  odl_own_set_state (code, ODL_OWN_ALLOWED, NULL);
  g_signal_emit_by_name (self->trust, "changed");
}

static void
trust_changed_cb (OdlMainWindow *window)
{
  const OdlWindowParts *parts = odl_main_window_parts (window);
  if (odl_window_is_closed (parts))
    return;
  for (int i = 0; i < odl_layout_count (parts->layout); i++)
    odl_session_code_changed (odl_layout_nth (parts->layout, i)->session);
}

void
odl_window_add_own_code (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "insert-code", G_CALLBACK (insert_cb), .when = odl_window_is_uncovered },
    { "insert-code-file", G_CALLBACK (insert_file_cb), "s",
      .when = odl_window_is_uncovered },
    { "look-at-code", G_CALLBACK (look_at_cb), "s" },
    { "try-code", G_CALLBACK (try_cb), "s" },
  };
  OwnCode *self = g_new0 (OwnCode, 1);
  self->parts = parts;
  self->trust = odl_trust_of_program ();
  self->watches = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) odl_code_watch_free);
  odl_window_own (parts, NAME, self, free_own_code);
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), self);
  odl_window_connect (parts, parts->session, "notify::recipe", G_CALLBACK (look_later),
                      self);
  odl_window_connect (parts, parts->window, "pane-changed", G_CALLBACK (look_later),
                      self);
  g_signal_connect_object (self->trust, "changed", G_CALLBACK (trust_changed_cb),
                           parts->window, G_CONNECT_SWAPPED);
}
