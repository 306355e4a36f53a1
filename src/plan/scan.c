// SPDX-License-Identifier: MIT
#include "plan/scan.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "filter/inside.h"

const char *const odl_scan_interpolations[ODL_SCAN_N_INTERPOLATIONS + 1]
    = { N_ ("bilinear"), N_ ("sinc"), NULL };

void
odl_scan_add_step (OdlPlanner *b, int item, const OdlBeamPicture *picture, bool back)
{
  const OdlBeams *beams = &picture->beams;
  const double centre = beams->array == ODL_BEAMS_CURVILINEAR ? beams->radius_mm : 0;
  const int channels = g_array_index (b->slots, OdlSlot, b->picture).channels;
  const int out = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0,
                                        back ? picture->columns : picture->width,
                                        back ? picture->rows : picture->height, channels);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SCAN_CONVERT, b->picture, out, item);
  double *values = step->parameters.values;

  step->rule = (int) beams->array + (back ? ODL_SCAN_BACK : 0);
  step->side
      = odl_recipe_get (b->recipe, item, "interpolation", 0) > 0 ? ODL_SCAN_SINC : 2;
  values[ODL_SCAN_LEFT] = picture->left;
  values[ODL_SCAN_TOP] = picture->top + centre;
  values[ODL_SCAN_PIXEL] = picture->pixel_mm;
  values[ODL_SCAN_FIRST] = beams->first;
  values[ODL_SCAN_COLUMN_STEP] = beams->step;
  values[ODL_SCAN_ORIGIN] = beams->start_mm + centre;
  values[ODL_SCAN_ROW_STEP] = beams->sample_mm;
  values[ODL_SCAN_STEERING] = beams->steering;
  // What follows works on that, and so do masks of what was there first.
  b->picture = b->origin = out;
  b->resized = true;
}

OdlBeamPicture
odl_scan_of_item (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  OdlBeams shown = geometry->beams;

  // What lies straight before the array is the same of all frames, however they are
  // steered.
  if (odl_recipe_get (recipe, item, "area", 0) > 0)
    shown.steering = 0;
  OdlBeamPicture picture
      = odl_beam_picture_of (&shown, geometry->width, geometry->height,
                             (int) odl_recipe_get (recipe, item, "width", 0),
                             (int) odl_recipe_get (recipe, item, "height", 0));
  picture.beams = geometry->beams;
  return picture;
}

// ---- The order of filters ------------------------------------------------------------

static bool
are_waves (const OdlGeometry *geometry)
{
  return geometry->content == ODL_BEAMS_WAVES || geometry->content == ODL_BEAMS_COMPLEX;
}

static const char *
envelope_lack (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  if (geometry->made_of.beams.array != ODL_BEAMS_NONE)
    return _ ("without “envelope”: it needs the echoes of beams, and “scan-convert” has "
              "made a picture of them; put it before “scan-convert”");
  if (geometry->content == ODL_BEAMS_AMPLITUDES)
    return _ ("without “envelope”: it needs waves, and these samples are amplitudes "
              "already; leave it out");
  if (geometry->content == ODL_BEAMS_DECIBELS)
    return _ (
        "without “envelope”: it needs waves, and these samples are in decibels; put "
        "it before “log-compress”, or leave it out");
  if (geometry->content == ODL_BEAMS_UNKNOWN && geometry->beams.array == ODL_BEAMS_NONE
      && geometry->zero <= 0)
    return _ ("without “envelope”: it needs waves about 0, as radio-frequency lines of "
              "ultrasound beams are, such as those of phantom:beams; this picture has no "
              "sample below 0");
  if (geometry->content == ODL_BEAMS_COMPLEX
      && (odl_recipe_transform_around (recipe, item) >= 0 || geometry->depth > 1
          || !odl_beams_are_sound (&geometry->beams, geometry->width, geometry->height)))
    return _ (
        "without “envelope”: of IQ it makes pictures of half as many columns; put it "
        "before all other filters");
  return NULL;
}

static const char *
compress_lack (const OdlGeometry *geometry)
{
  if (are_waves (geometry))
    return _ ("without “log-compress”: it needs amplitudes, and these samples are waves; "
              "put “envelope” before it");
  if (geometry->content == ODL_BEAMS_DECIBELS)
    return _ ("without “log-compress”: it needs amplitudes, and these samples are in "
              "decibels already; leave it out, or put “log-expand” before it");
  if (geometry->content == ODL_BEAMS_UNKNOWN && geometry->beams.array == ODL_BEAMS_NONE
      && geometry->channels > 1)
    return _ (
        "without “log-compress”: it needs amplitudes, and this picture has colours; "
        "of the picture of a scanner “log-expand” before it makes amplitudes");
  return NULL;
}

static const char *
expand_lack (const OdlGeometry *geometry)
{
  if (are_waves (geometry))
    return _ ("without “log-expand”: it needs decibels, and these samples are waves; put "
              "it behind “log-compress”");
  if (geometry->content == ODL_BEAMS_AMPLITUDES)
    return _ (
        "without “log-expand”: it needs decibels, and these samples are amplitudes; "
        "put it behind “log-compress”");
  return NULL;
}

static const char *
convert_lack (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  if (geometry->made_of.beams.array != ODL_BEAMS_NONE)
    return _ ("without “scan-convert”: one before it has made a picture of the beams; "
              "leave one of them out");
  if (geometry->content == ODL_BEAMS_COMPLEX)
    return _ ("without “scan-convert”: it needs one number for each sample, and IQ has "
              "two; put “envelope” before it");
  if (geometry->beams.array == ODL_BEAMS_NONE)
    return _ ("without “scan-convert”: it needs beams that say where they lie, as those "
              "of phantom:beams and of files with the key “beams” do; this is a picture");
  if (geometry->depth > 1)
    return _ (
        "without “scan-convert”: it converts pictures, and a filter in 3 dimensions "
        "sees all slices at once");
  if (odl_recipe_transform_around (recipe, item) >= 0)
    return _ ("without “scan-convert”: it needs beams, and inside a transform there are "
              "bands; put it behind “inverse”");
  return odl_beams_are_sound (&geometry->beams, geometry->width, geometry->height)
             ? NULL
             : _ ("without “scan-convert”: the beams lie where none can be");
}

static const char *
unconvert_lack (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  if (geometry->made_of.beams.array == ODL_BEAMS_NONE)
    return _ ("without “unscan-convert”: it needs a picture that “scan-convert” has made "
              "of beams; put it behind that one");
  if (geometry->width != geometry->made_of.width || geometry->height < 2
      || geometry->height != geometry->made_of.height || geometry->depth > 1
      || odl_recipe_transform_around (recipe, item) >= 0)
    return _ ("without “unscan-convert”: it needs the whole picture that “scan-convert” "
              "has made; put it outside of transforms");
  return NULL;
}

const char *
odl_scan_lack (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  switch (recipe->items[item].filter->kind) {
  case ODL_FILTER_ENVELOPE:
    return envelope_lack (recipe, item, geometry);
  case ODL_FILTER_LOG_COMPRESS:
    return compress_lack (geometry);
  case ODL_FILTER_LOG_EXPAND:
    return expand_lack (geometry);
  case ODL_FILTER_SCAN_CONVERT:
    return convert_lack (recipe, item, geometry);
  case ODL_FILTER_UNSCAN_CONVERT:
    return unconvert_lack (recipe, item, geometry);
  default:
    return NULL;
  }
}

// `range_db`: of decibels, else 0.
static void
set_content (OdlGeometry *geometry, OdlBeamContent content, double range_db)
{
  OdlBeams *const all[] = { &geometry->beams, &geometry->made_of.beams };

  geometry->content = content;
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i]->array != ODL_BEAMS_NONE) {
      all[i]->content = content;
      all[i]->range_db = range_db;
    }
}

static void
convert (OdlGeometry *geometry, const OdlBeamPicture *picture)
{
  geometry->width = picture->width;
  geometry->height = picture->height;
  geometry->beams = (OdlBeams){ 0 };
  geometry->made_of = *picture;
}

static void
convert_back (OdlGeometry *geometry)
{
  geometry->width = geometry->made_of.columns;
  geometry->height = geometry->made_of.rows;
  geometry->beams = geometry->made_of.beams;
  geometry->made_of = (OdlBeamPicture){ 0 };
}

void
odl_scan_pass (const OdlRecipe *recipe, int item, OdlGeometry *geometry)
{
  if (!odl_recipe_item_acts (&recipe->items[item])
      || odl_recipe_transform_around (recipe, item) >= 0
      || odl_scan_lack (recipe, item, geometry) != NULL)
    return;
  switch (recipe->items[item].filter->kind) {
  case ODL_FILTER_ENVELOPE:
    // Amplitudes count from 0, and two numbers become one.
    geometry->zero = 0;
    geometry->width = odl_beams_count (&geometry->beams, geometry->width);
    set_content (geometry, ODL_BEAMS_AMPLITUDES, 0);
    break;
  case ODL_FILTER_LOG_COMPRESS:
    set_content (geometry, ODL_BEAMS_DECIBELS, odl_recipe_get (recipe, item, "range", 0));
    break;
  case ODL_FILTER_LOG_EXPAND:
    set_content (geometry, ODL_BEAMS_AMPLITUDES, 0);
    break;
  case ODL_FILTER_SCAN_CONVERT: {
    const OdlBeamPicture picture = odl_scan_of_item (recipe, item, geometry);
    convert (geometry, &picture);
    break;
  }
  case ODL_FILTER_UNSCAN_CONVERT:
    convert_back (geometry);
    break;
  default:
    break;
  }
}

void
odl_scan_take_references (OdlRecipe *recipe, const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind != ODL_STEP_LOG_COMPRESS || step->item < 0
        || step->item >= recipe->n_items)
      continue;
    const OdlFilter *filter = recipe->items[step->item].filter;
    const OdlParameter *reference = odl_filter_parameter (filter, "reference");
    if (filter->kind != ODL_FILTER_LOG_COMPRESS
        || !odl_parameter_waits (reference,
                                 odl_recipe_get (recipe, step->item, "reference", 0)))
      continue;
    const double gain = odl_recipe_get (recipe, step->item, "gain", 0);
    odl_recipe_set (recipe, step->item, "reference", 0,
                    pow (10, gain / 20) / odl_step_value (step, "times"));
  }
}

OdlRecipe
odl_scan_bare_recipe (const OdlRecipe *recipe)
{
  OdlRecipe bare = *recipe;

  bare.n_items = 0;
  bare.view = ODL_VIEW_SYNTHESIS;
  for (int i = 0; i < recipe->n_items; i++)
    switch (recipe->items[i].filter->kind) {
    case ODL_FILTER_ENVELOPE:
    case ODL_FILTER_LOG_COMPRESS:
    case ODL_FILTER_SCAN_CONVERT:
    case ODL_FILTER_UNSCAN_CONVERT:
      bare.items[bare.n_items++] = recipe->items[i];
      break;
    default:
      break;
    }
  return bare;
}
