# SPDX-License-Identifier: MIT
class Error(Exception):
    """A sentence: what failed, and what to do."""
