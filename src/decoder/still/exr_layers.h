// SPDX-License-Identifier: MIT
// The pictures that an OpenEXR file holds: channels of one layer that belong together
// (OpenEXR Technical Introduction, “Channel names” and “Layers”), and single channels.
#pragma once

#include <glib.h>
#include <openexr.h>
#include <stdbool.h>

#define ODL_EXR_MOST_CHANNELS 4
#define ODL_EXR_MOST_LAYERS 256 // further ones are left out

typedef enum {
  ODL_EXR_COLOURS, // red, green, blue
  ODL_EXR_LUMINANCE,
  ODL_EXR_CHROMA, // luminance Y, RY = (R − Y) / Y, BY = (B − Y) / Y
  ODL_EXR_VECTOR, // x, y, z, shown as colours
  ODL_EXR_CHANNEL, // any other, by itself
} OdlExrKind;

typedef struct {
  int part;
  OdlExrKind kind;
  char *name; // of the layer or the channel; "": the layer without a name
  const exr_attr_chlist_entry_t
      *channels[ODL_EXR_MOST_CHANNELS]; // borrowed; opacity last
  int n_channels;
  bool has_opacity; // which colours and luminance are multiplied by
} OdlExrLayer;

// All of them but those of deep samples. The first one is shown unless another one is
// asked for: the layer without a name, if it has colours or luminance, else the first one
// with colours, else with luminance, else what comes first. The others have the file's
// order. Empty: there is none.
GArray *odl_exr_layers (exr_const_context_t exr);
