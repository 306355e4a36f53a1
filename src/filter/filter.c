// SPDX-License-Identifier: MIT
#include "filter/filter.h"

#include "filter/rows.h"

static const char *const window_names[] = { "3", "5", "7", NULL };
static const char *const surroundings_names[] = { "3", "5", "7", "9", NULL };
static const char *const bin_names[] = { "256", "1024", "4096", NULL };
static const char *const kept_names[] = { N_ ("auto"), N_ ("low"), N_ ("high"), NULL };
static const char *const rule_names[] = { N_ ("maximum"), N_ ("sum"), NULL };
static const char *const shrinking_names[]
    = { N_ ("soft"), N_ ("hard"), N_ ("garrote"), N_ ("firm"), N_ ("hyperbolic"), NULL };
static const char *const limiter_names[] = { N_ ("off"), N_ ("on"), NULL };
static const char *const shape_names[] = { N_ ("lines"), N_ ("mask"), NULL };
static const char *const dimension_names[] = { "2", "3", NULL };
static const char *const kernel_side_names[]
    = { "3", "5", "7", "9", "11", "13", "15", "17", NULL };
static const char *const tensor_names[]
    = { N_ ("energy"), N_ ("certainty"), N_ ("cosine"), N_ ("sine"), NULL };
static const char *const neighbourhood_names[] = { "3", "5", NULL };

#define WAVELET \
  { \
    .key = "wavelet", .label = N_ ("Wavelet"), .unit = "", \
    .kind = ODL_PARAMETER_WAVELET, .minimum = 0, .maximum = 1, .step = 1, .count = 1, \
  }

#define LEVELS \
  { \
    INTEGER ("levels", N_ ("Levels"), "", 1, ODL_MAX_LEVELS), .default_value = 3, \
                                                              .offset = 1, \
  }

// The first two parameters of all wavelet filters.
#define WAVELET_AND_LEVELS WAVELET, LEVELS

#define TRANSFORM TRANSFORM_AT (2)

#define TRANSFORM_AT(place) \
  { \
    .key = "transform", .label = N_ ("Transform"), .unit = "", \
    .kind = ODL_PARAMETER_CHOICE, .minimum = 0, .maximum = ODL_N_TRANSFORMS - 1, \
    .step = 1, .choices = odl_transform_names, .offset = (place), .count = 1, \
  }

static const char *const normalisation_names[]
    = { N_ ("unit-gain"), N_ ("orthonormal"), NULL };

// Of thresholds (normalisation.h).
#define NORMALISATION(place) \
  { \
    CHOICE ("normalisation", N_ ("Normalisation"), N_ ("of thresholds"), \
            normalisation_names), \
        .tacit = true, .offset = (place) \
  }

// Of cycle spinning.
#define SHIFTS(place) \
  { \
    INTEGER ("shifts", N_ ("Shifts"), "", 1, 16), .default_value = 1, .tacit = true, \
                                                  .offset = (place) \
  }

#define THRESHOLD \
  { \
    NUMBER ("threshold", N_ ("Threshold"), N_ ("of full scale"), 0, 1, 0.001), \
        .default_value = 0.05, .measured = true, .is_threshold = true, .offset = 4, \
  }

static const OdlParameter trough_parameters[] = {
  { CHOICE ("bins", N_ ("Bins"), "", bin_names) },
  { NUMBER ("share", N_ ("Share of the peak"), "", 0, 1, 0.01), .default_value = 0.1,
    .tacit = true, .offset = 1 },
  { INTEGER ("smoothing", N_ ("Smoothing"), N_ ("bins"), 0, 64), .default_value = 4,
    .tacit = true, .offset = 2 },
  { CHOICE ("side", N_ ("Side that is kept"), "", kept_names), .tacit = true,
    .offset = 3 },
  { NUMBER ("threshold", N_ ("Threshold"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.5, .measured = true, .live = true, .tacit = true, .offset = 4 },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .offset = 5 },
};

static const OdlParameter contour_parameters[] = {
  { CHOICE ("output", N_ ("Output"), "", shape_names) },
  { NUMBER ("tension", N_ ("Tension"), "", 0, 2, 0.01), .default_value = 0.05,
    .tacit = true, .offset = 1 },
  { NUMBER ("rigidity", N_ ("Rigidity"), "", 0, 2, 0.01), .default_value = 0.5,
    .tacit = true, .offset = 2 },
  { NUMBER ("reach", N_ ("Reach of edges"), "", 0, 0.25, 0.01), .default_value = 0.2,
    .tacit = true, .offset = 3 },
  { NUMBER ("smallest", N_ ("Smallest area"), N_ ("of the picture"), 0, 0.2, 0.0005),
    .default_value = 0.001, .tacit = true, .offset = 4 },
  { .key = "pulls",
    .label = N_ ("Pulled points"),
    .unit = "",
    .kind = ODL_PARAMETER_PULLS,
    .minimum = ODL_NO_PULL,
    .maximum = ODL_PULL_LARGEST,
    .step = 1,
    .default_value = ODL_NO_PULL,
    .tacit = true,
    .offset = 5,
    .count = ODL_PULLS_VALUES },
};

static const OdlParameter decouple_parameters[] = {
  WAVELET,
  { INTEGER ("levels", N_ ("Levels"), "", 1, ODL_MAX_LEVELS), .default_value = 5,
    .tacit = true, .offset = 1 },
  { NUMBER ("illumination", N_ ("Illumination"), "", 0, 1, 0.01), .offset = 2 },
  { NUMBER ("texture", N_ ("Texture"), "", 0, 2, 0.01), .default_value = 1, .offset = 3 },
  { NUMBER ("brightness", N_ ("Flat light"), N_ ("of full scale"), 0, 1, 0.01),
    .default_value = 0.4, .tacit = true, .offset = 4 },
  { NUMBER ("least", N_ ("Least illumination"), N_ ("of full scale"), 0.01, 0.5, 0.01),
    .default_value = 0.05, .tacit = true, .offset = 5 },
};

// Of one of two pictures: for the detail bands of each level.
#define SHARES(name, title, first) \
  .key = (name), .label = (title), .unit = "", .kind = ODL_PARAMETER_MATRIX, \
  .maximum = 4, .step = 0.05, .default_value = 1, .tacit = true, .offset = (first), \
  .count = ODL_MAX_LEVELS * ODL_DETAIL_BANDS

// A matrix whose numbers are those of another one until they are set.
#define FOLLOWING(name, title, whom, n, first) \
  .key = (name), .label = (title), .kind = ODL_PARAMETER_MATRIX, .live = true, \
  .tacit = true, .follows = ODL_FOLLOWS_##whom, .offset = (first), \
  .count = ODL_MAX_LEVELS * (n)

static const OdlParameter stylise_parameters[] = {
  {
      .key = "with",
      .label = N_ ("Second picture"),
      .unit = "",
      .kind = ODL_PARAMETER_FILE,
  },
  WAVELET,
  LEVELS,
  { CHOICE ("rule", N_ ("Details"), "", rule_names), .offset = 2 },
  { NUMBER ("first-base", N_ ("First: low band"), "", 0, 4, 0.05), .default_value = 1,
    .tacit = true, .offset = 3 },
  { NUMBER ("second-base", N_ ("Second: low band"), "", 0, 4, 0.05), .tacit = true,
    .offset = 4 },
  { SHARES ("first", N_ ("First picture, level"), 5) },
  { SHARES ("second",
            N_ ("Second picture, level"),
            5 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS) },
};

static const OdlParameter scale_parameters[] = {
  WAVELET,
  LEVELS,
  { SHARES ("gains", N_ ("Gain of level"), 2) },
  { NUMBER ("base", N_ ("Low band"), "", 0, 4, 0.05), .default_value = 1, .tacit = true,
    .offset = 2 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS },
  { CHOICE ("limiter", N_ ("Limit overshoot"), "", limiter_names), .tacit = true,
    .offset = 3 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS },
  { NUMBER ("overshoot", N_ ("Overshoot"), N_ ("of the range around"), 0, 2, 0.05),
    .default_value = 0.1, .tacit = true, .selector = "limiter", .shapes = 1U << 1,
    .offset = 4 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS },
  TRANSFORM_AT (5 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS),
  { FOLLOWING ("falling-gains",
               N_ ("Falling edges, level"),
               RISING,
               ODL_DETAIL_BANDS,
               6 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS),
    .unit = "", .maximum = 4, .step = 0.05, .default_value = 1 },
};

static const OdlParameter threshold_parameters[] = {
  WAVELET_AND_LEVELS,
  TRANSFORM,
  NORMALISATION (3),
  THRESHOLD,
  SHIFTS (5),
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 6 },
};

static const OdlParameter shrinkage_parameters[] = {
  WAVELET_AND_LEVELS,
  TRANSFORM,
  NORMALISATION (3),
  {
      .key = "thresholds",
      .label = N_ ("Threshold of level"),
      .unit = N_ ("of full scale"),
      .kind = ODL_PARAMETER_MATRIX,
      .minimum = 0,
      .maximum = 1,
      .step = 0.001,
      .default_value = 0.1,
      .measured = true,
      .is_threshold = true,
      .offset = 4,
      .count = ODL_MAX_LEVELS * ODL_DETAIL_BANDS,
  },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 4 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS },
  { FOLLOWING ("z-thresholds",
               N_ ("Along z of level"),
               SLICES,
               ODL_DEEP_BANDS,
               5 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS),
    .unit = N_ ("of full scale"), .maximum = 1, .step = 0.001, .default_value = 0.1,
    .is_threshold = true, .for_volumes = true },
  { FOLLOWING ("falling-thresholds",
               N_ ("Falling edges, level"),
               RISING,
               ODL_DETAIL_BANDS,
               5 + ODL_MAX_LEVELS * (ODL_DETAIL_BANDS + ODL_DEEP_BANDS)),
    .unit = N_ ("of full scale"), .maximum = 1, .step = 0.001, .default_value = 0.1,
    .is_threshold = true },
  { CHOICE ("rule", N_ ("Rule"), "", shrinking_names), .tacit = true,
    .offset = 5 + ODL_MAX_LEVELS * (2 * ODL_DETAIL_BANDS + ODL_DEEP_BANDS) },
  SHIFTS (6 + ODL_MAX_LEVELS * (2 * ODL_DETAIL_BANDS + ODL_DEEP_BANDS)),
};

// Of filters that find their thresholds.
static const OdlParameter finding_parameters[] = {
  WAVELET_AND_LEVELS,
  TRANSFORM,
  { NUMBER ("sigma", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.05, .measured = true, .live = true, .offset = 3 },
  SHIFTS (4),
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 5 },
};

static const OdlParameter neigh_parameters[] = {
  WAVELET_AND_LEVELS,
  { NUMBER ("sigma", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.05, .measured = true, .live = true, .offset = 2 },
  { CHOICE ("window", N_ ("Window"), N_ ("coefficients"), surroundings_names),
    .tacit = true, .offset = 3 },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 4 },
};

static const char *const bivariate_transforms[]
    = { N_ ("dual-tree"), N_ ("decimated"), NULL };

static const OdlParameter bivariate_parameters[] = {
  { INTEGER ("levels", N_ ("Levels"), "", 1, ODL_MAX_LEVELS), .default_value = 6 },
  { NUMBER ("sigma", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.05, .measured = true, .offset = 1 },
  { CHOICE ("window", N_ ("Window"), N_ ("coefficients"), surroundings_names),
    .default_value = 2, .offset = 2 },
  { CHOICE ("transform", N_ ("Transform"), "", bivariate_transforms), .tacit = true,
    .offset = 3 },
  { .key = "wavelet",
    .label = N_ ("Wavelet"),
    .unit = "",
    .kind = ODL_PARAMETER_WAVELET,
    .step = 1,
    .count = 1,
    .offset = 4 },
  { .key = "profile",
    .label = N_ ("Noise of level"),
    .unit = N_ ("of σ"),
    .kind = ODL_PARAMETER_MATRIX,
    .maximum = 16,
    .step = 0.05,
    .default_value = 1,
    .measurable = true,
    .tacit = true,
    .offset = 5,
    .count = ODL_MAX_LEVELS * ODL_DETAIL_BANDS },
};

static const OdlParameter transform_parameters[] = {
  WAVELET_AND_LEVELS,
  TRANSFORM,
};

static const char *const effort_names[]
    = { N_ ("normal"), N_ ("fast"), N_ ("quality"), NULL };

static const char *const bm3d_frames_names[] = { "1", "3", "5", "7", "9", NULL };

static const OdlParameter bm3d_parameters[] = {
  { NUMBER ("sigma", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.05, .measured = true, .each_frame = true },
  { CHOICE ("effort", N_ ("Effort"), "", effort_names), .tacit = true, .offset = 1 },
  { CHOICE ("frames", N_ ("Frames"), "", bm3d_frames_names), .tacit = true, .offset = 2 },
  { .key = "profile",
    .label = N_ ("Noise of coefficients"),
    .unit = N_ ("of σ"),
    .kind = ODL_PARAMETER_SPECTRUM,
    .maximum = 16,
    .step = 0.05,
    .default_value = 1,
    .measurable = true,
    .tacit = true,
    .offset = 3,
    .count = ODL_SPECTRUM_VALUES },
};

static const char *const tensor_dimension_names[] = { "2", "3", "4", NULL };

static const char *const register_outputs[]
    = { N_ ("picture"), N_ ("grid"), N_ ("across"), N_ ("down"), N_ ("along"), NULL };

static const OdlParameter register_parameters[] = {
  {
      .key = "with",
      .label = N_ ("Picture to lie like"),
      .unit = "",
      .kind = ODL_PARAMETER_FILE,
  },
  { CHOICE ("output", N_ ("Output"), "", register_outputs) },
  { NUMBER ("smoothing", N_ ("Smoothing (σ)"), N_ ("pixels"), 1, 20, 0.5),
    .default_value = 4, .offset = 1 },
  { INTEGER ("scales", N_ ("Scales"), "", 1, 8), .default_value = 5, .offset = 2 },
  { INTEGER ("iterations", N_ ("Iterations"), "", 1, 30), .default_value = 6,
    .tacit = true, .offset = 3 },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 4 },
};

// Of the quadrature filters, from the parameter with that offset on.
#define QUADRATURE(first) \
  { CHOICE ("size", N_ ("Size"), N_ ("pixels"), kernel_side_names), .default_value = 3, \
    .tacit = true, .offset = (first) }, \
      { NUMBER ("frequency", N_ ("Centre frequency"), N_ ("rad/pixel"), 0.2, 3, 0.05), \
        .default_value = 1, .tacit = true, .offset = (first) + 1 }, \
      { NUMBER ("bandwidth", N_ ("Bandwidth"), N_ ("octaves"), 0.5, 4, 0.1), \
        .default_value = 2, .tacit = true, .offset = (first) + 2 }, \
      { NUMBER ("smoothing", N_ ("Smoothing"), N_ ("pixels"), 0, 2.5, 0.1), \
        .default_value = 1.5, .tacit = true, .offset = (first) + 3 }, \
  { \
    CHOICE ("dimensions", N_ ("Dimensions"), "", tensor_dimension_names), \
        .tacit = true, .for_volumes = true, .offset = (first) + 4 \
  }

static const OdlParameter tensor_parameters[] = {
  { CHOICE ("output", N_ ("Output"), "", tensor_names) },
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of full scale"), 0.01, 1, 0.001),
    .default_value = 0.02, .tacit = true, .offset = 1 },
  QUADRATURE (2),
};

static const OdlParameter adaptive_parameters[] = {
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.05 },
  { NUMBER ("strength", N_ ("Strength"), "", 0, 10, 0.1), .default_value = 2.2,
    .tacit = true, .offset = 1 },
  { NUMBER ("isotropy", N_ ("Isotropy"), "", 0, 0.95, 0.05), .default_value = 0.5,
    .tacit = true, .offset = 2 },
  { CHOICE ("filter-size", N_ ("Filter size"), N_ ("pixels"), kernel_side_names),
    .default_value = 4, .tacit = true, .offset = 3 },
  { NUMBER ("cutoff", N_ ("Low band up to"), N_ ("rad/pixel"), 0.3, 3, 0.05),
    .default_value = 1.5, .tacit = true, .offset = 4 },
  QUADRATURE (5),
};

static const OdlParameter recursive_parameters[] = {
  { NUMBER ("weight", N_ ("Weight of the new frame"), "", 0.02, 1, 0.01),
    .default_value = 0.25 },
};

static const OdlParameter window_parameters[] = {
  { CHOICE ("frames", N_ ("Frames"), "", window_names) },
};

static const OdlParameter persistence_parameters[] = {
  { INTEGER ("level", N_ ("Persistence"), "", 0, 7), .default_value = 3 },
  { NUMBER ("threshold", N_ ("Motion threshold"), N_ ("of full scale"), 0.001, 1, 0.001),
    .default_value = 0.05, .offset = 1 },
  { CHOICE ("neighbourhood", N_ ("Neighbourhood"), N_ ("pixels"), neighbourhood_names),
    .offset = 2 },
};

#define FILTER(NAME, text, title, of) \
  .kind = ODL_FILTER_##NAME, .name = (text), .label = (title), .domain = ODL_DOMAIN_##of

static const OdlFilter pass_through = {
  FILTER (PASS_THROUGH, "pass-through", N_ ("Pass-through"), SPATIAL),
  .description = N_ ("Leaves the image as it is."),
};

#define ROW(NAME, name) &odl_filter_##name
static const OdlFilter *const first_filters[]
    = { &pass_through, ODL_SPATIAL_FILTERS (ROW) };

static const OdlFilter filters[] = {
  { FILTER (TROUGH_THRESHOLD, "trough-threshold", N_ ("Threshold at a trough"), SPATIAL),
    .description = N_ ("Blackens what lies beyond a trough of the histogram."),
    PARAMETERS (trough_parameters) },
  { FILTER (CONTOURS, "contours", N_ ("Active contours"), SPATIAL),
    .description = N_ ("Draws closed lines from the outline of the threshold to edges."),
    PARAMETERS (contour_parameters) },
  { FILTER (MASK, "mask", N_ ("Mask onto the original"), SPATIAL),
    .description = N_ ("Shows the original inside the contours, or where the threshold "
                       "kept it.") },
  { FILTER (DECOUPLE, "decouple", N_ ("Light and texture"), SPATIAL),
    .description = N_ ("Divides the picture by its low band, the illumination, and "
                       "puts as much of both together as wanted."),
    PARAMETERS (decouple_parameters) },
  { FILTER (STYLISE, "stylise", N_ ("Stylise"), COEFFICIENT),
    .description
    = N_ ("Combines two pictures band by band: the larger details of both, or sums."),
    PARAMETERS (stylise_parameters) },
  { FILTER (SCALE_BANDS, "scale-bands", N_ ("Scale bands"), COEFFICIENT),
    .description
    = N_ ("Multiplies each band by a number of its own: details grow or vanish."),
    PARAMETERS (scale_parameters) },
  { FILTER (SOFT_THRESHOLD, "soft-threshold", N_ ("Soft threshold"), COEFFICIENT),
    .description = N_ ("Moves every detail coefficient towards zero by the threshold."),
    PARAMETERS (threshold_parameters) },
  { FILTER (HARD_THRESHOLD, "hard-threshold", N_ ("Hard threshold"), COEFFICIENT),
    .description = N_ ("Sets detail coefficients up to the threshold to zero."),
    PARAMETERS (threshold_parameters) },
  { FILTER (SHRINKAGE, "shrinkage", N_ ("Wavelet shrinkage"), COEFFICIENT),
    .description
    = N_ ("Shrinks coefficients by a rule, with a threshold for each level and band."),
    PARAMETERS (shrinkage_parameters) },
  { FILTER (BAYES_SHRINK, "bayes-shrink", N_ ("BayesShrink"), COEFFICIENT),
    .description
    = N_ ("Soft threshold whose threshold is estimated for each band of each frame."),
    PARAMETERS (finding_parameters) },
  { FILTER (SURE_SHRINK, "sure-shrink", N_ ("SureShrink"), COEFFICIENT),
    .description = N_ ("Soft threshold that leaves the least error in each band of "
                       "each frame, as Stein’s unbiased estimate tells it."),
    PARAMETERS (finding_parameters) },
  { FILTER (VISU_SHRINK, "visu-shrink", N_ ("VisuShrink"), COEFFICIENT),
    .description = N_ ("Soft threshold that hardly any noise exceeds: the smoothest, "
                       "and with the fewest details."),
    PARAMETERS (finding_parameters) },
  { FILTER (NEIGH_SHRINK, "neigh-shrink", N_ ("NeighShrink"), COEFFICIENT),
    .description = N_ ("Shrinks each coefficient by how large those around it are, in "
                       "the stationary transform."),
    PARAMETERS (neigh_parameters) },
  { FILTER (BIVARIATE, "bivariate", N_ ("Bivariate shrinkage"), COEFFICIENT),
    .description = N_ ("Shrinks complex wavelet coefficients by what is around them "
                       "and by those of the next coarser level."),
    PARAMETERS (bivariate_parameters) },
  { FILTER (TRANSFORM, "transform", N_ ("Transform"), COEFFICIENT),
    .description
    = N_ ("Takes the picture apart into bands: filters up to “inverse” work on these."),
    PARAMETERS (transform_parameters) },
  { FILTER (INVERSE, "inverse", N_ ("Inverse transform"), SPATIAL),
    .description = N_ ("Puts the bands of “transform” together again.") },
  { FILTER (BM3D, "bm3d", N_ ("BM3D"), SPATIAL),
    .description = N_ ("Filters blocks that look alike together, as a stack: the best "
                       "of these filters against white noise, and the slowest."),
    PARAMETERS (bm3d_parameters) },
  { FILTER (REGISTER, "register", N_ ("Registration"), SPATIAL),
    .description = N_ ("Deforms a picture, by the phase of its edges and lines, until "
                       "it lies as another one does."),
    PARAMETERS (register_parameters) },
  { FILTER (STRUCTURE_TENSOR, "structure-tensor", N_ ("Structure tensor"), SPATIAL),
    .description
    = N_ ("Shows how much samples change, whether in one direction, and in which."),
    PARAMETERS (tensor_parameters) },
  { FILTER (ADAPTIVE, "adaptive", N_ ("Adaptive filter"), SPATIAL),
    .description
    = N_ ("Smooths along lines and edges, not across them: a filter against noise."),
    PARAMETERS (adaptive_parameters) },
  { FILTER (RECURSIVE_AVERAGE, "recursive-average", N_ ("Recursive average"), TEMPORAL),
    .description = N_ ("Mixes each frame with the result of the frame before."),
    PARAMETERS (recursive_parameters) },
  { FILTER (SLIDING_MEAN, "sliding-mean", N_ ("Sliding mean"), TEMPORAL),
    .description = N_ ("Mean of the last frames, pixel by pixel."),
    PARAMETERS (window_parameters) },
  { FILTER (SLIDING_MEDIAN, "sliding-median", N_ ("Sliding median"), TEMPORAL),
    .description = N_ ("Median of the last frames, pixel by pixel."),
    PARAMETERS (window_parameters) },
  { FILTER (PERSISTENCE, "persistence", N_ ("Persistence"), TEMPORAL),
    .description = N_ ("Averages over time where nothing moves, as scanners do."),
    PARAMETERS (persistence_parameters) },
};

size_t
odl_filter_count (void)
{
  return G_N_ELEMENTS (first_filters) + G_N_ELEMENTS (filters);
}

const OdlFilter *
odl_filter_at (size_t index)
{
  const size_t n_first = G_N_ELEMENTS (first_filters);

  g_return_val_if_fail (index < odl_filter_count (), NULL);
  return index < n_first ? first_filters[index] : &filters[index - n_first];
}

const OdlFilter *
odl_filter_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (size_t i = 0; i < odl_filter_count (); i++)
    if (g_ascii_strcasecmp (odl_filter_at (i)->name, name) == 0)
      return odl_filter_at (i);
  return NULL;
}
