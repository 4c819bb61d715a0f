/* The functions of one instruction set: CRD_NAME(flow_forward) is crd_flow_forward_avx2 where the file is compiled with
 * -DCRD_ISA=avx2. */
#ifndef CRD_KERNELS_HOT_ALL_H
#define CRD_KERNELS_HOT_ALL_H

#include "kernels/hot.h"

#define CRD_PASTE_(a, b) crd_##a##_##b
#define CRD_PASTE(a, b) CRD_PASTE_(a, b)
#define CRD_NAME(name) CRD_PASTE(name, CRD_ISA)

void CRD_NAME(sparse_rows)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column,
                           const float *value, const float *weight, int64_t width, const float *bias,
                           float *out);
void CRD_NAME(dense_rows)(int64_t begin, int64_t end, const float *x, int64_t columns, const float *weight,
                          int64_t width, const float *bias, float *out);
void CRD_NAME(prepared_rows)(int64_t begin, int64_t end, const crd_dense *x, const float *weight,
                             int64_t width, const float *bias, float *out);
void CRD_NAME(packed_panel)(int64_t panel, const crd_packed *x, const float *weight, int64_t width,
                            const float *bias, float *room, float *out);
void CRD_NAME(sparse_tree_rows)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column,
                                const float *value, const int64_t *shard_end, const float *weight, int64_t width,
                                float *out);
void CRD_NAME(scale_rows)(int64_t count, const float *scale, int64_t width, float *rows);
void CRD_NAME(dense_transposed)(int64_t first, int64_t last, const float *x, int64_t rows, int64_t columns,
                                const float *y, int64_t width, float *out);
void CRD_NAME(prepared_transposed)(int64_t begin, int64_t end, int64_t first, int64_t last,
                                   const crd_dense *x, const float *y, int64_t width, float *out);
void CRD_NAME(add)(int64_t count, const float *from, float *into);
void CRD_NAME(add_to_doubles)(int64_t count, const float *from, double *into);
void CRD_NAME(sum_rows)(int64_t count, const float *rows, int64_t width, double *sums);
void CRD_NAME(activate)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout,
                        const float *x, int64_t width, float *out);
void CRD_NAME(activate_backward)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout,
                                 const float *x, int64_t width, float *gradient);
void CRD_NAME(flow_forward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z, float *out,
                            int64_t stride);
void CRD_NAME(flow_backward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z,
                             const float *d_log_density, int64_t stride, float *dz, double *d_center,
                             double *d_a, double *d_b, float *scratch);
void CRD_NAME(evidence)(int64_t begin, int64_t end, int64_t classes, int64_t stride, const float *shift,
                        float *x);
void CRD_NAME(diffuse)(int64_t begin, int64_t end, const crd_steps *steps, const float *x, bool last, float *out,
                       int64_t stride);
double CRD_NAME(distance)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                          const float *z, int64_t dims, float weight, float *dz);
void CRD_NAME(digamma_totals)(int64_t begin, int64_t end, int64_t classes, int64_t stride,
                              const float *evidence, double *table, double *trigamma);
double CRD_NAME(divergence_totals)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                                   const double *table, double *common);
void CRD_NAME(digamma_tile)(int64_t begin, int64_t end, int64_t stride, const float *evidence, double *table);
double CRD_NAME(divergence_tile)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                                 const double *table, const double *common, int64_t classes, int64_t stride,
                                 double weight, float *gradient);
void CRD_NAME(evidential)(int64_t begin, int64_t end, const crd_evidential *told, const float *logits,
                          float *gradient, double *terms);
void CRD_NAME(nearer)(int64_t panels, int64_t dims, const float *panel, const float *query, const float *limit,
                      int64_t *found, int32_t *at, float *distance);
void CRD_NAME(attract)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column, const float *weight,
                       const float *map, float *force);
double CRD_NAME(stretch)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column,
                         const float *weight, const float *map);
double CRD_NAME(repel)(int64_t begin, int64_t end, int64_t count, const float *x, const float *y, float *force);
void CRD_NAME(spread)(int64_t begin, int64_t end, const crd_on_grid *points, float *grid);
void CRD_NAME(gather)(int64_t begin, int64_t end, const crd_on_grid *points, const float *grid_x,
                      const float *grid_y, float *force);
void CRD_NAME(fft)(const crd_fft *plan, float *re, float *im, float *spare_re, float *spare_im);
void CRD_NAME(adam)(int64_t begin, int64_t end, int64_t step, float rate, float decay, const float *gradient,
                    float *moment, float *square, float *value);

#endif
