// SPDX-License-Identifier: MIT
// The picture out of the window: saved as it is seen, or as values, and copied.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "session/save/values.h"
#include "widgets/windows/derived_window.h"
#include "widgets/window/files/printing.h"
#include "widgets/window/parts.h"

static void
say_unwritten (const OdlWindowParts *parts, GFile *file, const GError *error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = odl_names_of_file (odl_names_of (parts->session), path, NULL);
  g_autofree char *text = g_strdup_printf (
      _ ("“%s” could not be written: %s. Choose another place."), name, error->message);
  odl_messages_say (parts->messages, text);
}

static GdkPixbuf *
pixbuf_of (GdkTexture *texture)
{
  int width = gdk_texture_get_width (texture);
  int height = gdk_texture_get_height (texture);
  size_t stride = (size_t) width * 4;
  guchar *argb = g_malloc (stride * height);
  gdk_texture_download (texture, argb, stride);
  // Cairo's order of bytes to the pixbuf's.
  for (size_t i = 0; i < stride * height; i += 4) {
    guint32 word;
    memcpy (&word, argb + i, 4);
    argb[i] = word >> 16;
    argb[i + 1] = word >> 8;
    argb[i + 2] = word;
    argb[i + 3] = 255;
  }
  return gdk_pixbuf_new_from_data (
      argb, GDK_COLORSPACE_RGB, TRUE, 8, width, height, stride,
      (GdkPixbufDestroyNotify) (void (*) (void)) g_free, NULL);
}

static void
saved_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlMainWindow) window = data;
  const OdlWindowParts *parts = odl_main_window_parts (window);
  g_autoptr (GError) error = NULL;
  const bool done
      = g_file_replace_contents_finish (G_FILE (object), result, NULL, &error);
  if (odl_window_is_closed (parts))
    return;
  if (!done) {
    say_unwritten (parts, G_FILE (object), error);
    return;
  }
  g_autofree char *path = g_file_get_path (G_FILE (object));
  g_autofree char *name = odl_names_of_file (odl_names_of (parts->session), path, NULL);
  g_autofree char *text = g_strdup_printf (_ ("Saved “%s”"), name);
  odl_messages_say_of_file (parts->messages, text, path);
}

// ---- TIFF and JPEG 2000 --------------------------------------------------------------

typedef struct {
  OdlMainWindow *window;
  char *path;
  OdlFrame *frame;
  OdlImage *result;
} Values;

static void
values_free (void *data)
{
  Values *values = data;
  g_object_unref (values->window);
  g_free (values->path);
  odl_frame_unref (values->frame);
  odl_image_unref (values->result);
  g_free (values);
}

static void
values_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  const Values *values = data;
  GError *error = NULL;
  if (odl_values_save (values->path, values->frame, values->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
values_saved_cb (GObject *object, GAsyncResult *result, void *data)
{
  const Values *values = g_task_get_task_data (G_TASK (result));
  const OdlWindowParts *parts = odl_main_window_parts (values->window);
  g_autoptr (GError) error = NULL;
  const bool done = g_task_propagate_boolean (G_TASK (result), &error);
  if (odl_window_is_closed (parts))
    return;
  if (!done) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autofree char *name
      = odl_names_of_file (odl_names_of (parts->session), values->path, NULL);
  g_autofree char *text = g_strdup_printf (
      _ ("Saved “%s”: the values as they are, without grey levels, turn and badge"),
      name);
  odl_messages_say_of_file (parts->messages, text, values->path);
}

static void
save_values (const OdlWindowParts *parts, const char *path)
{
  g_autoptr (GError) error = NULL;
  OdlFrame *frame;
  OdlImage *result = odl_viewport_may_be_saved (parts->viewport, &error)
                         ? odl_viewport_result (parts->viewport, &frame, &error)
                         : NULL;
  if (!result) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  Values *values = g_new (Values, 1);
  *values = (Values){ g_object_ref (parts->window), g_strdup (path),
                      odl_frame_ref (frame), result };
  g_autoptr (GTask) task = g_task_new (NULL, NULL, values_saved_cb, NULL);
  g_task_set_task_data (task, values, values_free);
  g_task_run_in_thread (task, values_thread);
}

// ---- as it is seen: PNG, JPEG, PDF ---------------------------------------------------

static GBytes *
encode_png (const OdlWindowParts *parts, GdkPixbuf *pixbuf, GError **error)
{
  const OdlRecipe told
      = odl_recipe_with_files_as (odl_session_recipe (parts->session),
                                  odl_names_word (odl_names_of (parts->session)));
  g_autofree char *recipe = odl_recipe_to_text (&told, " ");
  char *keys[] = { (char *) "tEXt::Software", (char *) "tEXt::Description",
                   (char *) "tEXt::Disclaimer", NULL };
  char *values[] = { (char *) "Ondelette " ODL_VERSION, recipe,
                     (char *) "not for diagnostic use", NULL };
  char *bytes;
  gsize size;
  return gdk_pixbuf_save_to_bufferv (pixbuf, &bytes, &size, "png", keys, values, error)
             ? g_bytes_new_take (bytes, size)
             : NULL;
}

static GBytes *
encode_jpeg (const OdlWindowParts *parts, GdkPixbuf *pixbuf, GError **error)
{
  char *keys[] = { (char *) "quality", NULL }, *values[] = { (char *) "95", NULL };
  char *bytes;
  gsize size;
  return gdk_pixbuf_save_to_bufferv (pixbuf, &bytes, &size, "jpeg", keys, values, error)
             ? g_bytes_new_take (bytes, size)
             : NULL;
}

typedef GBytes *(*Encoder) (const OdlWindowParts *parts,
                            GdkPixbuf *pixbuf,
                            GError **error);

// The file is made in memory and then replaces another one atomically, so that a full
// disk cannot leave an incomplete picture. Without an encoder it is a PDF.
static void
save_seen (const OdlWindowParts *parts, GFile *file, Encoder encode)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) contents = NULL;
  if (encode) {
    g_autoptr (GdkTexture) texture
        = odl_viewport_render_picture (parts->viewport, &error);
    if (!texture) {
      odl_messages_say (parts->messages, error->message);
      return;
    }
    g_autoptr (GdkPixbuf) pixbuf = pixbuf_of (texture);
    contents = encode (parts, pixbuf, &error);
  } else
    contents = odl_print_to_pdf (parts, &error);
  if (!contents) {
    say_unwritten (parts, file, error);
    return;
  }
  g_file_replace_contents_bytes_async (file, contents, NULL, FALSE, G_FILE_CREATE_NONE,
                                       NULL, saved_cb, g_object_ref (parts->window));
}

// ---- which of them -------------------------------------------------------------------

#define FORMAT "picture-format" // a choice of the file chooser

typedef struct {
  const char *id, *title;
  const char *endings[4]; // the first one is given to new names
  bool seen; // the picture as it is seen
  Encoder encode;
} Format;

static const Format formats[] = {
  { "png", N_ ("PNG, as shown"), { ".png" }, true, encode_png },
  { "jpeg", N_ ("JPEG, as shown, smaller"), { ".jpg", ".jpeg" }, true, encode_jpeg },
  { "pdf", N_ ("PDF, a page with a caption"), { ".pdf" }, true, NULL },
  { "tiff16", N_ ("TIFF, 16-bit stored values"), { ".16.tif", ".16.tiff" } },
  { "tiff", N_ ("TIFF, 32-bit values"), { ".tif", ".tiff" } },
  { "jp2",
    N_ ("JPEG 2000, stored values without loss"),
    { ".jp2", ".j2k", ".j2c", ".jpc" } },
  { "dicom", N_ ("DICOM, after some questions"), { ".dcm" } },
  { "obj", N_ ("OBJ, control points of a surface"), { ".obj" } },
};

static bool
ends_with (const char *name, const char *ending)
{
  const size_t length = strlen (name), n = strlen (ending);
  return length >= n && g_ascii_strcasecmp (name + length - n, ending) == 0;
}

// By the ending of a name; NULL: another one.
static const Format *
format_of (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    for (size_t k = 0; k < G_N_ELEMENTS (formats[i].endings); k++)
      if (formats[i].endings[k] && ends_with (name, formats[i].endings[k]))
        return &formats[i];
  return NULL;
}

static const Format *
format_chosen (const char *id)
{
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (id, formats[i].id) == 0)
      return &formats[i];
  return &formats[0];
}

// The extension determines the format; a name without extension, or with the suggested
// one, gets the extension of the chosen format. NULL: it names another format.
static char *
fit_name (const char *path, const char *choice)
{
  const Format *wanted = format_chosen (choice), *offered = &formats[0];
  const Format *named = format_of (path);
  const char *slash = strrchr (path, '/');
  if (named && (named != offered || wanted == offered))
    return g_strdup (path);
  g_autofree char *base
      = named ? g_strndup (path, strlen (path) - strlen (offered->endings[0]))
              : g_strdup (path);
  // A date or a number is no ending: “visit.2026”, “1.2.840.10008”.
  const char *dot = strrchr (slash ? slash + 1 : path, '.');
  if (!named && dot && !g_ascii_isdigit (dot[1]))
    return NULL;
  return g_strconcat (base, wanted->endings[0], NULL);
}

// What is to be written is asked first.
static void
save_dicom (const OdlWindowParts *parts, const char *path)
{
  if (odl_derived_window_is_possible (parts))
    odl_derived_window_present (parts, path);
  else
    odl_messages_say (parts->messages, _ ("It is no DICOM file, so nothing says whose "
                                          "picture it is. Save it as .png or .tif."));
}

static void
save_picture (const OdlWindowParts *parts, GFile *chosen, const char *format)
{
  g_autofree char *path = g_file_get_path (chosen);
  g_autofree char *fitted = fit_name (path, format);
  g_autofree char *shown
      = odl_names_of_file (odl_names_of (parts->session), fitted ? fitted : path, NULL);
  if (!fitted
      || (!g_str_equal (fitted, path) && g_file_test (fitted, G_FILE_TEST_EXISTS))) {
    g_autofree char *text = g_strdup_printf (
        fitted ? _ ("“%s” is there already. Choose another name.")
               : _ ("“%s” was not saved. Choose a name that ends with .png, .jpg, "
                    ".pdf, .tif, .jp2, .dcm or .obj."),
        shown);
    odl_messages_say (parts->messages, text);
  } else if (!odl_files_is_shown (parts, fitted)) {
    g_autoptr (GFile) file = g_file_new_for_path (fitted);
    if (format_of (fitted)->seen)
      save_seen (parts, file, format_of (fitted)->encode);
    else if (g_str_equal (format_of (fitted)->id, "dicom"))
      save_dicom (parts, fitted);
    else
      save_values (parts, fitted);
  }
}

static void
chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  save_picture (data, file, gtk_file_chooser_get_choice (chooser, FORMAT));
}

static void
choose_file (const OdlWindowParts *parts, const char *title, OdlFileChosen chosen)
{
  void *data = (void *) parts;
  g_autofree char *name = odl_files_save_name (data, ".png");
  GtkFileChooser *chooser = odl_file_chooser_new (
      data, title, GTK_FILE_CHOOSER_ACTION_SAVE, name, chosen, data);
  const char *ids[G_N_ELEMENTS (formats) + 1] = { NULL };
  const char *titles[G_N_ELEMENTS (formats) + 1] = { NULL };
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    ids[i] = formats[i].id;
    titles[i] = _ (formats[i].title);
  }
  gtk_file_chooser_add_choice (chooser, FORMAT, _ ("Format"), ids, titles);
  gtk_file_chooser_set_choice (chooser, FORMAT, ids[0]);
  const char *const patterns[]
      = { "*.png", "*.jpg", "*.jpeg", "*.pdf", "*.tif", "*.tiff", "*.jp2",
          "*.j2k", "*.j2c", "*.jpc",  "*.dcm", "*.obj", NULL };
  odl_file_chooser_add_filter (chooser, "PNG, JPEG, PDF, TIFF, JPEG 2000, DICOM, OBJ",
                               patterns);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
save_cb (void *data, GVariant *parameter)
{
  choose_file (data, _ ("Save Picture"), chosen_cb);
}

// ---- for who processes it further ----------------------------------------------------

#define CONFIRMED "odl-save-bare" // of the window: this was asked already

static void
save_bare (const OdlWindowParts *parts, GFile *file, const char *format)
{
  odl_viewport_set_bare (parts->viewport, true);
  save_picture (parts, file, format);
  odl_viewport_set_bare (parts->viewport, false);
}

static void
bare_chosen_cb (GtkFileChooser *chooser, GFile *file, void *data)
{
  save_bare (data, file, gtk_file_chooser_get_choice (chooser, FORMAT));
}

static void
confirmed_cb (const OdlWindowParts *parts, const char *answer)
{
  if (!g_str_equal (answer, "save"))
    return;
  g_object_set_data (G_OBJECT (parts->window), CONFIRMED, GINT_TO_POINTER (1));
  choose_file (parts, _ ("Save without Marks"), bare_chosen_cb);
}

static void
save_bare_cb (void *data, GVariant *parameter)
{
  const OdlWindowParts *parts = data;
  if (g_object_get_data (G_OBJECT (parts->window), CONFIRMED)) {
    choose_file (parts, _ ("Save without Marks"), bare_chosen_cb);
    return;
  }
  GtkWidget *widget = adw_message_dialog_new (
      GTK_WINDOW (parts->window), _ ("Save without Marks?"),
      _ ("Nothing in the picture will say that it was filtered, mirrored, inverted or "
         "measured, or that it is not for diagnosis. That is for programs which process "
         "it further, not for people who look at it."));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "save",
                                    _ ("_Save without Marks"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (dialog, "cancel");
  odl_window_connect (parts, dialog, "response", G_CALLBACK (confirmed_cb), data);
  gtk_window_present (GTK_WINDOW (dialog));
}

// With a path instead of the dialogs, for tests and scripts.
static void
save_bare_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  save_bare (data, file, NULL);
}

// ---- actions -------------------------------------------------------------------------

// With a path instead of the dialog, for tests and scripts.
static void
save_to_cb (void *data, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  save_picture (data, file, NULL);
}

static void
copy_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = odl_viewport_render_picture (parts->viewport, &error);
  if (!texture) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (parts->window)),
                             texture);
  odl_messages_say (parts->messages, _ ("Picture copied"));
}

static void
print_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_print_picture (parts);
}

void
odl_window_add_picture_actions (const OdlWindowParts *parts)
{
  static const OdlWindowAction entries[] = {
    { "save", G_CALLBACK (save_cb), .when = odl_window_shows_picture },
    { "save-to", G_CALLBACK (save_to_cb), "s" },
    { "save-bare", G_CALLBACK (save_bare_cb), .when = odl_window_shows_picture },
    { "save-bare-to", G_CALLBACK (save_bare_to_cb), "s" },
    { "copy", G_CALLBACK (copy_cb), .when = odl_window_shows_picture },
    { "print", G_CALLBACK (print_cb), .when = odl_window_shows_picture },
  };
  odl_window_add_actions (parts, entries, G_N_ELEMENTS (entries), (void *) parts);
}
