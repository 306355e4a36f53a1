// SPDX-License-Identifier: MIT
// Filtering in four dimensions by Fourier transforms as published (sections 1.3 and 1.9):
// data and kernel forward, complex numbers of all axes, their product, and back; each as
// two batches of transforms in two dimensions with a reorder between. Unlike there, all
// axes are padded, so that nothing comes round the border, and the reorders are whole.
#pragma once

#include "published.h"

typedef struct _PublishedFourier PublishedFourier;

// NULL: not four dimensions, longer axes than transforms have, or points beyond one
// storage block.
PublishedFourier *published_fourier_new (const PublishedJob *job);

// Makes all volumes, one after the other in the place of the result; `time` is the last.
void published_fourier_run (const PublishedFourier *fourier,
                            const PublishedJob *job,
                            int time);
void published_fourier_free (PublishedFourier *fourier);
