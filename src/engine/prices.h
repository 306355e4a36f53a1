// SPDX-License-Identifier: MIT
// What a convolution by Fourier transforms costs on this GPU, beside products. The engine
// gl-compute counts both and has the prices of the card on which it was written; how many
// times as dear transforms are here is measured once for each GPU, driver and program,
// and kept (base/cache_file.h). Environment variable ODL_PRICES: “shipped” neither
// measures nor reads what is kept; “again” measures anew.
#pragma once

#include "engine/engine.h"

// Measured values beyond 1 / MOST … MOST are cut: they measure something else.
#define ODL_PRICES_MOST 8.0

// "~/.cache/ondelette/prices.ini". Transfer full.
char *odl_prices_path (void);

// The name of a GPU and its driver in "GL_RENDERER; GL_VERSION", the same for OpenGL and
// OpenGL ES. Transfer full.
char *odl_prices_device (const char *gpu);

// False: none are kept for `device`, or the file is damaged; `prices` are as shipped. Any
// thread.
bool odl_prices_load (const char *path, const char *device, OdlPrices *prices);

// ODL_ERROR_IO. Any thread, one at a time for each path.
bool odl_prices_save (const char *path,
                      const char *device,
                      const OdlPrices *prices,
                      GError **error);

// Likewise, counts an attempt to measure. False without an error: `most` have not ended.
bool odl_prices_begin (const char *path, const char *device, int most, GError **error);

// Likewise: the last attempt was stopped, and does not count.
bool odl_prices_withdraw (const char *path, const char *device, GError **error);

// Whether ODL_PRICES is that word.
bool odl_prices_are_asked (const char *word);

// For the engine, when a structure is put in place: sets engine->prices, as shipped for
// variants that were asked for by name.
void odl_prices_take (OdlEngine *engine);

// Whether a convolution, counted to take `gain` times as long by products as by
// transforms at the shipped prices, goes by transforms. `deep`: the kernel has depth.
bool odl_prices_favour_fourier (const OdlPrices *prices, double gain, bool deep);

// Whether `plan` has a convolution that either way may suit.
bool odl_prices_matter (const OdlPlan *plan);

// Measures both ways on the GPU that odl_gl_canvas_gpu names (NULL: any), unless it has
// been done, and keeps the result: some tenths of a second, and the compiler's time. Does
// nothing where the result cannot be kept, so that no two runs differ, and where two
// attempts have ended the program. A context of its own is made current and dropped.
// `stopped` is asked before each case and between rounds; NULL: never. What was stopped
// is begun anew the next time. Any thread.
void odl_prices_measure (const char *gpu, bool (*stopped) (void *data), void *data);
