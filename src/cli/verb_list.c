// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>

#include "base/machine.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/json.h"
#include "cli/verb.h"
#include "engine/engine.h"
#include "filter/filter.h"
#include "filter/library.h"
#include "filter/presets.h"
#include "image/annotation/calculation.h"
#include "output/movie/codec.h"
#include "source/camera/devices.h"
#include "source/source.h"
#include "wavelet/wavelet.h"

static const char *const kind_names[] = {
  [ODL_PARAMETER_NUMBER] = "number",     [ODL_PARAMETER_INTEGER] = "integer",
  [ODL_PARAMETER_CHOICE] = "choice",     [ODL_PARAMETER_WAVELET] = "wavelet",
  [ODL_PARAMETER_MATRIX] = "matrix",     [ODL_PARAMETER_FILE] = "file",
  [ODL_PARAMETER_KERNEL] = "kernel",     [ODL_PARAMETER_PULLS] = "pulls",
  [ODL_PARAMETER_SPECTRUM] = "spectrum",
};

static const char *const domain_names[] = {
  [ODL_DOMAIN_SPATIAL] = "spatial",
  [ODL_DOMAIN_COEFFICIENT] = "coefficient",
  [ODL_DOMAIN_TEMPORAL] = "temporal",
};

// The default as the recipe writes it.
static char *
default_text (const OdlParameter *parameter)
{
  if (odl_parameter_is_file (parameter))
    return g_strdup ("");
  if (parameter->measured || parameter->follows)
    return g_strdup ("auto");
  if (parameter->kind == ODL_PARAMETER_PULLS)
    return g_strdup ("none");

  double value = odl_parameter_default (parameter, 0);
  if (parameter->kind == ODL_PARAMETER_WAVELET)
    return g_strdup (odl_wavelet_at ((size_t) value)->name);
  if (parameter->kind == ODL_PARAMETER_CHOICE)
    return g_strdup (parameter->choices[(size_t) value]);

  return odl_number_to_text (value);
}

static char *
range_text (const OdlParameter *parameter)
{
  if (odl_parameter_is_file (parameter))
    return g_strdup (_ ("the name of a file; in double quotes where it holds blanks or "
                        "commas"));
  if (parameter->kind == ODL_PARAMETER_PULLS)
    return g_strdup (_ ("x:y of a point of a contour and x:y of where it goes, in "
                        "pixels; more of them after a slash"));
  if (parameter->kind == ODL_PARAMETER_CHOICE) {
    g_autofree char *words = g_strjoinv (", ", (char **) parameter->choices);
    return *parameter->unit == '\0'
               ? g_steal_pointer (&words)
               // Translators: what a setting can be, and what these numbers or words say.
               : g_strdup_printf (_ ("%s (%s)"), words, _ (parameter->unit));
  }
  if (parameter->kind == ODL_PARAMETER_WAVELET)
    return g_strdup (_ ("one of “list wavelets”"));

  if (parameter->follows == ODL_FOLLOWS_RISING)
    // Translators: names of bands.
    return g_strdup (_ ("as the others, for −75:−15:−45 degrees of the dual tree; auto: "
                        "as for 75:15:45"));
  if (parameter->follows)
    // Translators: names of bands of volumes.
    return g_strdup (_ ("as thresholds, or LLH:HLH:LHH:HHH, for the bands that are high "
                        "along z; auto: as HL, HL, LH and HH"));

  g_autofree char *minimum = odl_number_to_text (parameter->minimum);
  g_autofree char *maximum = odl_number_to_text (parameter->maximum);
  if (parameter->kind == ODL_PARAMETER_SPECTRUM)
    return g_strdup_printf (
        // Translators: of the rows and columns of a block's coefficients.
        _ ("%s to %s, one for each of 8 rows, or 8 for its columns: "
           "a/b:c:d:e:f:g:h:i/j"),
        minimum, maximum);
  g_autofree char *range
      = g_strdup_printf (parameter->kind == ODL_PARAMETER_MATRIX
                             // Translators: HL, LH and HH are names of bands.
                             ? _ ("%s to %s, one for each level, or HL:LH:HH: a/b/c:d:e")
                             : _ ("%s to %s"),
                         minimum, maximum);
  if (parameter->over_frames)
    // Translators: what a setting can be, such as "0 to 1".
    return g_strdup_printf (_ ("%s; auto: measured in the picture; cine: in all frames; "
                               "frame: in each of them"),
                            range);
  if (parameter->each_frame)
    // Translators: what a setting can be, such as "0 to 1".
    return g_strdup_printf (
        _ ("%s; auto: measured in the picture; each-frame: in each of them"), range);
  return parameter->measured
             // Translators: what a setting can be, such as "0 to 1".
             ? g_strdup_printf (_ ("%s; auto: measured in the picture"), range)
             : g_steal_pointer (&range);
}

void
odl_list_filter (const OdlFilter *filter)
{
  g_print ("%-16s  %s\n", filter->name, _ (filter->description));
  for (size_t k = 0; k < filter->n_parameters; k++) {
    const OdlParameter *parameter = &filter->parameters[k];
    g_autofree char *value = default_text (parameter);
    g_autofree char *range = range_text (parameter);
    g_print ("    %s=%s  %s: %s\n", parameter->key, value, _ (parameter->label), range);
  }
}

static void
print_filters (void)
{
  for (size_t i = 0; i < odl_filter_count (); i++)
    odl_list_filter (odl_filter_at (i));
}

static void
write_parameter (OdlJson *json, const OdlParameter *parameter)
{
  g_autofree char *value = default_text (parameter);
  bool numeric = parameter->kind == ODL_PARAMETER_NUMBER
                 || parameter->kind == ODL_PARAMETER_INTEGER
                 || parameter->kind == ODL_PARAMETER_MATRIX
                 || parameter->kind == ODL_PARAMETER_SPECTRUM;

  odl_json_begin_object (json, NULL);
  odl_json_string (json, "key", parameter->key);
  odl_json_string (json, "label", _ (parameter->label));
  odl_json_string (json, "unit", *parameter->unit != '\0' ? _ (parameter->unit) : "");
  odl_json_string (json, "kind", kind_names[parameter->kind]);
  odl_json_string (json, "default", value);
  if (numeric) {
    odl_json_number (json, "minimum", parameter->minimum);
    odl_json_number (json, "maximum", parameter->maximum);
    odl_json_number (json, "step", parameter->step);
  }
  if (parameter->kind == ODL_PARAMETER_MATRIX
      || parameter->kind == ODL_PARAMETER_SPECTRUM)
    odl_json_integer (json, "count", parameter->count);
  if (parameter->kind == ODL_PARAMETER_CHOICE)
    odl_json_strings (json, "choices", parameter->choices, -1);
  odl_json_end_object (json);
}

static void
write_filters (OdlJson *json)
{
  for (size_t i = 0; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", filter->name);
    odl_json_string (json, "label", _ (filter->label));
    odl_json_string (json, "description", _ (filter->description));
    odl_json_string (json, "domain", domain_names[filter->domain]);
    odl_json_begin_array (json, "parameters");
    for (size_t k = 0; k < filter->n_parameters; k++)
      write_parameter (json, &filter->parameters[k]);
    odl_json_end_array (json);
    odl_json_end_object (json);
  }
}

// "symmetric, periodic"
static char *
border_list (const OdlWavelet *wavelet)
{
  GString *text = g_string_new (NULL);

  for (OdlBorder border = 0; border < ODL_N_BORDERS; border++)
    if ((wavelet->borders & 1u << border) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              odl_border_names[border + 1]);
  return g_string_free (text, FALSE);
}

static void
print_wavelets (void)
{
  for (size_t i = 0; i < odl_wavelet_count (); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    g_autofree char *aliases = g_strjoinv (", ", (char **) wavelet->aliases);
    g_autofree char *borders = border_list (wavelet);
    if (i == 0 || wavelet->family != odl_wavelet_at (i - 1)->family)
      g_print ("%s%s:\n", i == 0 ? "" : "\n",
               _ (odl_wavelet_family_labels[wavelet->family]));
    g_print ("%-8s  %-24s  %-19s", wavelet->name, wavelet->label, borders);
    g_print (*aliases != '\0' ? _ ("  also: %s\n") : "%s\n", aliases);
  }
}

static void
write_taps (OdlJson *json, const char *key, const OdlTaps *taps)
{
  odl_json_begin_object (json, key);
  odl_json_integer (json, "first", taps->first);
  odl_json_begin_array (json, "taps");
  for (int i = 0; i < taps->count; i++)
    odl_json_number (json, NULL, taps->value[i]);
  odl_json_end_array (json);
  odl_json_end_object (json);
}

static void
write_wavelets (OdlJson *json)
{
  for (size_t i = 0; i < odl_wavelet_count (); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", wavelet->name);
    odl_json_string (json, "label", wavelet->label);
    odl_json_strings (json, "aliases", wavelet->aliases, -1);
    odl_json_string (json, "family", _ (odl_wavelet_family_labels[wavelet->family]));
    odl_json_begin_array (json, "borders");
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++)
      if ((wavelet->borders & 1u << border) != 0)
        odl_json_string (json, NULL, odl_border_names[border + 1]);
    odl_json_end_array (json);
    odl_json_bool (json, "reversible", wavelet->reversible);
    odl_json_integer (json, "vanishing_moments", wavelet->vanishing_moments);
    odl_json_number (json, "l2_low", wavelet->l2_low);
    odl_json_number (json, "l2_high", wavelet->l2_high);
    write_taps (json, "analysis_low", &wavelet->analysis_low);
    write_taps (json, "analysis_high", &wavelet->analysis_high);
    odl_json_end_object (json);
  }
}

static void
print_engines (void)
{
  g_autofree char *processor = odl_machine_short_cpu (odl_machine_cpu ());
  const int threads = odl_parallel_threads ();

  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    g_print ("%-12s  %s\n", klass->name, _ (klass->description));
    if (!klass->needs_gl)
      // Translators: the processor's name.
      g_print (ngettext ("    on %s, %d thread\n", "    on %s, %d threads\n", threads),
               processor, threads);
    for (const OdlEngineVariant *v = klass->variants; v != NULL && v->name != NULL; v++) {
      g_autofree char *name = g_strconcat (klass->name, ":", v->name, NULL);
      g_print ("    %-22s  %s\n", name, _ (v->description));
    }
  }
}

static void
write_engines (OdlJson *json)
{
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", klass->name);
    odl_json_string (json, "description", _ (klass->description));
    odl_json_bool (json, "needs_gl", klass->needs_gl);
    if (!klass->needs_gl)
      odl_json_string (json, "processor", odl_machine_cpu ());
    odl_json_begin_array (json, "variants");
    for (const OdlEngineVariant *v = klass->variants; v != NULL && v->name != NULL; v++) {
      odl_json_begin_object (json, NULL);
      odl_json_string (json, "name", v->name);
      odl_json_string (json, "description", _ (v->description));
      odl_json_end_object (json);
    }
    odl_json_end_array (json);
    odl_json_end_object (json);
  }
}

static void
print_sources (void)
{
  for (size_t i = 0; i < odl_source_count (); i++) {
    const OdlSourceClass *klass = odl_source_at (i);
    g_autofree char *examples = g_strjoinv (" ", (char **) klass->examples);
    g_print ("%-8s  %s\n    %s\n", klass->name, _ (klass->description), examples);
  }
}

static void
write_sources (OdlJson *json)
{
  for (size_t i = 0; i < odl_source_count (); i++) {
    const OdlSourceClass *klass = odl_source_at (i);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", klass->name);
    odl_json_string (json, "description", _ (klass->description));
    odl_json_strings (json, "examples", klass->examples, -1);
    odl_json_end_object (json);
  }
}

// The cameras; none, with a note, if they cannot be listed or a sandbox's portal refuses
// access.
static GPtrArray *
find_cameras (OdlCameraDevices **devices)
{
  g_autoptr (GError) error = NULL;

  *devices = odl_camera_devices_open (NULL, NULL, NULL, &error);
  if (*devices != NULL)
    return odl_camera_devices_list (*devices);
  odl_report_error (NULL, error);
  return g_ptr_array_new ();
}

static void
leave_cameras (OdlCameraDevices *devices, GPtrArray *cameras)
{
  g_ptr_array_unref (cameras);
  if (devices != NULL)
    odl_camera_devices_close (devices);
}

static void
print_cameras (void)
{
  OdlCameraDevices *devices;
  GPtrArray *cameras = find_cameras (&devices);

  if (cameras->len == 0 && devices != NULL)
    odl_report_note (NULL, _ ("No camera was found. Connect one, or switch it on."));
  for (guint i = 0; i < cameras->len; i++) {
    const OdlCamera *camera = cameras->pdata[i];
    const OdlCameraFormat *best = odl_camera_formats_best (camera->formats, NULL);
    g_print ("%s\n    webcam:%s\n", camera->name, camera->id);
    for (guint k = 0; k < camera->formats->len; k++) {
      const OdlCameraFormat *format
          = &g_array_index (camera->formats, OdlCameraFormat, k);
      g_autofree char *text = odl_camera_format_text (format);
      g_print ("    %s%s\n", text, format == best ? _ (" (taken by itself)") : "");
    }
  }
  leave_cameras (devices, cameras);
}

static void
write_cameras (OdlJson *json)
{
  OdlCameraDevices *devices;
  GPtrArray *cameras = find_cameras (&devices);

  for (guint i = 0; i < cameras->len; i++) {
    const OdlCamera *camera = cameras->pdata[i];
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", camera->name);
    odl_json_string (json, "id", camera->id);
    odl_json_begin_array (json, "formats");
    for (guint k = 0; k < camera->formats->len; k++) {
      const OdlCameraFormat *format
          = &g_array_index (camera->formats, OdlCameraFormat, k);
      g_autofree char *location = odl_camera_location (camera->id, format);
      odl_json_begin_object (json, NULL);
      odl_json_integer (json, "width", format->width);
      odl_json_integer (json, "height", format->height);
      odl_json_number (json, "frame_rate", odl_camera_format_rate (format));
      odl_json_bool (json, "mjpeg", format->encoding == ODL_CAMERA_MJPEG);
      odl_json_string (json, "location", location);
      odl_json_end_object (json);
    }
    odl_json_end_array (json);
    odl_json_end_object (json);
  }
  leave_cameras (devices, cameras);
}

// "high,small"
static char *
qualities_text (const OdlCodec *codec)
{
  const char *words[ODL_N_QUALITIES + 1] = { 0 };

  for (int i = 0, n = 0; i < ODL_N_QUALITIES; i++)
    if (codec->settings[i] != NULL)
      words[n++] = odl_quality_names[i];
  return g_strjoinv (",", (char **) words);
}

static void
print_codecs (void)
{
  const bool started = odl_codec_start ();

  for (size_t i = 0; i < odl_codec_count (); i++) {
    const OdlCodec *codec = odl_codec_at (i);
    g_autofree char *qualities = qualities_text (codec);
    g_print ("%-8s  %-12s  %-12s", codec->name, codec->element, qualities);
    if (!started || !odl_codec_is_installed (codec))
      g_print (_ ("  missing: install %s"), codec->package);
    g_print ("\n");
  }
}

static void
write_codecs (OdlJson *json)
{
  const bool started = odl_codec_start ();

  for (size_t i = 0; i < odl_codec_count (); i++) {
    const OdlCodec *codec = odl_codec_at (i);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", codec->name);
    odl_json_string (json, "encoder", codec->element);
    odl_json_string (json, "package", codec->package);
    odl_json_begin_array (json, "qualities");
    for (int k = 0; k < ODL_N_QUALITIES; k++)
      if (codec->settings[k] != NULL)
        odl_json_string (json, NULL, odl_quality_names[k]);
    odl_json_end_array (json);
    odl_json_bool (json, "installed", started && odl_codec_is_installed (codec));
    odl_json_end_object (json);
  }
}

// The words of a preset of the user, or why it cannot be used. Transfer full.
static char *
own_words (const char *name)
{
  OdlRecipe recipe;
  g_autoptr (GError) error = NULL;

  odl_recipe_init (&recipe);
  return odl_library_load (&recipe, name, &error) ? odl_recipe_to_text (&recipe, " ")
                                                  : g_strdup (error->message);
}

static void
print_presets (void)
{
  g_auto (GStrv) own = odl_library_names ();

  for (size_t i = 0; i < odl_preset_count (); i++) {
    const OdlPreset *preset = odl_preset_at (i);
    g_autofree char *words = odl_preset_words (preset);
    g_print ("%-17s  %s\n    %s\n", preset->name, _ (preset->description), words);
  }
  for (int i = 0; own[i] != NULL; i++) {
    g_autofree char *words = own_words (own[i]);
    g_print ("%-17s  %s\n    %s\n", own[i], _ ("A preset of your own."), words);
  }
}

static void
write_presets (OdlJson *json)
{
  g_auto (GStrv) own = odl_library_names ();

  for (size_t i = 0; i < odl_preset_count (); i++) {
    const OdlPreset *preset = odl_preset_at (i);
    g_autofree char *words = odl_preset_words (preset);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", preset->name);
    odl_json_string (json, "description", preset->description);
    odl_json_string (json, "recipe", words);
    odl_json_end_object (json);
  }
  for (int i = 0; own[i] != NULL; i++) {
    g_autofree char *words = own_words (own[i]);
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", own[i]);
    odl_json_string (json, "description", _ ("A preset of your own."));
    odl_json_string (json, "recipe", words);
    odl_json_end_object (json);
  }
}

static void
print_calculations (void)
{
  const OdlCalculation *calculation;

  for (size_t i = 0; (calculation = odl_calculation_at (i)) != NULL; i++) {
    g_print ("%-15s  %s (%s)\n", calculation->name, _ (calculation->title),
             calculation->unit);
    for (int k = 0; k < calculation->n_inputs; k++)
      g_print ("    %s: %s\n", _ (calculation->inputs[k].title),
               odl_calculation_wants (&calculation->inputs[k]));
    g_print ("    %s\n", _ (calculation->formula));
    if (calculation->source != NULL)
      g_print ("    %s\n", calculation->source);
  }
  g_print ("%s.\n", odl_calculation_warning ());
}

static void
write_range (OdlJson *json, double least, double most)
{
  if (most <= 0)
    return;
  odl_json_number (json, "least", least);
  odl_json_number (json, "most", most);
}

static void
write_calculations (OdlJson *json)
{
  static const char *const takes[] = { [ODL_TAKES_LENGTH] = "length",
                                       [ODL_TAKES_CLOSED] = "closed",
                                       [ODL_TAKES_AXIS] = "axis" };
  const OdlCalculation *calculation;

  for (size_t i = 0; (calculation = odl_calculation_at (i)) != NULL; i++) {
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", calculation->name);
    odl_json_string (json, "title", _ (calculation->title));
    odl_json_string (json, "unit", calculation->unit);
    odl_json_string (json, "formula", calculation->formula);
    odl_json_string (json, "source", calculation->source);
    write_range (json, calculation->least, calculation->most);
    odl_json_begin_array (json, "inputs");
    for (int k = 0; k < calculation->n_inputs; k++) {
      const OdlCalculationInput *input = &calculation->inputs[k];
      odl_json_begin_object (json, NULL);
      odl_json_string (json, "name", input->name);
      odl_json_string (json, "title", _ (input->title));
      odl_json_string (json, "takes", takes[input->takes]);
      write_range (json, input->least, input->most);
      odl_json_end_object (json);
    }
    odl_json_end_array (json);
    odl_json_string (json, "warning", odl_calculation_warning ());
    odl_json_end_object (json);
  }
}

typedef struct {
  const char *name;
  void (*print) (void);
  void (*write) (OdlJson *json);
} Table;

static const Table tables[] = {
  { "filters", print_filters, write_filters },
  { "presets", print_presets, write_presets },
  { "wavelets", print_wavelets, write_wavelets },
  { "engines", print_engines, write_engines },
  { "sources", print_sources, write_sources },
  { "cameras", print_cameras, write_cameras },
  { "codecs", print_codecs, write_codecs },
  { "calculations", print_calculations, write_calculations },
};

static const Table *
find_table (char **words)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    if (words != NULL && words[0] != NULL && words[1] == NULL
        && g_str_equal (words[0], tables[i].name))
      return &tables[i];
  return NULL;
}

static int
list (int argc, char **argv)
{
  gboolean as_json = FALSE;
  g_auto (GStrv) words = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Write JSON"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, NULL, NULL },
    { NULL },
  };

  if (!odl_verb_parse (&odl_verb_list, entries, NULL, argc, argv))
    return ODL_EXIT_USAGE;
  const Table *table = find_table (words);
  if (table == NULL) {
    odl_report_usage (_ ("Say what to list: %s."), odl_verb_list.arguments);
    return ODL_EXIT_USAGE;
  }
  if (as_json) {
    OdlJson json;
    odl_json_init (&json);
    odl_json_begin_array (&json, NULL);
    table->write (&json);
    odl_json_end_array (&json);
    odl_json_print (&json);
  } else {
    table->print ();
  }
  return ODL_EXIT_DONE;
}

const OdlVerb odl_verb_list = {
  .name = "list",
  .arguments = "filters|presets|wavelets|engines|sources|cameras|codecs|calculations",
  .summary = N_ ("List what there is, with parameters and their ranges."),
  .run = list,
};
