// SPDX-License-Identifier: MIT
#include "widgets/window/commands.h"

#include <glib/gi18n-lib.h>

#include "widgets/window/own_keys.h"

// Rows of a column of the shortcuts window.
#define COLUMN_HEIGHT 14
#define CONTEXT "shortcuts"
#define CONTROLLER "odl-keys" // of a window

// What a row of the table is, or who has its keys.
typedef enum {
  GROUP, // heading of the rows below it, in the shortcuts window
  ACCELERATOR, // the application, before a text entry
  KEY, // the window, after a text entry, which may use the key itself
  WIDGET, // a widget that has the focus, or the rows below
  POINTER, // what is done with the pointer, in the place of keys
} Place;

// Accelerators are as GTK writes them, separated by blanks.
typedef struct {
  Place place;
  const char *id; // name and target of the action, or the widget and what it does there
  const char *keys; // accelerators that the shortcuts window shows; NULL: none
  const char *title; // in the shortcuts window; NULL: it shows them in the row above
  const char *also; // accelerators that it does not show
} Command;

// In the order of the shortcuts window. resources/texts.py reads the rows for the help
// and ondelette(1), which name a key by its row's id.
static const Command commands[] = {
  { GROUP, NULL, NULL, NC_ ("shortcuts", "General") },
  { ACCELERATOR, "win.show-panels", "F9", NC_ ("shortcuts", "Panels") },
  { ACCELERATOR, "win.show-filters", "<Shift>F9", NC_ ("shortcuts", "Filters") },
  { ACCELERATOR, "win.show-sources", "<Control>F9", NC_ ("shortcuts", "Sources") },
  { ACCELERATOR, "win.show-lab", "F7", NC_ ("shortcuts", "Lab bench") },
  { ACCELERATOR, "win.detach-lab", "<Shift>F7",
    NC_ ("shortcuts", "Lab bench in a window of its own, or back") },
  { WIDGET, "lab.height", "F8",
    NC_ ("shortcuts", "Height of the lab bench: arrows change it, Enter keeps it") },
  { ACCELERATOR, "win.search-sources", "<Control>f",
    NC_ ("shortcuts", "Search the sources") },
  { WIDGET, "search.results", NULL, NULL, "Down" },
  { WIDGET, "sources.other-pane", NULL, NULL, "<Control>Return" },
  { KEY, "win.show-diagnostics", "d", NC_ ("shortcuts", "Diagnostic line") },
  { ACCELERATOR, "win.full-screen", "F11", NC_ ("shortcuts", "Full screen") },
  { ACCELERATOR, "win.present", "F5", NC_ ("shortcuts", "Presentation") },
  { KEY, "win.cancel", "Escape",
    NC_ ("shortcuts", "Leave full screen or a panel, cancel opening") },
  { KEY, "win.show-engines", "e", NC_ ("shortcuts", "Engines and their times") },
  { ACCELERATOR, "win.preferences", "<Control>comma", NC_ ("shortcuts", "Preferences") },
  { ACCELERATOR, "app.shortcuts", "<Control>question",
    NC_ ("shortcuts", "Keyboard shortcuts") },
  { ACCELERATOR, "app.help", "F1", NC_ ("shortcuts", "Help") },
  { ACCELERATOR, "window.close", "<Control>w", NC_ ("shortcuts", "Close the window") },
  { ACCELERATOR, "app.quit", "<Control>q", NC_ ("shortcuts", "Quit") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Files") },
  { ACCELERATOR, "win.open", "<Control>o", NC_ ("shortcuts", "Open a picture") },
  { ACCELERATOR, "win.open-camera", "<Control><Shift>o",
    NC_ ("shortcuts", "Open the camera") },
  { ACCELERATOR, "win.find-archive", "<Control><Shift>f",
    NC_ ("shortcuts", "Find in an archive") },
  { KEY, "win.find-priors", "<Shift>p",
    NC_ ("shortcuts", "Other studies of the patient, in an archive") },
  { KEY, "win.step-file(-1)", "Left", NC_ ("shortcuts", "Previous file"), "Page_Up" },
  { KEY, "win.step-file(1)", "Right", NC_ ("shortcuts", "Next file"), "Page_Down" },
  { ACCELERATOR, "win.save", "<Control>s", NC_ ("shortcuts", "Save the picture") },
  { ACCELERATOR, "win.print", "<Control>p", NC_ ("shortcuts", "Print the picture") },
  { ACCELERATOR, "win.save-dicom", "<Control><Shift>s",
    NC_ ("shortcuts", "Save as DICOM, also de-identified (anonymised)") },
  { ACCELERATOR, "win.record", "<Control>r",
    NC_ ("shortcuts", "Record what is shown, or stop recording") },
  { ACCELERATOR, "win.export", "<Control>e",
    NC_ ("shortcuts", "Export all frames, or the range, as a video or a volume") },
  { KEY, "win.copy", "<Control>c", NC_ ("shortcuts", "Copy the picture") },
  { ACCELERATOR, "win.copy-recipe", "<Control><Shift>c",
    NC_ ("shortcuts", "Copy the filters as text") },
  { KEY, "win.add-filter", "Insert", NC_ ("shortcuts", "Add a filter by its name") },
  { KEY, "win.paste-recipe", "<Control>v", NC_ ("shortcuts", "Paste filters") },
  { WIDGET, "card.move", "<Alt>Up <Alt>Down",
    NC_ ("shortcuts", "In the card of a filter: move it earlier or later") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Compare") },
  { WIDGET, "canvas.original", "o", NC_ ("shortcuts", "Show the original while held") },
  { KEY, "win.wipe", "w", NC_ ("shortcuts", "Wipe between original and processed") },
  { KEY, "win.beside", "b", NC_ ("shortcuts", "Original beside the result") },
  { KEY, "win.recipe('A')", "<Shift>a", NC_ ("shortcuts", "Filters A") },
  { KEY, "win.recipe('B')", "<Shift>b", NC_ ("shortcuts", "Filters B") },
  { KEY, "win.copy-recipe-over", "<Shift>q",
    NC_ ("shortcuts", "Copy these filters to the other ones, A or B") },
  { KEY, "win.next-comparison", "q",
    NC_ ("shortcuts", "Compare with the original, A with B, their difference") },
  { KEY, "win.flicker", "j", NC_ ("shortcuts", "Alternate between what is compared") },
  { KEY, "win.magnifier", "z",
    NC_ ("shortcuts", "Magnifier at the pointer, another magnification") },
  { KEY, "win.next-magnification", "<Shift>z" },
  { ACCELERATOR, "win.sweep", "<Control>t",
    NC_ ("shortcuts", "Sweep: which values of the filters are the best") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Views") },
  { KEY, "win.view('synthesis')", "1", NC_ ("shortcuts", "Result") },
  { KEY, "win.view('analysis')", "2",
    NC_ ("shortcuts", "Coefficients; of the dual tree once more: its other directions") },
  { KEY, "win.view('filtered-analysis')", "3",
    NC_ ("shortcuts", "Filtered coefficients; likewise") },
  { KEY, "win.view('residual')", "4",
    NC_ ("shortcuts", "Residual: what the filters took away") },
  { KEY, "win.next-level", "5",
    NC_ ("shortcuts", "What one level makes, level after level") },
  { KEY, "win.next-band", "<Control>2",
    NC_ ("shortcuts", "One band of the coefficients enlarged, band after band") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Picture") },
  { ACCELERATOR, "win.zoom(1)", "<Control>plus", NC_ ("shortcuts", "Zoom in"),
    "<Control>equal" },
  { ACCELERATOR, "win.zoom(-1)", "<Control>minus", NC_ ("shortcuts", "Zoom out"),
    "<Control>KP_Subtract" },
  { ACCELERATOR, "win.fit", "<Control>0", NC_ ("shortcuts", "Fit to the window"),
    "<Control>KP_0" },
  { ACCELERATOR, "win.actual-size", "<Control>1", NC_ ("shortcuts", "One pixel to one"),
    "<Control>KP_1" },
  { KEY, "win.invert", "i", NC_ ("shortcuts", "Invert") },
  { KEY, "win.show-overlays", "g", NC_ ("shortcuts", "Graphics of the file (overlays)") },
  { KEY, "win.properties", "<Alt>Return",
    NC_ ("shortcuts", "Properties, and the header of the file") },
  { KEY, "win.show-corners", "c",
    NC_ ("shortcuts", "Patient and series in the corners") },
  { KEY, "win.mask-names", "<Shift>c",
    NC_ ("shortcuts", "Hide names of patients and files") },
  { KEY, "win.rotate(1)", "r", NC_ ("shortcuts", "Rotate right") },
  { KEY, "win.rotate(-1)", "<Shift>r", NC_ ("shortcuts", "Rotate left") },
  { KEY, "win.flip(true)", "h", NC_ ("shortcuts", "Flip horizontally") },
  { KEY, "win.flip(false)", "v", NC_ ("shortcuts", "Flip vertically") },
  { WIDGET, "canvas.menu", "<Shift>F10", NC_ ("shortcuts", "Menu of the picture"),
    "Menu" },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Grey Levels and Values") },
  { WIDGET, NULL, "<Alt>1...9",
    NC_ ("shortcuts", "Grey levels: the file's, and those by name") },
  { KEY, "win.window-preset(1)", NULL, NULL, "<Alt>1" },
  { KEY, "win.window-preset(2)", NULL, NULL, "<Alt>2" },
  { KEY, "win.window-preset(3)", NULL, NULL, "<Alt>3" },
  { KEY, "win.window-preset(4)", NULL, NULL, "<Alt>4" },
  { KEY, "win.window-preset(5)", NULL, NULL, "<Alt>5" },
  { KEY, "win.window-preset(6)", NULL, NULL, "<Alt>6" },
  { KEY, "win.window-preset(7)", NULL, NULL, "<Alt>7" },
  { KEY, "win.window-preset(8)", NULL, NULL, "<Alt>8" },
  { KEY, "win.window-preset(9)", NULL, NULL, "<Alt>9" },
  { KEY, "win.window-region", "<Alt>0",
    NC_ ("shortcuts", "Grey levels of the region measured") },
  { KEY, "win.show-values", "p", NC_ ("shortcuts", "Value under the pointer") },
  { KEY, "win.next-colour-map", "k", NC_ ("shortcuts", "Next colours for grey levels") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Volumes and Surfaces") },
  { KEY, "win.see-volume('planes')", "t",
    NC_ ("shortcuts", "Three planes of a volume, or a slice") },
  { KEY, "win.next-slab(1)", "x",
    NC_ ("shortcuts", "Planes: a slice, mean, maximum, minimum of a slab") },
  { KEY, "win.next-slab(-1)", NULL, NULL, "<Shift>x" },
  { KEY, "win.slab-thickness(1)", "y", NC_ ("shortcuts", "Thicker, thinner planes") },
  { KEY, "win.slab-thickness(-1)", "<Shift>y" },
  { KEY, "win.see-volume('next-rendering')", "u",
    NC_ ("shortcuts", "Rendered view beside the planes: the next one, or none") },
  { KEY, "win.turn-rendering", "<Control>u",
    NC_ ("shortcuts", "Rendered view: turn by itself, or stop") },
  { KEY, "win.next-cut", "<Shift>u",
    NC_ ("shortcuts", "What is cut away of the rendered view, at the cross-hair") },
  { KEY, "win.turn-plane", "<Shift>t",
    NC_ ("shortcuts",
         "Turn the plane under the pointer about the cross-hair, or straight again") },
  { KEY, "win.lean-plane((-1, 0))", "<Alt>Left", NC_ ("shortcuts", "Turn it by keys") },
  { KEY, "win.lean-plane((1, 0))", "<Alt>Right" },
  { KEY, "win.lean-plane((0, -1))", "<Alt>Up" },
  { KEY, "win.lean-plane((0, 1))", "<Alt>Down" },
  { KEY, "win.show-box", "<Shift>v",
    NC_ ("shortcuts", "Box about the rendered view, or none") },
  { KEY, "win.push-box((-1, 0, false))", "<Control>Left",
    NC_ ("shortcuts", "A side of the box: outwards, and the opposite one inwards") },
  { KEY, "win.push-box((-1, 0, true))", "<Control><Shift>Left" },
  { KEY, "win.push-box((1, 0, false))", NULL, NULL, "<Control>Right" },
  { KEY, "win.push-box((1, 0, true))", NULL, NULL, "<Control><Shift>Right" },
  { KEY, "win.push-box((0, -1, false))", NULL, NULL, "<Control>Up" },
  { KEY, "win.push-box((0, -1, true))", NULL, NULL, "<Control><Shift>Up" },
  { KEY, "win.push-box((0, 1, false))", NULL, NULL, "<Control>Down" },
  { KEY, "win.push-box((0, 1, true))", NULL, NULL, "<Control><Shift>Down" },
  { KEY, "win.show-surface", "s",
    NC_ ("shortcuts", "Surface of control points, or the points as a picture") },
  { KEY, "win.show-net", "n", NC_ ("shortcuts", "Net of control points") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Measuring") },
  { KEY, "win.measure", "m", NC_ ("shortcuts", "Measure, or back to the grey levels") },
  { KEY, "win.next-measure", "<Shift>m",
    NC_ ("shortcuts", "Measure something else: length, angle, ellipse") },
  { ACCELERATOR, "win.region-statistics", "<Control>m",
    NC_ ("shortcuts", "Statistics of regions, before and after the filters") },
  { ACCELERATOR, "win.profile-plot", "<Control><Shift>m",
    NC_ ("shortcuts", "Plot of the profile") },
  { KEY, "win.key-picture", "<Shift>k",
    NC_ ("shortcuts", "Mark as a key picture, or not") },
  { KEY, "win.next-key(1)", "<Control>k",
    NC_ ("shortcuts", "Next, previous key picture") },
  { KEY, "win.next-key(-1)", "<Control><Shift>k" },
  { WIDGET, "measuring.move", "Left Right Up Down",
    NC_ ("shortcuts", "Move the cross (with Shift farther)") },
  { WIDGET, "measuring.point", "Return", NC_ ("shortcuts", "Set or take up a point") },
  { WIDGET, "measuring.delete", "Delete", NC_ ("shortcuts", "Delete what is marked") },
  { WIDGET, "measuring.leave", "Escape", NC_ ("shortcuts", "Leave the tool") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Playing") },
  { WIDGET, "canvas.play", "space", NC_ ("shortcuts", "Play or pause") },
  { KEY, "win.step-frame(-1)", "comma Up", NC_ ("shortcuts", "Previous frame") },
  { KEY, "win.step-frame(1)", "period Down", NC_ ("shortcuts", "Next frame") },
  { KEY, "win.show-series", "a",
    NC_ ("shortcuts", "The series of a DICOM picture, and back") },
  { KEY, "win.first-frame", "Home", NC_ ("shortcuts", "First frame") },
  { KEY, "win.last-frame", "End", NC_ ("shortcuts", "Last frame") },
  { KEY, "win.step-time(-1)", "less",
    NC_ ("shortcuts", "Previous, next volume over time") },
  { KEY, "win.step-time(1)", "greater" },
  { KEY, "win.set-range(false)", "bracketleft",
    NC_ ("shortcuts", "The range begins at this frame") },
  { KEY, "win.set-range(true)", "bracketright",
    NC_ ("shortcuts", "The range ends at this frame") },
  { KEY, "win.clear-range", "BackSpace", NC_ ("shortcuts", "Play all frames again") },
  { KEY, "win.cycle-repeat", "l", NC_ ("shortcuts", "Loop, sweep, once") },
  { KEY, "win.fast", "f", NC_ ("shortcuts", "As fast as possible, or at its own speed") },
  { KEY, "win.skip-pause", "<Shift>f",
    NC_ ("shortcuts", "Skip a long pause of the file") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Editing") },
  { KEY, "win.undo", "<Control>z", NC_ ("shortcuts", "Undo") },
  { KEY, "win.redo", "<Control><Shift>z", NC_ ("shortcuts", "Redo") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Panes") },
  { WIDGET, NULL, "<Control><Alt>1...4",
    NC_ ("shortcuts", "One picture, two beside or below each other, four") },
  { ACCELERATOR, "win.layout('1x1')", NULL, NULL, "<Control><Alt>1 <Control><Alt>KP_1" },
  { ACCELERATOR, "win.layout('1x2')", NULL, NULL, "<Control><Alt>2 <Control><Alt>KP_2" },
  { ACCELERATOR, "win.layout('2x1')", NULL, NULL, "<Control><Alt>3 <Control><Alt>KP_3" },
  { ACCELERATOR, "win.layout('2x2')", NULL, NULL, "<Control><Alt>4 <Control><Alt>KP_4" },
  { KEY, "win.next-hanging", "<Shift>n",
    NC_ ("shortcuts", "Hang the series of the study, the next way") },
  { ACCELERATOR, "win.next-pane(1)", "F6", NC_ ("shortcuts", "Next and previous pane") },
  { ACCELERATOR, "win.next-pane(-1)", "<Shift>F6" },
  { ACCELERATOR, "win.pane-alone", "<Shift>F11",
    NC_ ("shortcuts", "The pane alone, or all of them") },
  { ACCELERATOR, "win.close-pane", "<Control><Shift>w",
    NC_ ("shortcuts", "Close the pane") },
  { ACCELERATOR, "win.link-all", "<Control>l",
    NC_ ("shortcuts", "Panes follow the active one") },
  { KEY, "win.a-beside-b", "<Control>b", NC_ ("shortcuts", "Filters A beside B") },
  { GROUP, NULL, NULL, NC_ ("shortcuts", "Pointer") },
  { POINTER, NULL, NC_ ("shortcuts", "Drag"),
    NC_ ("shortcuts", "Grey levels: centre up and down, width left and right") },
  { POINTER, NULL, NC_ ("shortcuts", "Drag, while measuring"),
    NC_ ("shortcuts", "Draw, or move what is there or one of its points") },
  { POINTER, NULL, NC_ ("shortcuts", "Double-click"),
    NC_ ("shortcuts",
         "Back to the file's grey levels; in coefficients enlarge a band, or show all of "
         "them again") },
  { POINTER, NULL, NC_ ("shortcuts", "Middle drag, Space and drag"),
    NC_ ("shortcuts", "Move the picture") },
  { POINTER, NULL, NC_ ("shortcuts", "Wheel"),
    NC_ ("shortcuts", "Previous and next frame") },
  { POINTER, NULL, NC_ ("shortcuts", "Ctrl and wheel"),
    NC_ ("shortcuts", "Zoom at the pointer") },
  { POINTER, NULL, NC_ ("shortcuts", "Double-click a slider"),
    NC_ ("shortcuts", "Back to its default") },
};

static GStrv
keys_of (const Command *row)
{
  const char *own = odl_own_keys_of (row->id);
  if (own)
    return g_strsplit (own, " ", -1);
  g_autofree char *all = g_strjoin (" ", row->keys ? row->keys : row->also,
                                    row->keys ? row->also : NULL, NULL);
  return g_strsplit (all, " ", -1);
}

const char *
odl_command_key (const char *id)
{
  const char *own = odl_own_keys_of (id);
  for (size_t i = 0; !own && i < G_N_ELEMENTS (commands); i++)
    if (g_strcmp0 (commands[i].id, id) == 0)
      return commands[i].keys ? commands[i].keys : commands[i].also;
  return own;
}

static const char *
translated (const char *words)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, CONTEXT, words);
}

static const char *
title_of (const Command *row)
{
  while (row > commands && !row->title)
    row--;
  return translated (row->title);
}

bool
odl_command_at (size_t i, OdlCommandRow *row)
{
  if (i >= G_N_ELEMENTS (commands))
    return false;
  const Place place = commands[i].place;
  *row = (OdlCommandRow){ .is_group = place == GROUP,
                          .id
                          = place == KEY || place == ACCELERATOR ? commands[i].id : NULL,
                          .title = title_of (&commands[i]) };
  return true;
}

static bool
is_key (const char *a, const char *b)
{
  guint keys[2];
  GdkModifierType states[2];
  return gtk_accelerator_parse (a, &keys[0], &states[0])
         && gtk_accelerator_parse (b, &keys[1], &states[1])
         && gdk_keyval_to_lower (keys[0]) == gdk_keyval_to_lower (keys[1])
         && states[0] == states[1];
}

const char *
odl_command_with_key (const char *accelerator, const char *id)
{
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++) {
    const bool has_keys = commands[i].id && commands[i].place != POINTER;
    g_auto (GStrv) keys
        = has_keys && strcmp (commands[i].id, id) != 0 ? keys_of (&commands[i]) : NULL;
    for (int k = 0; keys && keys[k]; k++)
      if (is_key (accelerator, keys[k]))
        return title_of (&commands[i]);
  }
  return NULL;
}

void
odl_commands_add_accelerators (GtkApplication *application)
{
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    if (commands[i].place == ACCELERATOR) {
      g_auto (GStrv) keys = keys_of (&commands[i]);
      gtk_application_set_accels_for_action (application, commands[i].id,
                                             (const char *const *) keys);
    }
}

static void
add_key (GtkShortcutController *controller, const char *key, const char *id)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *action = NULL;
  g_autoptr (GError) error = NULL;
  if (!g_action_parse_detailed_name (id, &action, &target, &error))
    g_error ("%s", error->message);
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (key),
                                            gtk_named_action_new (action));
  gtk_shortcut_set_arguments (shortcut, target);
  gtk_shortcut_controller_add_shortcut (controller, shortcut);
}

// In a controller of the instance, which precedes those of the class: GtkWindow would
// move the focus with the arrow keys.
void
odl_commands_add_keys (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();
  GtkEventController *before = g_object_get_data (G_OBJECT (window), CONTROLLER);
  if (before)
    gtk_widget_remove_controller (window, before);
  g_object_set_data (G_OBJECT (window), CONTROLLER, controller);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++) {
    g_auto (GStrv) keys = commands[i].place == KEY ? keys_of (&commands[i]) : NULL;
    for (int k = 0; keys && keys[k] && *keys[k]; k++)
      add_key (GTK_SHORTCUT_CONTROLLER (controller), keys[k], commands[i].id);
  }
  gtk_widget_add_controller (window, controller);
}

void
odl_commands_renew (GtkApplication *application)
{
  odl_commands_add_accelerators (application);
  for (GList *at = gtk_application_get_windows (application); at; at = at->next)
    if (g_object_get_data (G_OBJECT (at->data), CONTROLLER)) {
      odl_commands_add_keys (at->data);
      gtk_application_window_set_help_overlay (at->data,
                                               odl_commands_shortcuts_window ());
    }
}

// ---- the shortcuts window ------------------------------------------------------------

// GTK has no function for that; GtkBuilder adds children so.
static void
add_child (GtkBuilder *builder, void *parent, void *child)
{
  GTK_BUILDABLE_GET_IFACE (parent)->add_child (parent, builder, child, NULL);
}

// The row at `i` with the keys of those below that have no title of their own.
static GObject *
make_shortcut (size_t i)
{
  const Command *row = &commands[i];
  const char *own = odl_own_keys_of (row->id);
  g_autoptr (GString) keys = g_string_new (own ? own : row->keys);
  if (row->place == POINTER) {
    g_autoptr (GIcon) icon = g_themed_icon_new ("input-mouse-symbolic");
    return g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "shortcut-type",
                         GTK_SHORTCUT_GESTURE, "icon", icon, "icon-set", TRUE, "title",
                         translated (row->keys), "subtitle", translated (row->title),
                         NULL);
  }
  while (++i < G_N_ELEMENTS (commands) && !commands[i].title)
    if (commands[i].keys)
      g_string_append_printf (keys, " %s", odl_command_key (commands[i].id));
  return g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "title", translated (row->title),
                       "accelerator", keys->str, NULL);
}

// GTK deals the groups out to pages again with each one that is added, and each time
// takes the pages in reverse: as long as all are on one page they keep their order.
GtkShortcutsWindow *
odl_commands_shortcuts_window (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new ();
  GObject *section = g_object_new (GTK_TYPE_SHORTCUTS_SECTION, "section-name",
                                   "shortcuts", "max-height", 1000, NULL);
  GObject *window = g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, "modal", TRUE, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (commands);) {
    GObject *group = g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title",
                                   translated (commands[i].title), NULL);
    while (++i < G_N_ELEMENTS (commands) && commands[i].place != GROUP)
      if (commands[i].title)
        add_child (builder, group, make_shortcut (i));
    add_child (builder, section, group);
  }
  add_child (builder, window, section);
  g_object_set (section, "max-height", COLUMN_HEIGHT, NULL);
  return GTK_SHORTCUTS_WINDOW (window);
}

// ---- the menus -----------------------------------------------------------------------

// What a row of a menu is. Names are those in ui/window.ui, where other parts add to the
// section or submenu, too.
typedef enum {
  MENU, // a menu, which reaches to the next one; id: its name
  END, // the end of a submenu
  SECTION, // a section, which reaches to the next one; id: its name or NULL
  SUBMENU, // a submenu; id: its name or NULL
  ITEM, // an item; id: its action and target
  ITEM_IF_ENABLED, // an item that is hidden while its action is disabled
} MenuPlace;

typedef struct {
  MenuPlace place;
  const char *id;
  const char *label; // with its mnemonic; NULL: a section without heading
} MenuRow;

static const MenuRow menus[] = {
  { MENU, "planes_menu" },
  { SECTION, NULL, N_ ("Thickness of the Planes") },
  { ITEM, "win.slab('slice')", N_ ("_One Slice") },
  { ITEM, "win.slab('mean')", N_ ("_Mean of a Slab") },
  { ITEM, "win.slab('maximum')", N_ ("Ma_ximum of a Slab") },
  { ITEM, "win.slab('minimum')", N_ ("M_inimum of a Slab") },
  { SECTION },
  { ITEM, "win.slab-thickness(1)", N_ ("_Thicker") },
  { ITEM, "win.slab-thickness(-1)", N_ ("Thi_nner") },
  { ITEM, "win.slab-thickness(0)", N_ ("Through the _Whole Volume") },
  { SECTION },
  { ITEM, "win.turn-plane", N_ ("Turn a _Plane") },
  { ITEM, "win.show-box", N_ ("_Box about the Rendered View") },
  { SECTION },
  { ITEM, "win.register-volume", N_ ("_Register to Another Volume…") },
  { SECTION, "rendering_menu", N_ ("Rendered View beside the Planes (U)") },
  { ITEM, "win.rendering('none')", N_ ("No Rendered View") },
  { SECTION },
  { ITEM, "win.turn-rendering", N_ ("Let It T_urn by Itself") },
  { SUBMENU, NULL, N_ ("_Cut Away of It (Shift+U)") },
  { ITEM, "win.cut('whole')", N_ ("_Nothing Cut Away") },
  { ITEM, "win.cut('front')", N_ ("Cut Away in _Front of the Cross-Hair") },
  { ITEM, "win.cut('top')", N_ ("Cut Away _Above the Cross-Hair") },
  { ITEM, "win.cut('side')", N_ ("Cut Away _Beside the Cross-Hair") },
  { ITEM, "win.cut('corner')", N_ ("Cut Out the _Corner at the Cross-Hair") },
  { END },
  { MENU, "primary_menu" },
  { SECTION },
  { ITEM, "win.save", N_ ("_Save Picture…") },
  { ITEM, "win.save-bare", N_ ("Save without Mar_ks…") },
  { ITEM, "win.copy", N_ ("_Copy Picture") },
  { ITEM, "win.print", N_ ("P_rint Picture…") },
  { ITEM, "win.export", N_ ("_Export Video or Volume…") },
  { ITEM_IF_ENABLED, "win.save-dicom", N_ ("Save as _DICOM, De-identify…") },
  { ITEM, "win.record", N_ ("_Record or Stop Recording…") },
  { SUBMENU, NULL, N_ ("Archi_ve") },
  { SECTION },
  { ITEM, "win.find-archive", N_ ("_Find in an Archive…") },
  { ITEM, "win.find-priors", N_ ("_Other Studies of the Patient…") },
  { ITEM, "win.send-archive", N_ ("_Send to an Archive…") },
  { END },
  { SECTION },
  { SUBMENU, NULL, N_ ("C_ompare") },
  { SECTION },
  { ITEM, "win.original", N_ ("The _Original (O while held)") },
  { ITEM, "win.wipe", N_ ("Compare with the Original (_Wipe)") },
  { ITEM, "win.beside", N_ ("Original _Beside the Result") },
  { ITEM, "win.compare-reference", N_ ("Compare with a _Reference…") },
  { ITEM_IF_ENABLED, "win.stop-comparing", N_ ("Stop Comparing with the Reference") },
  { ITEM, "win.sweep", N_ ("Swee_p of the Filters…") },
  { SECTION },
  { ITEM, "win.recipe('A')", N_ ("Filters _A") },
  { ITEM, "win.recipe('B')", N_ ("Filters _B") },
  { ITEM, "win.copy-recipe-over", N_ ("_Copy to the Other") },
  { SECTION },
  { ITEM, "win.comparison('original')", N_ ("With the _Original (Q: the next one)") },
  { ITEM, "win.comparison('other')", N_ ("A with B, in the _Halves of the Wipe") },
  { ITEM, "win.comparison('difference')", N_ ("_Difference of A and B") },
  { SECTION },
  { ITEM, "win.a-beside-b", N_ ("A Be_side B") },
  { ITEM, "win.flicker", N_ ("A_lternate") },
  { END },
  { SUBMENU, NULL, N_ ("Sho_w") },
  { SECTION },
  { ITEM, "win.show-values", N_ ("_Value under the Pointer") },
  { ITEM, "win.save-values", N_ ("That Value in _Saved Pictures, Too") },
  { ITEM, "win.show-corners", N_ ("_Patient and Series (Corners)") },
  { ITEM, "win.show-overlays", N_ ("_Graphics of the File (Overlays)") },
  { ITEM, "win.magnifier", N_ ("Ma_gnifier") },
  { ITEM, "win.fusion", N_ ("Fusion with Another Vol_ume…") },
  { SECTION, "seeing_menu" },
  { ITEM, "win.invert", N_ ("_Invert Dark and Bright") },
  { SUBMENU, "colours_menu", N_ ("_Colours") },
  { END },
  { ITEM, "win.next-band", N_ ("One _Band of the Coefficients") },
  { ITEM_IF_ENABLED, "win.other-directions",
    N_ ("_Falling Directions of the Dual Tree") },
  { ITEM, "win.next-level", N_ ("What One _Level Makes") },
  { ITEM, "win.as-volume", N_ ("Fr_ames as Slices of a Volume") },
  { ITEM, "win.planes", N_ ("_Three Planes of a Volume") },
  { ITEM_IF_ENABLED, "win.show-surface", N_ ("_Surface of Control Points") },
  { ITEM_IF_ENABLED, "win.show-net", N_ ("_Net of Control Points") },
  { SECTION },
  { ITEM, "win.show-sources", N_ ("List of _Files") },
  { ITEM, "win.show-filters", N_ ("_List of Filters") },
  { ITEM, "win.show-lab", N_ ("Lab B_ench") },
  { ITEM, "win.full-screen", N_ ("_Full Screen") },
  { ITEM, "win.present", N_ ("_Presentation") },
  { END },
  { ITEM, "win.mask-names", N_ ("_Hide Names") },
  { ITEM, "win.properties", N_ ("P_roperties") },
  { SUBMENU, NULL, N_ ("_Filters Act") },
  { SECTION },
  { ITEM, "win.filter-area('none')", N_ ("_Everywhere") },
  { ITEM, "win.filter-area('region')", N_ ("Inside the _Ultrasound Region of the File") },
  { ITEM, "win.filter-area('sector')",
    N_ ("Inside the Ultrasound _Sector in the Picture") },
  { END },
  { SUBMENU, "presets_menu", N_ ("_Grey Levels") },
  { END },
  { SUBMENU, NULL, N_ ("_Layout") },
  { SECTION },
  { ITEM, "win.layout('1x1')", N_ ("_One Picture") },
  { ITEM, "win.layout('1x2')", N_ ("Two _Beside Each Other") },
  { ITEM, "win.layout('2x1')", N_ ("Two Be_low Each Other") },
  { ITEM, "win.layout('2x2')", N_ ("_Four") },
  { ITEM, "win.next-hanging", N_ ("_Hang the Study, the Next Way") },
  { SECTION },
  { ITEM, "win.pane-alone", N_ ("The Active Pane A_lone") },
  { ITEM, "win.close-pane", N_ ("_Close the Active Pane") },
  { SECTION, NULL, N_ ("Panes Follow the Active One") },
  { ITEM, "win.link-view", N_ ("_Zoom and Place") },
  { ITEM, "win.link-slices", N_ ("_Slice, by Its Place in the Patient") },
  { ITEM, "win.link-window", N_ ("_Grey Levels") },
  { ITEM, "win.link-time", N_ ("_Time") },
  { SECTION },
  { ITEM, "win.reference-lines", N_ ("_Reference Lines of the Other Panes") },
  { END },
  { SUBMENU, "measure_menu", N_ ("_Measure") },
  { END },
  { SUBMENU, NULL, N_ ("_Orientation and Zoom") },
  { SECTION },
  { ITEM, "win.fit", N_ ("_Fit to Window") },
  { ITEM, "win.actual-size", N_ ("_One Pixel to One") },
  { SECTION },
  { ITEM, "win.rotate(1)", N_ ("Rotate _Right") },
  { ITEM, "win.rotate(-1)", N_ ("Rotate _Left") },
  { ITEM, "win.flip(true)", N_ ("Flip _Horizontally") },
  { ITEM, "win.flip(false)", N_ ("Flip _Vertically") },
  { END },
  { SECTION },
  { SUBMENU, NULL, N_ ("Pro_gram") },
  { SECTION },
  { SUBMENU, NULL, N_ ("St_yle") },
  { ITEM, "app.style('follow')", N_ ("_Follow System") },
  { ITEM, "app.style('light')", N_ ("_Light") },
  { ITEM, "app.style('dark')", N_ ("_Dark") },
  { END },
  { ITEM, "win.remember-recent", N_ ("_Remember Recent Files") },
  { ITEM, "win.show-engines", N_ ("_Engines…") },
  { END },
  { ITEM, "win.preferences", N_ ("_Preferences") },
  { ITEM, "app.help", N_ ("_Help") },
  { ITEM, "app.shortcuts", N_ ("_Keyboard Shortcuts") },
  { ITEM, "app.about", N_ ("_About Ondelette") },
  { MENU, "picture_menu" },
  { SECTION },
  { ITEM, "win.copy", N_ ("_Copy") },
  { ITEM, "win.save", N_ ("_Save…") },
  { SECTION, "picture_tools" },
  { ITEM, "win.measure", N_ ("_Measure") },
  { ITEM_IF_ENABLED, "win.noise-from-region(-1)", N_ ("Measure σ in _Region") },
  { ITEM, "win.invert", N_ ("_Invert Dark and Bright") },
  { ITEM, "win.properties", N_ ("P_roperties") },
  { SECTION },
  { ITEM_IF_ENABLED, "win.pane-alone", N_ ("The Pane A_lone") },
  { ITEM_IF_ENABLED, "win.close-pane", N_ ("Close the _Pane") },
  { MENU, "view_model" },
  { ITEM, "win.original", N_ ("Original") },
  { ITEM, "win.view('synthesis')", N_ ("Result") },
  { ITEM, "win.view('analysis')", N_ ("Coefficients") },
  { ITEM, "win.view('filtered-analysis')", N_ ("Filtered Coefficients") },
  { ITEM, "win.view('residual')", N_ ("Residual") },
  { ITEM_IF_ENABLED, "win.other-directions",
    N_ ("_Falling Directions of the Dual Tree") },
};

static GMenu *
named_menu (GtkWidget *window, const char *name)
{
  return G_MENU (gtk_widget_get_template_child (window, G_OBJECT_TYPE (window), name));
}

// Adds the rows from `at` that belong to the menu. Returns the first one that does not.
static size_t
fill_menu (GtkWidget *window, GMenu *menu, size_t at, bool is_section)
{
  while (at < G_N_ELEMENTS (menus) && menus[at].place > END
         && !(is_section && menus[at].place == SECTION)) {
    const MenuRow *row = &menus[at++];
    const char *label = row->label ? _ (row->label) : NULL;
    g_autoptr (GMenu) inner = NULL;
    g_autoptr (GMenuItem) item = NULL;
    if (row->place == SECTION || row->place == SUBMENU) {
      inner = row->id ? g_object_ref (named_menu (window, row->id)) : g_menu_new ();
      at = fill_menu (window, inner, at, row->place == SECTION);
    }
    if (row->place == SECTION)
      item = g_menu_item_new_section (label, G_MENU_MODEL (inner));
    else if (row->place == SUBMENU) {
      item = g_menu_item_new_submenu (label, G_MENU_MODEL (inner));
      at++;
    } else
      item = g_menu_item_new (label, row->id);
    if (row->place == ITEM_IF_ENABLED)
      g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
    g_menu_append_item (menu, item);
  }
  return at;
}

void
odl_commands_fill_menus (GtkWidget *window)
{
  for (size_t i = 0; i < G_N_ELEMENTS (menus);)
    i = fill_menu (window, named_menu (window, menus[i].id), i + 1, false);
}
