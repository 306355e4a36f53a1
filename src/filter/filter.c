// SPDX-License-Identifier: MIT
#include "filter/filter.h"

#include "base/text.h"

static const char *const neighbour_names[] = { "4", "8", NULL };
static const char *const window_names[] = { "3", "5", "7", NULL };
static const char *const side_names[]
    = { "3", "5", "7", "9", "11", "13", "15", "17", "19", NULL };
static const char *const surroundings_names[] = { "3", "5", "7", "9", NULL };
static const char *const bin_names[] = { "256", "1024", "4096", NULL };
static const char *const kept_names[] = { N_ ("auto"), N_ ("low"), N_ ("high"), NULL };
static const char *const gradient_names[] = { N_ ("magnitude"), N_ ("direction"), NULL };
static const char *const shape_names[] = { N_ ("lines"), N_ ("mask"), NULL };
static const char *const dimension_names[] = { "2", "3", NULL };
static const char *const neighbourhood_names[] = { "3", "5", NULL };

// The first two parameters of all wavelet filters.
#define WAVELET_AND_LEVELS \
  { \
    .key = "wavelet", \
    .label = N_ ("Wavelet"), \
    .unit = "", \
    .kind = ODL_PARAMETER_WAVELET, \
    .minimum = 0, \
    .maximum = 1, \
    .step = 1, \
    .count = 1, \
  }, \
  { \
    .key = "levels", .label = N_ ("Levels"), .unit = "", .kind = ODL_PARAMETER_INTEGER, \
    .minimum = 1, .maximum = ODL_MAX_LEVELS, .step = 1, .default_value = 3, .offset = 1, \
    .count = 1, \
  }

#define TRANSFORM \
  { \
    .key = "transform", .label = N_ ("Transform"), .unit = "", \
    .kind = ODL_PARAMETER_CHOICE, .minimum = 0, .maximum = ODL_N_TRANSFORMS - 1, \
    .step = 1, .choices = odl_transform_names, .offset = 2, .count = 1, \
  }

#define THRESHOLD \
  { \
    .key = "threshold", .label = N_ ("Threshold"), .unit = N_ ("of full scale"), \
    .kind = ODL_PARAMETER_NUMBER, .minimum = 0, .maximum = 1, .step = 0.001, \
    .default_value = 0.05, .measured = true, .offset = 3, .count = 1, \
  }

static const OdlParameter gaussian_parameters[] = {
  {
      .key = "sigma",
      .label = N_ ("Standard deviation"),
      .unit = N_ ("pixels"),
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 10,
      .step = 0.05,
      .default_value = 1,
      .count = 1,
  },
};

static const OdlParameter sharpen_parameters[] = {
  {
      .key = "amount",
      .label = N_ ("Amount"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 4,
      .step = 0.05,
      .default_value = 0.5,
      .count = 1,
  },
  {
      .key = "neighbours",
      .label = N_ ("Neighbours"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = 1,
      .step = 1,
      .choices = neighbour_names,
      .offset = 1,
      .count = 1,
  },
};

static const OdlParameter median_parameters[] = {
  {
      .key = "size",
      .label = N_ ("Size"),
      .unit = N_ ("pixels"),
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = G_N_ELEMENTS (side_names) - 2,
      .step = 1,
      .choices = side_names,
      .count = 1,
  },
};

static const OdlParameter sobel_parameters[] = {
  {
      .key = "output",
      .label = N_ ("Output"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = G_N_ELEMENTS (gradient_names) - 2,
      .step = 1,
      .choices = gradient_names,
      .count = 1,
  },
};

static const OdlParameter trough_parameters[] = {
  {
      .key = "bins",
      .label = N_ ("Bins"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = G_N_ELEMENTS (bin_names) - 2,
      .step = 1,
      .choices = bin_names,
      .count = 1,
  },
  {
      .key = "share",
      .label = N_ ("Share of the peak"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 1,
      .step = 0.01,
      .default_value = 0.1,
      .offset = 1,
      .count = 1,
  },
  {
      .key = "smoothing",
      .label = N_ ("Smoothing"),
      .unit = N_ ("bins"),
      .kind = ODL_PARAMETER_INTEGER,
      .minimum = 0,
      .maximum = 64,
      .step = 1,
      .default_value = 4,
      .offset = 2,
      .count = 1,
  },
  {
      .key = "side",
      .label = N_ ("Side that is kept"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = ODL_KEEP_HIGH,
      .step = 1,
      .choices = kept_names,
      .tacit = true,
      .offset = 3,
      .count = 1,
  },
};

static const OdlParameter contour_parameters[] = {
  {
      .key = "output",
      .label = N_ ("Output"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = G_N_ELEMENTS (shape_names) - 2,
      .step = 1,
      .choices = shape_names,
      .count = 1,
  },
  {
      .key = "tension",
      .label = N_ ("Tension"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 2,
      .step = 0.01,
      .default_value = 0.05,
      .offset = 1,
      .count = 1,
  },
  {
      .key = "rigidity",
      .label = N_ ("Rigidity"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 2,
      .step = 0.01,
      .default_value = 0.5,
      .offset = 2,
      .count = 1,
  },
  {
      .key = "reach",
      .label = N_ ("Reach of edges"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 0.25,
      .step = 0.01,
      .default_value = 0.2,
      .offset = 3,
      .count = 1,
  },
  {
      .key = "smallest",
      .label = N_ ("Smallest area"),
      .unit = N_ ("of the picture"),
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 0.2,
      .step = 0.0005,
      .default_value = 0.001,
      .offset = 4,
      .count = 1,
  },
};

static const OdlParameter mix_parameters[] = {
  {
      .key = "with",
      .label = N_ ("Second picture"),
      .unit = "",
      .kind = ODL_PARAMETER_FILE,
  },
  {
      .key = "weight",
      .label = N_ ("Weight of the second picture"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 1,
      .step = 0.01,
      .default_value = 0.5,
      .count = 1,
  },
};

static const OdlParameter threshold_parameters[] = {
  WAVELET_AND_LEVELS,
  TRANSFORM,
  THRESHOLD,
};

static const OdlParameter shrinkage_parameters[] = {
  WAVELET_AND_LEVELS,
  TRANSFORM,
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
      .offset = 3,
      .count = ODL_MAX_LEVELS * ODL_DETAIL_BANDS,
  },
  {
      .key = "dimensions",
      .label = N_ ("Dimensions"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = 1,
      .step = 1,
      .choices = dimension_names,
      .tacit = true,
      .for_volumes = true,
      .offset = 3 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS,
      .count = 1,
  },
};

static const OdlParameter bayes_parameters[] = {
  WAVELET_AND_LEVELS,
  {
      .key = "sigma",
      .label = N_ ("Noise (σ)"),
      .unit = N_ ("of full scale"),
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 1,
      .step = 0.001,
      .default_value = 0.05,
      .measured = true,
      .live = true,
      .offset = 2,
      .count = 1,
  },
};

static const OdlParameter bivariate_parameters[] = {
  {
      .key = "levels",
      .label = N_ ("Levels"),
      .unit = "",
      .kind = ODL_PARAMETER_INTEGER,
      .minimum = 1,
      .maximum = ODL_MAX_LEVELS,
      .step = 1,
      .default_value = 6,
      .count = 1,
  },
  {
      .key = "sigma",
      .label = N_ ("Noise (σ)"),
      .unit = N_ ("of full scale"),
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0,
      .maximum = 1,
      .step = 0.001,
      .default_value = 0.05,
      .measured = true,
      .offset = 1,
      .count = 1,
  },
  {
      .key = "window",
      .label = N_ ("Window"),
      .unit = N_ ("coefficients"),
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = G_N_ELEMENTS (surroundings_names) - 2,
      .step = 1,
      .default_value = 2,
      .choices = surroundings_names,
      .offset = 2,
      .count = 1,
  },
};

static const OdlParameter recursive_parameters[] = {
  {
      .key = "weight",
      .label = N_ ("Weight of the new frame"),
      .unit = "",
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0.02,
      .maximum = 1,
      .step = 0.01,
      .default_value = 0.25,
      .count = 1,
  },
};

static const OdlParameter window_parameters[] = {
  {
      .key = "frames",
      .label = N_ ("Frames"),
      .unit = "",
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = 2,
      .step = 1,
      .choices = window_names,
      .count = 1,
  },
};

static const OdlParameter persistence_parameters[] = {
  {
      .key = "level",
      .label = N_ ("Persistence"),
      .unit = "",
      .kind = ODL_PARAMETER_INTEGER,
      .minimum = 0,
      .maximum = 7,
      .step = 1,
      .default_value = 3,
      .count = 1,
  },
  {
      .key = "threshold",
      .label = N_ ("Motion threshold"),
      .unit = N_ ("of full scale"),
      .kind = ODL_PARAMETER_NUMBER,
      .minimum = 0.001,
      .maximum = 1,
      .step = 0.001,
      .default_value = 0.05,
      .offset = 1,
      .count = 1,
  },
  {
      .key = "neighbourhood",
      .label = N_ ("Neighbourhood"),
      .unit = N_ ("pixels"),
      .kind = ODL_PARAMETER_CHOICE,
      .minimum = 0,
      .maximum = 1,
      .step = 1,
      .choices = neighbourhood_names,
      .offset = 2,
      .count = 1,
  },
};

#define PARAMETERS(table) .parameters = (table), .n_parameters = G_N_ELEMENTS (table)

static const OdlFilter filters[] = {
  {
      .kind = ODL_FILTER_PASS_THROUGH,
      .name = "pass-through",
      .label = N_ ("Pass-through"),
      .description = N_ ("Leaves the image as it is."),
      .domain = ODL_DOMAIN_SPATIAL,
  },
  {
      .kind = ODL_FILTER_GAUSSIAN,
      .name = "gaussian",
      .label = N_ ("Gaussian"),
      .description = N_ ("Smooths with a Gaussian kernel, along rows and columns."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (gaussian_parameters),
  },
  {
      .kind = ODL_FILTER_SHARPEN,
      .name = "sharpen",
      .label = N_ ("Sharpen"),
      .description = N_ ("Subtracts the Laplacian, so that edges get steeper."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (sharpen_parameters),
  },
  {
      .kind = ODL_FILTER_MEDIAN,
      .name = "median",
      .label = N_ ("Median"),
      .description = N_ ("Replaces every sample by the median of the square around it."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (median_parameters),
  },
  {
      .kind = ODL_FILTER_SOBEL,
      .name = "sobel",
      .label = N_ ("Sobel"),
      .description = N_ ("Shows edges: how steep they are, or which way they rise."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (sobel_parameters),
  },
  {
      .kind = ODL_FILTER_TROUGH_THRESHOLD,
      .name = "trough-threshold",
      .label = N_ ("Threshold at a trough"),
      .description = N_ ("Blackens what lies beyond a trough of the histogram."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (trough_parameters),
  },
  {
      .kind = ODL_FILTER_CONTOURS,
      .name = "contours",
      .label = N_ ("Active contours"),
      .description
      = N_ ("Draws closed lines from the outline of the threshold to edges."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (contour_parameters),
  },
  {
      .kind = ODL_FILTER_MASK,
      .name = "mask",
      .label = N_ ("Mask onto the original"),
      .description = N_ ("Shows the original inside the contours, or where the threshold "
                         "kept it."),
      .domain = ODL_DOMAIN_SPATIAL,
  },
  {
      .kind = ODL_FILTER_MIX,
      .name = "mix",
      .label = N_ ("Mix"),
      .description = N_ ("Mixes every sample with the same one of a second picture."),
      .domain = ODL_DOMAIN_SPATIAL,
      PARAMETERS (mix_parameters),
  },
  {
      .kind = ODL_FILTER_SOFT_THRESHOLD,
      .name = "soft-threshold",
      .label = N_ ("Soft threshold"),
      .description = N_ ("Moves every detail coefficient towards zero by the threshold."),
      .domain = ODL_DOMAIN_COEFFICIENT,
      PARAMETERS (threshold_parameters),
  },
  {
      .kind = ODL_FILTER_HARD_THRESHOLD,
      .name = "hard-threshold",
      .label = N_ ("Hard threshold"),
      .description = N_ ("Sets detail coefficients up to the threshold to zero."),
      .domain = ODL_DOMAIN_COEFFICIENT,
      PARAMETERS (threshold_parameters),
  },
  {
      .kind = ODL_FILTER_SHRINKAGE,
      .name = "shrinkage",
      .label = N_ ("Wavelet shrinkage"),
      .description
      = N_ ("Soft threshold with its own threshold for each level and band."),
      .domain = ODL_DOMAIN_COEFFICIENT,
      PARAMETERS (shrinkage_parameters),
  },
  {
      .kind = ODL_FILTER_BAYES_SHRINK,
      .name = "bayes-shrink",
      .label = N_ ("BayesShrink"),
      .description
      = N_ ("Soft threshold whose threshold is estimated for each band of each frame."),
      .domain = ODL_DOMAIN_COEFFICIENT,
      PARAMETERS (bayes_parameters),
  },
  {
      .kind = ODL_FILTER_BIVARIATE,
      .name = "bivariate",
      .label = N_ ("Bivariate shrinkage"),
      .description
      = N_ ("Shrinks complex wavelet coefficients by what is around them and "
            "by those of the next coarser level."),
      .domain = ODL_DOMAIN_COEFFICIENT,
      PARAMETERS (bivariate_parameters),
  },
  {
      .kind = ODL_FILTER_RECURSIVE_AVERAGE,
      .name = "recursive-average",
      .label = N_ ("Recursive average"),
      .description = N_ ("Mixes each frame with the result of the frame before."),
      .domain = ODL_DOMAIN_TEMPORAL,
      PARAMETERS (recursive_parameters),
  },
  {
      .kind = ODL_FILTER_SLIDING_MEAN,
      .name = "sliding-mean",
      .label = N_ ("Sliding mean"),
      .description = N_ ("Mean of the last frames, pixel by pixel."),
      .domain = ODL_DOMAIN_TEMPORAL,
      PARAMETERS (window_parameters),
  },
  {
      .kind = ODL_FILTER_SLIDING_MEDIAN,
      .name = "sliding-median",
      .label = N_ ("Sliding median"),
      .description = N_ ("Median of the last frames, pixel by pixel."),
      .domain = ODL_DOMAIN_TEMPORAL,
      PARAMETERS (window_parameters),
  },
  {
      .kind = ODL_FILTER_PERSISTENCE,
      .name = "persistence",
      .label = N_ ("Persistence"),
      .description = N_ ("Averages over time where nothing moves, as scanners do."),
      .domain = ODL_DOMAIN_TEMPORAL,
      PARAMETERS (persistence_parameters),
  },
};

size_t
odl_filter_count (void)
{
  return G_N_ELEMENTS (filters);
}

const OdlFilter *
odl_filter_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (filters), NULL);
  return &filters[index];
}

const OdlFilter *
odl_filter_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (filters); i++)
    if (g_ascii_strcasecmp (filters[i].name, name) == 0)
      return &filters[i];
  return NULL;
}
