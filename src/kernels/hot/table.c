/* The functions of one instruction set, as a table. */
#include "kernels/hot/all.h"
#include "kernels/hot/wide.h"

#define CRD_STRING_(text) #text
#define CRD_STRING(text) CRD_STRING_(text)

extern const crd_kernels CRD_NAME(kernels);
const crd_kernels CRD_NAME(kernels) = {
    .name = CRD_STRING(CRD_ISA),
    .sparse_rows = CRD_NAME(sparse_rows),
    .dense_rows = CRD_NAME(dense_rows),
    .prepared_rows = CRD_NAME(prepared_rows),
    .packed_panel = CRD_NAME(packed_panel),
    .sparse_tree_rows = CRD_NAME(sparse_tree_rows),
    .scale_rows = CRD_NAME(scale_rows),
    .dense_transposed = CRD_NAME(dense_transposed),
    .prepared_transposed = CRD_NAME(prepared_transposed),
    .add = CRD_NAME(add),
    .add_to_doubles = CRD_NAME(add_to_doubles),
    .sum_rows = CRD_NAME(sum_rows),
    .activate = CRD_NAME(activate),
    .activate_backward = CRD_NAME(activate_backward),
    .flow_forward = CRD_NAME(flow_forward),
    .flow_backward = CRD_NAME(flow_backward),
    .evidence = CRD_NAME(evidence),
    .diffuse = CRD_NAME(diffuse),
    .distance = CRD_NAME(distance),
    .tile = WIDE_LANES,
    .digamma_totals = CRD_NAME(digamma_totals),
    .divergence_totals = CRD_NAME(divergence_totals),
    .digamma_tile = CRD_NAME(digamma_tile),
    .divergence_tile = CRD_NAME(divergence_tile),
    .evidential = CRD_NAME(evidential),
    .nearer = CRD_NAME(nearer),
    .attract = CRD_NAME(attract),
    .stretch = CRD_NAME(stretch),
    .repel = CRD_NAME(repel),
    .spread = CRD_NAME(spread),
    .gather = CRD_NAME(gather),
    .fft = CRD_NAME(fft),
    .adam = CRD_NAME(adam),
};
