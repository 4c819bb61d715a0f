# SPDX-License-Identifier: MIT
"""Two models on the same splits: the mean paired difference, its bootstrap interval, two exact tests.

The numbers are those of `credence compare`: the same resamples (splitmix64), interval (BCa) and tests."""
import functools
import math

RESAMPLES = 10000
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
BOOTSTRAP = 0x626F6F74  # the purpose of this stream of random numbers in src/base/random.h
ROUNDING = 1e-12      # numbers this near to each other, relative to the largest, are equal
NORMAL_975 = 1.9599639845400545


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def hashed(key, coordinate):
    return mix((key + GOLDEN * (coordinate + 1)) & MASK)


@functools.lru_cache(maxsize=None)
def resamples(count, seed):
    """How often each of `count` pairs is drawn, for every resample."""
    state, threshold = hashed(hashed(0, seed), BOOTSTRAP), (1 << 64) % count
    drawn = []
    for _ in range(RESAMPLES):
        times = [0] * count
        for _ in range(count):
            value = -1
            while value < threshold:  # without bias
                state = (state + GOLDEN) & MASK
                value = mix(state)
            times[value % count] += 1
        drawn.append(tuple(times))
    return drawn


def normal_below(x):
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


def normal_quantile(probability):
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if normal_below(middle) < probability else (low, middle)
    return 0.5 * (low + high)


def quantile(ordered, level):
    place = level * (len(ordered) - 1)
    below = int(place)
    if below >= len(ordered) - 1:
        return ordered[-1]
    return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])


def interval(differences, mean, blur, seed):
    count = len(differences)
    if count < 3:
        return None
    if all(abs(one - differences[0]) <= blur for one in differences):
        return mean, mean
    means = [sum(t * d for t, d in zip(times, differences)) / count for times in resamples(count, seed)]
    below = sum(1.0 if one < mean else 0.5 if one == mean else 0.0 for one in means)
    bias = normal_quantile(min(max(below, 0.5), RESAMPLES - 0.5) / RESAMPLES)
    moved = [one - mean for one in differences]
    speed = sum(m ** 3 for m in moved) / (6.0 * sum(m * m for m in moved) ** 1.5)
    means.sort()

    def end(z):
        shifted = bias + z
        slope = 1.0 - speed * shifted
        level = normal_below(bias + shifted / slope) if slope > 0.0 else 0.0 if shifted < 0.0 else 1.0
        return quantile(means, level)

    return end(-NORMAL_975), end(NORMAL_975)


def wilcoxon_p(differences, blur):
    """Exact for up to 50 pairs, which is more than any table here has."""
    items = sorted((abs(one), one > 0.0) for one in differences if one != 0.0)
    if not items:
        return 1.0
    ranks, first = [], 0
    while first < len(items):
        end = first + 1
        while end < len(items) and items[end][0] - items[first][0] <= blur:
            end += 1
        ranks += [first + 1 + end] * (end - first)  # twice the rank, so that shared ranks are whole
        first = end
    positive = sum(rank for rank, (_, up) in zip(ranks, items) if up)
    chances = {0: 1.0}
    for rank in ranks:
        halved = {}
        for total, chance in chances.items():
            for step in (0, rank):
                halved[total + step] = halved.get(total + step, 0.0) + 0.5 * chance
        chances = halved
    smaller = min(positive, sum(ranks) - positive)
    return min(1.0, 2.0 * sum(chance for total, chance in chances.items() if total <= smaller))


def sign_p(wins, losses):
    coins = wins + losses
    return min(1.0, 2.0 * sum(math.comb(coins, k) for k in range(min(wins, losses) + 1)) / 2.0 ** coins)


def compare(left, right, seed=1):
    """Compares paired numbers."""
    pairs = [(a, b) for a, b in zip(left, right) if a is not None and b is not None]
    sizes = [max(abs(a), abs(b)) for a, b in pairs]
    differences = [0.0 if abs(a - b) <= ROUNDING * size else a - b for (a, b), size in zip(pairs, sizes)]
    wins, losses = sum(d > 0.0 for d in differences), sum(d < 0.0 for d in differences)
    count, blur = len(pairs), ROUNDING * max(sizes, default=0.0)
    mean = sum(differences) / count if count else None
    return {"pairs": count, "wins": wins, "ties": count - wins - losses, "losses": losses, "difference": mean,
            "mean_a": sum(a for a, _ in pairs) / count if count else None,
            "mean_b": sum(b for _, b in pairs) / count if count else None,
            "interval": interval(differences, mean, blur, seed) if count else None,
            "wilcoxon_p": wilcoxon_p(differences, blur), "sign_p": sign_p(wins, losses)}


def compare_rows(a, b, metric):
    """Compares two rows of a block, their runs paired by seed; None if their splits or data differ."""
    if any(a.like.get(key) != b.like.get(key) for key in ("split", "fingerprint")) or a.block() != b.block():
        return None
    other = dict(b.values(metric))
    paired = [(value, other[seed]) for seed, value in a.values(metric) if seed in other]
    return compare([value for value, _ in paired], [value for _, value in paired]) if paired else None
