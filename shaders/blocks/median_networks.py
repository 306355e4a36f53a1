#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the networks of least and greatest that shaders/blocks/median_network.comp includes.

An invocation makes the medians of four columns and some rows, as L. Sugy ("Fast median filtering by
hierarchical tiling", SIGGRAPH 2025): what all windows of a tile share is sorted first; then the tile
is halved again and again, and to what is shared come the columns, or rows, that the windows of a half
share beyond. Of n samples of the window's, only the middle ones can be the median once n is more than
half. Merges are those of K. Batcher (1968), odd-even or bitonic, the one that takes fewer operations
for the ranks that anybody needs.
"""
import functools
import sys

SIDES = 3, 5, 7  # of windows
COLUMNS, ROWS = 4, 2  # of an invocation
LOW, HIGH = "LOW", "HIGH"  # below and above all samples


class Network:
    """Operations in the order in which they were needed; a value is a sample or an operation's number."""

    def __init__(self):
        self.operations = []
        self.known = {}

    def exchange(self, a, b):
        if a == b or a == LOW or b == HIGH:
            return a, b
        if a == HIGH or b == LOW:
            return b, a
        return self.value("min", a, b), self.value("max", a, b)

    def value(self, *operation):
        if operation not in self.known:
            self.known[operation] = len(self.operations)
            self.operations.append(operation)
        return self.known[operation]

    def needed(self, values):
        """The numbers of the operations that those values take, in order."""
        found, waiting = set(), list(values)
        while waiting:
            value = waiting.pop()
            if isinstance(value, int) and value not in found:
                found.add(value)
                waiting += self.operations[value][1:]
        return sorted(found)


def odd_even(net, a, b):
    if not a or not b:
        return a + b
    if len(a) == len(b) == 1:
        return list(net.exchange(a[0], b[0]))
    even, odd = odd_even(net, a[::2], b[::2]), odd_even(net, a[1::2], b[1::2])
    result = even[:1]
    for i in range(min(len(odd), len(even) - 1)):
        result += net.exchange(odd[i], even[i + 1])
    return result + even[len(odd) + 1:] + odd[len(even) - 1:]


def bitonic(net, a, b, below_a, below_b):
    """With so many values below all before a and b, and as many above as make a power of two."""
    half = 1 << (max(len(a), len(b)) - 1).bit_length()
    above = [HIGH] * half
    values = ([LOW] * below_a + a + above)[:half] + ([LOW] * below_b + b + above)[:half][::-1]
    distance = half
    while distance:
        for i in range(2 * half):
            if not i & distance:
                values[i], values[i + distance] = net.exchange(values[i], values[i + distance])
        distance //= 2
    return values[below_a + below_b:][:len(a) + len(b)]


def middle(values, count):
    """So many in the middle, where there are more."""
    left_out = max(0, (len(values) - count) // 2)
    return values[left_out:len(values) - left_out]


@functools.cache
def best_merge(n, m, count):
    half = 1 << (max(n, m) - 1).bit_length()
    ways = [odd_even]
    ways += [functools.partial(bitonic, below_a=i, below_b=j)
             for i in range(half - n + 1) for j in range(half - m + 1)]

    def cost(way):
        net = Network()
        merged = way(net, [("a", i) for i in range(n)], [("b", i) for i in range(m)])
        return len(net.needed(middle(merged, count)))

    return min(ways, key=cost)


class Tile:
    def __init__(self, net, side):
        self.net, self.side, self.medians = net, side, {}

    def merge(self, a, b, count=sys.maxsize):
        if not a or not b:
            return middle(a + b, count)
        return middle(best_merge(len(a), len(b), count)(self.net, a, b), count)

    def merge_all(self, lists):
        if len(lists) < 2:
            return sum(lists, [])
        half = 1 << (len(lists) - 1).bit_length() - 1
        return self.merge(self.merge_all(lists[:half]), self.merge_all(lists[half:]))

    def sorted(self, xs, ys):
        return self.merge_all([[(y, x)] for y in ys for x in xs])

    def grown(self, shared, n, lists):
        """What can be the median of those n samples and more; how many they are together."""
        n += sum(map(len, lists))
        return self.merge(shared, self.merge_all(lists), self.side ** 2 + 1 - n), n

    def start(self, xs, ys):
        """The medians at xs, ys."""
        inner_x, inner_y = range(xs[-1], xs[0] + self.side), range(ys[-1], ys[0] + self.side)
        columns = {x: self.sorted([x], inner_y) for x in range(xs[0], xs[-1] + self.side)}
        rows = {y: self.sorted(inner_x, [y]) for y in range(ys[0], ys[-1] + self.side) if y not in inner_y}
        shared, n = [], 0
        for first in range(0, len(inner_x), 4):
            part = [columns.pop(x) for x in inner_x[first:first + 4]]
            shared, n = self.grown(shared, n, part)
        self.solve(xs, ys, shared, n, columns, rows)

    def solve(self, xs, ys, shared, n, columns, rows):
        """Likewise. `shared`: of n samples of all windows; as long and wide as these are `columns`
        and `rows`, those beside and above and below, sorted, by their x and y."""
        if len(xs) == len(ys) == 1:
            self.medians[ys[0], xs[0]], = shared
            return
        if len(xs) >= len(ys):
            for part in (xs[:len(xs) // 2], xs[len(xs) // 2:]):
                new = [x for x in columns if part[-1] <= x < part[0] + self.side]
                more = self.grown(shared, n, [columns[x] for x in new])
                self.solve(part, ys, *more, {x: c for x, c in columns.items() if x not in new},
                           {y: self.merge(row, self.sorted(new, [y])) for y, row in rows.items()})
        else:
            for part in (ys[:len(ys) // 2], ys[len(ys) // 2:]):
                new = [y for y in rows if part[-1] <= y < part[0] + self.side]
                more = self.grown(shared, n, [rows[y] for y in new])
                self.solve(xs, part, *more,
                           {x: self.merge(column, self.sorted([x], new)) for x, column in columns.items()},
                           {y: r for y, r in rows.items() if y not in new})


def network(side):
    net = Network()
    tile = Tile(net, side)
    width = min(COLUMNS, side - 1)
    for x in range(0, COLUMNS, width):
        tile.start(range(x, x + width), range(ROWS))
    return net, tile.medians


def text(side):
    """GLSL, of samples in quads (y, k); the first window begins in quad 0."""
    net, medians = network(side)
    lines, read = ["void make_medians (out vec4 result[ROWS])", "{"], set()

    def name(value):
        if isinstance(value, int):
            return f"t{value}"
        y, place = value[0], value[1] + COLUMNS - side // 2
        quad = f"q{y}_{place // 4}"
        if quad not in read:
            read.add(quad)
            lines.append(f"  vec4 {quad} = QUAD ({y}, {place // 4});")
        return f"{quad}.{'xyzw'[place % 4]}"

    for number in net.needed(medians.values()):
        which, a, b = net.operations[number]
        operands = f"{name(a)}, {name(b)}"
        lines.append(f"  float t{number} = {which} ({operands});")
    for y in range(ROWS):
        values = ", ".join(name(medians[y, x]) for x in range(COLUMNS))
        lines.append(f"  result[{y}] = vec4 ({values});")
    return "\n".join(lines + ["}"])


if __name__ == "__main__":
    for side in SIDES:
        print(f"#if SIDE == {side} && ROWS == {ROWS}\n{text(side)}\n#endif")
