# SPDX-License-Identifier: MIT
"""Peer B: the same network as a skilled user of PyTorch writes it: sparse features, the adjacency normalised once,
all classes and nodes at once, the standard normal in closed form, and automatic gradients."""
import math

import torch
import torch.nn.functional as functional

import common
from products import TORCH_SPARSE, Product, fastest, normalised_adjacency


class Network(torch.nn.Module):
    def __init__(self, case):
        super().__init__()
        config, weights = case.config, case.weights
        self.config, self.chosen = config, {}
        self.act = common.ACTIVATIONS[config["activation"]]
        # [features, hidden], as a sparse product needs it
        self.weight1 = torch.nn.Parameter(weights["encoder.0.weight"].t().contiguous())
        self.bias1 = torch.nn.Parameter(weights["encoder.0.bias"])
        self.weight2 = torch.nn.Parameter(weights["encoder.1.weight"])
        self.bias2 = torch.nn.Parameter(weights["encoder.1.bias"])
        self.center, self.alpha, self.beta = (
            torch.nn.Parameter(weights["flow." + name]) for name in ("center", "alpha", "beta"))
        self.sparse = isinstance(case.features, common.Rows)
        if self.sparse:
            self.x = self.choose("features", case.features, config["hidden"])
            self.xt = self.choose("features transposed", case.features.transposed(), config["hidden"])
        else:
            self.x = torch.from_numpy(case.features)
        self.adjacency = self.choose("diffusion", normalised_adjacency(case), case.classes)
        once = case.row < case.column
        self.row, self.column = torch.from_numpy(case.row[once]), torch.from_numpy(case.column[once])
        self.constant = case.shift() - 0.5 * config["latent"] * math.log(2 * math.pi)

    def choose(self, what, rows, width):
        self.chosen[what], product = fastest(TORCH_SPARSE, rows, width)
        return product

    def encoder_parameters(self):
        return [self.weight1, self.bias1, self.weight2, self.bias2]

    def flow_parameters(self):
        return [self.center, self.alpha, self.beta]

    def density(self, z):
        """log p(z|c) of all classes, up to its constant: [nodes, latent] -> [nodes, classes]. Inside it is [latent,
        classes, nodes], which was the fastest of four layouts: every operation runs along memory."""
        layers, _, latent = self.center.shape
        center = self.center.permute(0, 2, 1).unsqueeze(-1)
        a = functional.softplus(self.alpha).unsqueeze(-1)
        b = functional.softplus(self.beta).unsqueeze(-1) - a
        y, log_det = z.t().contiguous().unsqueeze(1), 0
        for layer in range(layers):
            d = y - center[layer]
            r = (d * d).sum(0).sqrt()
            h = 1 / (a[layer] + r)
            bh = b[layer] * h
            y = torch.addcmul(y, bh, d)
            log_det = log_det + (latent - 1) * torch.log1p(bh) + torch.log1p(bh - bh * h * r)
        return (log_det - 0.5 * (y * y).sum(0)).t()

    def diffuse(self, evidence):
        """beta <- (1 - gamma) A^ beta + gamma beta_ft; A^ is its own transpose."""
        evidence = evidence.contiguous()
        teleport, beta = self.config["teleport"], evidence
        back = teleport * evidence
        for _ in range(self.config["steps"]):
            beta = torch.add(back, Product.apply(beta, self.adjacency, self.adjacency), alpha=1 - teleport)
        return beta

    def forward(self, training):
        """-> z, evidence before the graph, alpha"""
        if self.sparse:
            hidden = Product.apply(self.weight1, self.x, self.xt) + self.bias1
        else:
            hidden = torch.addmm(self.bias1, self.x, self.weight1)
        hidden = functional.dropout(self.act(hidden), self.config["dropout"], training)
        z = functional.linear(hidden, self.weight2, self.bias2)
        evidence = torch.exp(torch.clamp(self.density(z) + self.constant, -30, 30))
        return z, evidence, 1 + self.diffuse(evidence)

    # Both directions of an edge have the same weight: computed once, and doubled. Of the ways to gather rows, plain
    # indexing has the fastest gradient.

    def latent_distance(self, z):
        """R_D = sum |z_i - z_j|^2 over both directions of every edge"""
        return 2 * (z[self.row] - z[self.column]).pow(2).sum()

    def evidence_distance(self, evidence):
        """R_alpha, in its closed form, in double precision: neighbours are much alike, and most digits cancel."""
        alpha = 1 + evidence.double()
        alpha = torch.cat([alpha, alpha.sum(1, keepdim=True)], 1)
        psi = torch.digamma(alpha)
        product = (alpha[self.row] - alpha[self.column]) * (psi[self.row] - psi[self.column])
        total = product.sum(0)
        return 2 * (total[:-1].sum() - total[-1])


if __name__ == "__main__":
    common.main(Network)
