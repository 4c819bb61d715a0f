/* SPDX-License-Identifier: MIT */
/* Slow, obvious twins of t-SNE in double precision, with dense matrices: nothing is left out or interpolated.
 */
#ifndef CREDENCE_TESTS_REFERENCE_TSNE_H
#define CREDENCE_TESTS_REFERENCE_TSNE_H

/* The squared distances between all points, [count][count]. */
void ref_distances(int count, int dims, const float *points, double *squared);

/* nearest[i * each ..]: the other points nearest to i, in ascending order; of equally near ones those with smaller
 * numbers. */
void ref_nearest(int count, int each, const double *squared, int *nearest);

/* p [count][count], symmetric, with a sum of 1: Gaussians around each point over its `each` nearest others;
 * bisection on the entropy finds their widths. */
void ref_affinities(int count, int each, const double *squared, double perplexity, double *p);

/* The Kullback-Leibler divergence of a map [count][2]. */
double ref_map_divergence(int count, const double *p, const double *map);

/* All of t-SNE, exactly, as van der Maaten published it: momentum 0.5 for the first `early` iterations, which are
 * exaggerated by 12, then 0.8; with gains. Returns the divergence. */
double ref_tsne(int count, const double *p, int iterations, int early, double rate, double *map);

/* The Hartley transform by definition. */
void ref_hartley(int length, const double *in, double *out);

#endif
