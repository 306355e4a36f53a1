// SPDX-License-Identifier: MIT
// A group of preferences: code of the user's own that he has allowed, each to be revoked.
#pragma once

#include <gtk/gtk.h>

GtkWidget *odl_trust_group_new (void);
