// SPDX-License-Identifier: MIT
#include "widgets/application.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

#include "base/machine.h"
#include "base/text.h"
#include "config.h"
#include "engine/environment.h"
#include "filter/library.h"
#include "filter/presets.h"
#include "session/browse/cameras.h"
#include "session/trust.h"
#include "widgets/arrays.h"
#include "widgets/names.h"
#include "widgets/viewport/gpu_device.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/window/commands.h"
#include "widgets/window/own_keys.h"
#include "widgets/window/parts.h"

// Signals by which a terminal, a session or a person ends the program.
static const int endings[] = { SIGINT, SIGTERM, SIGHUP };

typedef struct {
  OdlApplication *application;
  int number;
  guint source;
} Ending;

struct _OdlApplication {
  AdwApplication parent_instance;
  OdlSettings *settings;
  OdlArrays *arrays; // NULL before the start and after the end
  Ending endings[G_N_ELEMENTS (endings)];
  int ended_by; // one of `endings`; 0: none arrived
};

G_DEFINE_FINAL_TYPE (OdlApplication, odl_application, ADW_TYPE_APPLICATION)

// The request of one command line.
typedef struct {
  OdlRecipe recipe;
  bool has_recipe;
  const char *engine;
  bool wipe;
  bool full_screen;
  const char *reference; // file; NULL: none
  bool present;
  GArray *recipes; // OdlRecipe, of a presentation
  double dwell_s;
  bool arrays; // programs may show them
} Request;

static const GOptionEntry options[] = {
  { "filter", 0, 0, G_OPTION_ARG_STRING_ARRAY, NULL,
    N_ ("A filter, such as soft-threshold:levels=3,threshold=0.05; may be repeated"),
    N_ ("TEXT") },
  { "view", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("synthesis, analysis, filtered-analysis, of the dual tree falling or "
        "filtered-falling, residual or one level, such as level:2"),
    N_ ("VIEW") },
  { "engine", 0, 0, G_OPTION_ARG_STRING, NULL,
    N_ ("auto or an engine that “ondelette-cli list engines” names, with :VARIANT if you "
        "like"),
    N_ ("ENGINE") },
  { "wipe", 0, 0, G_OPTION_ARG_NONE, NULL,
    N_ ("Original on the left, processed on the right"), NULL },
  { "reference", 0, 0, G_OPTION_ARG_FILENAME, NULL,
    N_ ("A clean picture of the same size: show PSNR and SSIM of the result against it"),
    N_ ("FILE") },
  { "fullscreen", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Start full screen"), NULL },
  { "present", 0, 0, G_OPTION_ARG_NONE, NULL,
    N_ ("Present: full screen, the sources and recipes in turn, until Escape"), NULL },
  { "recipes", 0, 0, G_OPTION_ARG_STRING_ARRAY, NULL,
    N_ ("A preset, by file or name, or filters as text, for --present; may be repeated"),
    N_ ("FILE|TEXT") },
  { "dwell", 0, 0, G_OPTION_ARG_DOUBLE, NULL,
    N_ ("How long --present shows each source (20)"), N_ ("SECONDS") },
  { "arrays", 0, 0, G_OPTION_ARG_NONE, NULL,
    N_ ("Programs of yours may show arrays here, through a socket"), NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL,
    N_ ("[FILE|phantom:WIDTHxHEIGHT|phantom:xray|phantom:beams|phantom:face|webcam]") },
  { NULL }
};

// ---- style ---------------------------------------------------------------------------

static void
apply_style (const char *style)
{
  static const struct {
    const char *name;
    AdwColorScheme scheme;
  } styles[] = {
    { "follow", ADW_COLOR_SCHEME_DEFAULT },
    { "light", ADW_COLOR_SCHEME_FORCE_LIGHT },
    { "dark", ADW_COLOR_SCHEME_FORCE_DARK },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (styles); i++)
    if (g_str_equal (styles[i].name, style))
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                          styles[i].scheme);
}

static void
style_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlApplication *self = data;
  const char *style = g_variant_get_string (parameter, NULL);
  apply_style (style);
  odl_settings_set_string (self->settings, "style", style);
  g_simple_action_set_state (action, parameter);
}

// ---- dialogs -------------------------------------------------------------------------

static char *
troubleshooting (OdlApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  OdlMainWindow *main = ODL_IS_MAIN_WINDOW (window) ? ODL_MAIN_WINDOW (window) : NULL;
  const char *renderer
      = main ? odl_viewport_renderer (odl_main_window_parts (main)->viewport) : NULL;
  GString *text = g_string_new ("Ondelette " ODL_VERSION "\n");
  g_string_append_printf (text, "GTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\n",
                          gtk_get_major_version (), gtk_get_minor_version (),
                          gtk_get_micro_version (), adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version (),
                          glib_major_version, glib_minor_version, glib_micro_version);
  g_string_append_printf (text, "Canvas: %s\n", renderer ? renderer : "none yet");
  g_string_append (text, "Engines:");
  for (size_t i = 0; i < odl_engine_count (); i++)
    g_string_append_printf (text, " %s", odl_engine_at (i)->name);
  g_string_append_printf (text, "\nSettings: %s\n",
                          odl_settings_are_kept (self->settings) ? "kept" : "in memory");
  g_string_append_printf (text, "Processors: %u, %s\n", g_get_num_processors (),
                          odl_machine_cpu ());
  return g_string_free (text, FALSE);
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  OdlApplication *self = data;
  g_autofree char *debug = troubleshooting (self);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  adw_show_about_window (
      window, "application-name", "Ondelette", "application-icon", ODL_APP_ID, "version",
      ODL_VERSION, "license-type", GTK_LICENSE_MIT_X11, "developer-name",
      _ ("The Ondelette developers"), "comments",
      _ ("For research and teaching. Not for diagnostic use.\n\nOndelette shows images "
         "and "
         "DICOM through a chain of wavelet filters, live. It is not a medical device."),
      "debug-info", debug, "debug-info-filename", "ondelette.txt",
      // Translators: your name and address, one per line.
      "translator-credits", _ ("translator-credits"), NULL);
}

static void
shortcuts_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (data));
  if (window)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.show-help-overlay", NULL);
}

static void
help_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (data));
  if (window)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.help", "s", "");
}

// Closes the windows instead of quitting: each saves its size and completes its
// recording. Closing one may close others. No questions are asked if no answer can be
// awaited.
static void
close_windows (OdlApplication *self, bool asks)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));
  windows = g_list_copy_deep (windows, (GCopyFunc) (void (*) (void)) g_object_ref, NULL);
  for (GList *at = windows; at; at = at->next)
    if (!asks && ODL_IS_MAIN_WINDOW (at->data))
      odl_main_window_end (at->data);
    else
      gtk_window_close (at->data);
  g_list_free_full (windows, g_object_unref);
}

static void
quit_cb (GSimpleAction *action, GVariant *parameter, void *data)
{
  close_windows (data, true);
}

// ---- command line --------------------------------------------------------------------

// Names of second pictures are relative to the folder in which the command was typed.
static void
resolve_files (GApplicationCommandLine *command_line, OdlRecipe *recipe)
{
  const char *folder = g_application_command_line_get_cwd (command_line);
  if (folder)
    odl_recipe_resolve_files (recipe, 0, folder);
}

// That files with code are looked for in, where it is known.
static const char *
folder_of (GApplicationCommandLine *command_line)
{
  return g_application_command_line_get_cwd (command_line);
}

// A preset file, the name of a preset, or the text of one.
static bool
read_preset (GApplicationCommandLine *command_line,
             const char *argument,
             GArray *recipes,
             GError **error)
{
  g_autoptr (GFile) file
      = g_application_command_line_create_file_for_arg (command_line, argument);
  const char *path = g_file_peek_path (file);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  const bool is_file = path && g_file_test (path, G_FILE_TEST_IS_REGULAR);
  const bool is_preset = odl_preset_find (argument) || odl_library_has (argument);
  if (is_file ? !odl_recipe_load (&recipe, path, error)
      : is_preset
          ? !odl_library_load (&recipe, argument, error)
          : !odl_recipe_parse_in (&recipe, argument, folder_of (command_line), error))
    return false;
  resolve_files (command_line, &recipe);
  g_array_append_val (recipes, recipe);
  return true;
}

static bool
read_presentation (GApplicationCommandLine *command_line,
                   GVariantDict *dict,
                   Request *request,
                   GError **error)
{
  g_autofree const char **presets = NULL;
  g_variant_dict_lookup (dict, "recipes", "^a&s", &presets);
  g_variant_dict_lookup (dict, "dwell", "d", &request->dwell_s);
  request->present = g_variant_dict_contains (dict, "present");
  for (int i = 0; presets && presets[i]; i++)
    if (!read_preset (command_line, presets[i], request->recipes, error))
      return false;
  if (request->has_recipe)
    g_array_append_val (request->recipes, request->recipe);
  return true;
}

// Reads the options into `request`; errors are printed on the terminal.
static bool
read_options (GApplicationCommandLine *command_line,
              GVariantDict *dict,
              Request *request,
              GError **error)
{
  odl_recipe_init (&request->recipe);
  g_autofree const char **filters = NULL;
  const char *view = NULL;
  g_variant_dict_lookup (dict, "filter", "^a&s", &filters);
  g_variant_dict_lookup (dict, "view", "&s", &view);
  g_variant_dict_lookup (dict, "engine", "&s", &request->engine);
  g_variant_dict_lookup (dict, "reference", "^&ay", &request->reference);
  request->wipe = g_variant_dict_contains (dict, "wipe");
  request->full_screen = g_variant_dict_contains (dict, "fullscreen");
  request->arrays = g_variant_dict_contains (dict, "arrays");
  request->has_recipe = filters || view;
  for (int i = 0; filters && filters[i]; i++)
    if (!odl_recipe_parse_in (&request->recipe, filters[i], folder_of (command_line),
                              error))
      return false;
  g_autofree char *word = view ? g_strconcat ("view=", view, NULL) : NULL;
  if (word && !odl_recipe_parse (&request->recipe, word, error))
    return false;
  resolve_files (command_line, &request->recipe);
  OdlEngineRequest engine;
  return odl_environment_check (error)
         && odl_engine_request (request->engine, NULL, &engine, error);
}

static OdlMainWindow *
window_for (OdlApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));
  if (ODL_IS_MAIN_WINDOW (active) && odl_main_window_is_empty (ODL_MAIN_WINDOW (active)))
    return ODL_MAIN_WINDOW (active);
  return ODL_MAIN_WINDOW (odl_main_window_new (GTK_APPLICATION (self), self->settings));
}

// Resolves a path relative to the folder in which it was typed; specifications such as
// phantom:… are not changed.
static char *
resolve (GApplicationCommandLine *command_line, const char *argument)
{
  if (g_str_has_prefix (argument, "phantom") || odl_camera_is_location (argument))
    return g_strdup (argument);
  const size_t before = odl_names_before_path (argument);
  if (before > 0) {
    g_autofree char *path = resolve (command_line, argument + before);
    g_autofree char *start = g_strndup (argument, before);
    return g_strconcat (start, path, NULL);
  }
  const size_t inner = odl_text_before_inner (argument);
  if (inner > 0) {
    g_autofree char *outer = g_strndup (argument, inner);
    g_autofree char *path = resolve (command_line, outer);
    return g_strconcat (path, argument + inner, NULL);
  }
  g_autoptr (GFile) file
      = g_application_command_line_create_file_for_arg (command_line, argument);
  char *path = g_file_get_path (file);
  return path ? path : g_strdup (argument);
}

static void
present (OdlApplication *self,
         GApplicationCommandLine *command_line,
         const Request *request,
         const char *const *files)
{
  g_autoptr (GPtrArray) locations = g_ptr_array_new_with_free_func (g_free);
  for (int i = 0; files && files[i]; i++)
    g_ptr_array_add (locations, resolve (command_line, files[i]));
  if (locations->len == 0)
    g_ptr_array_add (locations, g_strdup (ODL_PHANTOM_LOCATION));
  g_ptr_array_add (locations, NULL);
  OdlMainWindow *window = window_for (self);
  odl_main_window_start_with (window, request->engine, request->wipe,
                              request->full_screen);
  gtk_window_present (GTK_WINDOW (window));
  odl_show_begin (odl_main_window_parts (window)->show,
                  (const char *const *) locations->pdata,
                  (const OdlRecipe *) request->recipes->data, (int) request->recipes->len,
                  request->dwell_s);
}

static OdlMainWindow *
window_with (OdlApplication *self,
             GApplicationCommandLine *command_line,
             const Request *request)
{
  OdlMainWindow *window = window_for (self);
  odl_main_window_start_with (window, request->engine, request->wipe,
                              request->full_screen);
  if (request->reference) {
    g_autofree char *reference = resolve (command_line, request->reference);
    odl_reference_set_file (odl_main_window_parts (window)->reference, reference);
  }
  return window;
}

static int
odl_application_command_line (GApplication *application,
                              GApplicationCommandLine *command_line)
{
  OdlApplication *self = ODL_APPLICATION (application);
  GVariantDict *dict = g_application_command_line_get_options_dict (command_line);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) recipes = g_array_new (FALSE, FALSE, sizeof (OdlRecipe));
  Request request = { .recipes = recipes };
  if (!read_options (command_line, dict, &request, &error)
      || !read_presentation (command_line, dict, &request, &error)
      || (request.arrays && !odl_arrays_allow (self->arrays, &error))) {
    g_application_command_line_printerr (command_line, "ondelette: %s\n", error->message);
    return 1;
  }
  g_autofree const char **files = NULL;
  g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &files);
  if (request.present) {
    present (self, command_line, &request, files);
    return 0;
  }
  const OdlRecipe *recipe = request.has_recipe ? &request.recipe : NULL;
  if (!files || !files[0]) {
    gtk_window_present (GTK_WINDOW (window_with (self, command_line, &request)));
    return 0;
  }
  for (int i = 0; files[i]; i++) {
    g_autofree char *location = resolve (command_line, files[i]);
    OdlMainWindow *window = window_with (self, command_line, &request);
    odl_main_window_open (window, location, recipe);
    gtk_window_present (GTK_WINDOW (window));
  }
  return 0;
}

static int
odl_application_handle_local_options (GApplication *application, GVariantDict *dict)
{
  if (g_variant_dict_contains (dict, "version")) {
    g_print ("ondelette %s\n", ODL_VERSION);
    return 0;
  }
  odl_gpu_device_prepare ();
  if (!gtk_init_check ()) {
    g_printerr (_ ("ondelette: there is no display to open a window on. Use "
                   "ondelette-cli for work without a display.\n"));
    return 1;
  }
  return -1;
}

// ---- ended from outside --------------------------------------------------------------

static gboolean
ended_cb (void *data)
{
  Ending *ending = data;
  // A second signal ends the program without completing a recording.
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (ending->application->endings[i].source)
      signal (endings[i], SIG_DFL);
  ending->source = 0;
  ending->application->ended_by = ending->number;
  close_windows (ending->application, false);
  g_application_quit (G_APPLICATION (ending->application));
  return G_SOURCE_REMOVE;
}

static void
await_endings (OdlApplication *self)
{
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++) {
    struct sigaction before;
    // Signals ignored by the parent (nohup) stay ignored.
    if (sigaction (endings[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN)
      continue;
    self->endings[i] = (Ending){ self, endings[i], 0 };
    self->endings[i].source = g_unix_signal_add (endings[i], ended_cb, &self->endings[i]);
  }
}

// Session managers end programs without closing their windows.
static void
odl_application_shutdown (GApplication *application)
{
  close_windows (ODL_APPLICATION (application), false);
  g_clear_pointer (&ODL_APPLICATION (application)->arrays, odl_arrays_free);
  G_APPLICATION_CLASS (odl_application_parent_class)->shutdown (application);
}

// ---- tooltips ------------------------------------------------------------------------

// The pointer is still on a button when its menu opens, and the button's tooltip would
// cover the menu. The focus is in the menu then.
static bool
lies_beneath_menu (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  GtkWidget *menu = focus ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;
  return menu && gtk_widget_get_mapped (menu) && !gtk_widget_is_ancestor (widget, menu);
}

static gboolean
query_tooltip_cb (GtkWidget *widget,
                  int x,
                  int y,
                  gboolean by_keyboard,
                  GtkTooltip *tooltip)
{
  gboolean shows = FALSE;
  if (!lies_beneath_menu (widget))
    g_signal_chain_from_overridden_handler (widget, x, y, by_keyboard, tooltip, &shows);
  return shows;
}

// A pointer that jumps onto a tooltip (a pen, a remote desktop) and presses there would
// be GTK 4.8's target until it is let go, when the tooltip has been freed.
static gboolean
map_cb (GSignalInvocationHint *hint, guint n, const GValue *values, void *data)
{
  GtkWidget *widget = g_value_get_object (values);
  if (GTK_IS_NATIVE (widget)
      && g_str_equal (gtk_widget_get_css_name (widget), "tooltip")) {
    cairo_region_t *nothing = cairo_region_create ();
    gdk_surface_set_input_region (gtk_native_get_surface (GTK_NATIVE (widget)), nothing);
    cairo_region_destroy (nothing);
  }
  return TRUE;
}

// Once per process, before the first window; further calls do nothing. Tooltips then show
// nothing while a menu lies over their widget, and let the pointer through to what they
// cover. Main thread.
static void
init_tooltips (void)
{
  static bool done;
  if (!done) {
    // Its signals exist once the class has been initialised.
    g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
    g_signal_override_class_handler ("query-tooltip", GTK_TYPE_WIDGET,
                                     G_CALLBACK (query_tooltip_cb));
    g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, map_cb, NULL,
                                NULL);
  }
  done = true;
}

// ---- life ----------------------------------------------------------------------------

static void
odl_application_startup (GApplication *application)
{
  OdlApplication *self = ODL_APPLICATION (application);
  static const GActionEntry entries[] = {
    { .name = "quit", .activate = quit_cb },
    { .name = "about", .activate = about_cb },
    { .name = "shortcuts", .activate = shortcuts_cb },
    { .name = "help", .activate = help_cb },
    { .name = "style", .activate = style_cb, .parameter_type = "s", .state = "'follow'" },
  };
  G_APPLICATION_CLASS (odl_application_parent_class)->startup (application);
  init_tooltips ();
  self->settings = odl_settings_new ();
  self->arrays = odl_arrays_new (GTK_APPLICATION (self), self->settings);
  await_endings (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries),
                                   self);
  g_autofree char *style = odl_settings_get_string (self->settings, "style");
  g_action_group_activate_action (G_ACTION_GROUP (self), "style",
                                  g_variant_new_string (style));
  odl_own_keys_load (self->settings);
  odl_trust_of_program ();
  odl_commands_add_accelerators (GTK_APPLICATION (self));
  gtk_window_set_default_icon_name (ODL_APP_ID);
}

static void
odl_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (window_for (ODL_APPLICATION (application))));
}

static void
odl_application_finalize (GObject *object)
{
  OdlApplication *self = ODL_APPLICATION (object);
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    g_clear_handle_id (&self->endings[i].source, g_source_remove);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (odl_application_parent_class)->finalize (object);
}

static void
odl_application_class_init (OdlApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  g_set_application_name ("Ondelette");
  G_OBJECT_CLASS (klass)->finalize = odl_application_finalize;
  application_class->startup = odl_application_startup;
  application_class->shutdown = odl_application_shutdown;
  application_class->activate = odl_application_activate;
  application_class->command_line = odl_application_command_line;
  application_class->handle_local_options = odl_application_handle_local_options;
}

static void
odl_application_init (OdlApplication *self)
{
  GApplication *application = G_APPLICATION (self);
  g_application_add_main_option_entries (application, options);
  g_application_set_option_context_summary (
      application, _ ("Shows images and DICOM through wavelet filters. For research and "
                      "teaching, not for diagnostic use."));
}

OdlApplication *
odl_application_new (void)
{
  return g_object_new (ODL_TYPE_APPLICATION, "application-id", ODL_APP_ID, "flags",
                       G_APPLICATION_HANDLES_COMMAND_LINE, "resource-base-path",
                       "/org/ondelette/Ondelette", "register-session", TRUE, NULL);
}

int
odl_application_run (int argc, char **argv)
{
  OdlApplication *self = odl_application_new ();
  int status = g_application_run (G_APPLICATION (self), argc, argv);
  const int ended_by = self->ended_by;
  g_object_unref (self);
  // Lets a shell know that the program was ended by a signal, so that it does not go on
  // to its next command.
  if (ended_by) {
    signal (ended_by, SIG_DFL);
    raise (ended_by);
  }
  return status;
}
