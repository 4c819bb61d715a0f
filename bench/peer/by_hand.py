# SPDX-License-Identifier: MIT
"""Peer C: the same network with all that can be got out of PyTorch by writing gradients by hand: those of the flows,
of diffusion and of the regularisers; and of all ways to multiply a sparse matrix the one that is fastest here."""
import math

import numpy as np
import torch
import torch.nn.functional as functional

import common
from products import TORCH_SPARSE, Product, fastest, normalised_adjacency


# ---- sparse times dense ----

def by_bag(rows, dtype):
    """A row of the product is a weighted sum of rows of the dense matrix: what an embedding bag is."""
    column, start = torch.from_numpy(rows.column).int(), torch.from_numpy(rows.start[:-1]).int()
    value = torch.from_numpy(rows.value).to(dtype)
    return lambda dense: functional.embedding_bag(column, dense, start, mode="sum", per_sample_weights=value)


def by_padded_bag(rows, dtype):
    """Bags are fast for multiples of 16 columns."""
    bag = by_bag(rows, dtype)

    def product(dense):
        width = dense.shape[1]
        return bag(functional.pad(dense, (0, -width % 16)))[:, :width]
    return product


# The likely ones first: those far behind are tried only once.
WAYS = {"bag": by_bag, "padded bag": by_padded_bag, **TORCH_SPARSE}


class Diffusion(torch.autograd.Function):
    """Linear and symmetric: the gradient is the diffusion of the gradient, and nothing needs to be kept."""

    @staticmethod
    def forward(ctx, evidence, product, teleport, steps):
        ctx.rest = product, teleport, steps
        evidence = evidence.contiguous()
        beta = evidence
        for _ in range(steps):
            beta = torch.add(teleport * evidence, product(beta), alpha=1 - teleport)
        return beta

    @staticmethod
    def backward(ctx, gradient):
        return Diffusion.forward(ctx, gradient, *ctx.rest), None, None, None


# ---- the flows ----

class Flows(torch.autograd.Function):
    """log p(z|c) of all classes at once, up to its constant: z [nodes, latent] -> [classes, nodes]. Nodes come
    last inside, so that every operation runs along memory."""

    @staticmethod
    def forward(ctx, z, center, a, b):
        layers, _, latent = center.shape
        center = center.permute(0, 2, 1).unsqueeze(-1)  # [layers, latent, classes, 1]; a, b: [layers, classes, 1]
        y = z.t().contiguous().unsqueeze(1)
        log_det, kept = 0, []
        for layer in range(layers):
            d = y - center[layer]
            r = (d * d).sum(0).sqrt_()
            h = (r + a[layer]).reciprocal_()
            bh = b[layer] * h
            inner = torch.addcmul(bh, bh * h, r, value=-1)
            y = torch.addcmul(y, bh, d)
            log_det = torch.log1p(bh).mul_(latent - 1).add_(torch.log1p(inner)).add_(log_det)
            # Validation needs no gradient: then nothing is kept.
            if ctx.needs_input_grad[0]:
                kept.append((d, r, h, bh, inner))
        ctx.kept, ctx.y = kept, y
        ctx.save_for_backward(b)
        return log_det.sub_((y * y).sum(0), alpha=0.5)

    @staticmethod
    def backward(ctx, gradient):
        (b,), latent, layers = ctx.saved_tensors, ctx.y.shape[0], len(ctx.kept)
        d_center, d_a, d_b = ([None] * layers for _ in range(3))
        d_y = ctx.y * -gradient
        total = d_y.sum(2)
        for layer in reversed(range(layers)):
            d, r, h, bh, inner = ctx.kept.pop()
            d_inner = gradient / (1 + inner)
            d_bh = (d_y * d).sum(0).add_(gradient / (1 + bh), alpha=latent - 1).addcmul_(d_inner, 1 - h * r)
            d_inner *= bh
            d_h = torch.addcmul(b[layer] * d_bh, d_inner, r, value=-1)
            d_sum = d_h.mul_(h).mul_(h).neg_()
            d_r = torch.addcmul(d_sum, d_inner, h, value=-1)
            d_a[layer], d_b[layer] = d_sum.sum(1), (d_bh * h).sum(1)
            d_y.mul_(1 + bh).addcmul_(d_r.div_(r.clamp_min(1e-30)), d)
            # The centre's gradient is the negative of what y gets besides passing through.
            before, total = total, d_y.sum(2)
            d_center[layer] = (before - total).t()
        return (d_y.sum(1).t(), torch.stack(d_center), torch.stack(d_a).unsqueeze(-1),
                torch.stack(d_b).unsqueeze(-1))


# ---- the regularisers, through the graph's Laplacian: sum over edges (u_i - u_j)(v_i - v_j) = 2 u^T L v ----

class LatentDistance(torch.autograd.Function):
    """R_D. Only differences count, so the mean is taken off first: then little cancels."""

    @staticmethod
    def forward(ctx, z, laplacian):
        z = z - z.mean(0)
        lz = laplacian(z)
        ctx.save_for_backward(lz)
        return 2 * (z * lz).sum()

    @staticmethod
    def backward(ctx, gradient):
        return 4 * gradient * ctx.saved_tensors[0], None


class EvidenceDistance(torch.autograd.Function):
    """R_alpha, in double precision: evidence spans 26 decades, and large terms cancel."""

    @staticmethod
    def forward(ctx, evidence, laplacian):
        evidence = evidence.double()
        evidence = torch.cat([evidence, evidence.sum(1, keepdim=True)], 1)
        alpha = 1 + evidence
        alpha[:, -1] += evidence.shape[1] - 2  # the total of K ones, not of one
        psi = torch.digamma(alpha)
        l_psi = laplacian(psi)
        ctx.save_for_backward(alpha, l_psi, laplacian(evidence))
        product = (evidence * l_psi).sum(0)
        return 2 * (product[:-1].sum() - product[-1])

    @staticmethod
    def backward(ctx, gradient):
        alpha, l_psi, l_alpha = ctx.saved_tensors
        slope = 2 * gradient * (l_psi + torch.polygamma(1, alpha) * l_alpha)
        return (slope[:, :-1] - slope[:, -1:]).float(), None


def laplacian_of(rows, degree, width, dtype):
    name, adjacency = fastest(WAYS, rows, width, dtype)
    degree = torch.from_numpy(degree).to(dtype).unsqueeze(1)
    return name, lambda x: degree * x - adjacency(x)


# ---- the network ----

class Network:
    def __init__(self, case):
        config, weights = case.config, case.weights
        self.case, self.chosen = case, {}
        self.act = common.ACTIVATIONS[config["activation"]]
        self.weight1 = weights["encoder.0.weight"].t().contiguous().requires_grad_()  # [features, hidden]
        self.bias1 = weights["encoder.0.bias"].requires_grad_()
        self.weight2 = weights["encoder.1.weight"].requires_grad_()
        self.bias2 = weights["encoder.1.bias"].requires_grad_()
        self.center, self.alpha, self.beta = (
            weights["flow." + name].requires_grad_() for name in ("center", "alpha", "beta"))
        self.sparse = isinstance(case.features, common.Rows)
        if self.sparse:
            self.chosen["features"], self.x = fastest(WAYS, case.features, config["hidden"])
            self.chosen["features transposed"], self.xt = fastest(WAYS, case.features.transposed(), config["hidden"])
        else:
            self.x = torch.from_numpy(case.features)
        self.constant = (case.shift() - 0.5 * config["latent"] * math.log(2 * math.pi)).unsqueeze(1)
        self.prepare_graph()

    def prepare_graph(self):
        case, nodes, classes = self.case, self.case.nodes, self.case.classes
        self.chosen["diffusion"], self.diffuse = fastest(WAYS, normalised_adjacency(case), classes)
        degree = np.bincount(case.row, minlength=nodes)
        start = np.concatenate([[0], np.cumsum(degree)])
        plain = common.Rows(start, case.column, np.ones(len(case.column), np.float32), (nodes, nodes))
        if case.config["reg"] == "distance":
            self.chosen["regulariser"], self.laplacian = laplacian_of(plain, degree, case.config["latent"],
                                                                      torch.float32)
        elif case.config["reg"] == "evidence":
            self.chosen["regulariser"], self.laplacian = laplacian_of(plain, degree, classes + 1, torch.float64)

    def encoder_parameters(self):
        return [self.weight1, self.bias1, self.weight2, self.bias2]

    def flow_parameters(self):
        return [self.center, self.alpha, self.beta]

    def __call__(self, training):
        """-> z, evidence before the graph, alpha"""
        config = self.case.config
        if self.sparse:
            hidden = Product.apply(self.weight1, self.x, self.xt) + self.bias1
        else:
            hidden = torch.addmm(self.bias1, self.x, self.weight1)
        hidden = functional.dropout(self.act(hidden), config["dropout"], training)
        z = functional.linear(hidden, self.weight2, self.bias2)
        a = functional.softplus(self.alpha)
        b = functional.softplus(self.beta) - a
        log_p = Flows.apply(z, self.center, a.unsqueeze(-1), b.unsqueeze(-1))
        evidence = torch.exp(torch.clamp(log_p + self.constant, -30, 30)).t()
        return z, evidence, 1 + Diffusion.apply(evidence, self.diffuse, config["teleport"], config["steps"])

    def latent_distance(self, z):
        return LatentDistance.apply(z, self.laplacian)

    def evidence_distance(self, evidence):
        return EvidenceDistance.apply(evidence, self.laplacian)


if __name__ == "__main__":
    common.main(Network)
