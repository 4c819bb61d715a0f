# SPDX-License-Identifier: MIT
"""Peer A: the Graph Posterior Network in PyTorch the plain way, as research code is published: dense features,
automatic gradients, a multivariate normal for every node and class, messages gathered and scattered by edge."""
import torch
import torch.nn.functional as functional
from torch.distributions import MultivariateNormal

import common


class Radial(torch.nn.Module):
    """One radial layer of all classes' flows."""

    def __init__(self, center, alpha, beta):
        super().__init__()
        self.center = torch.nn.Parameter(center)  # [classes, latent]
        self.alpha = torch.nn.Parameter(alpha)    # [classes]
        self.beta = torch.nn.Parameter(beta)

    def forward(self, y):
        """y: [classes, nodes, latent] -> y', log |det|: [classes, nodes]"""
        latent = y.shape[2]
        a = functional.softplus(self.alpha)
        b = -a + functional.softplus(self.beta)
        a, b = a[:, None, None], b[:, None, None]
        d = y - self.center[:, None, :]
        r = d.norm(dim=2, keepdim=True)
        h = 1 / (a + r)
        bh = b * h
        log_det = (latent - 1) * torch.log1p(bh) + torch.log1p(bh - bh * h * r)
        return y + bh * d, log_det.squeeze(2)


class Density(torch.nn.Module):
    """log p(z|c) of every class."""

    def __init__(self, weights):
        super().__init__()
        center, alpha, beta = (weights["flow." + name] for name in ("center", "alpha", "beta"))
        self.layers = torch.nn.ModuleList(Radial(*layer) for layer in zip(center, alpha, beta))
        _, self.classes, self.latent = center.shape

    def forward(self, z):
        nodes = z.shape[0]
        y = z.repeat(self.classes, 1, 1)
        log_det = torch.zeros(self.classes, nodes)
        for layer in self.layers:
            y, more = layer(y)
            log_det = log_det + more
        mean = torch.zeros(self.latent).repeat(self.classes, nodes, 1)
        covariance = torch.eye(self.latent).repeat(self.classes, nodes, 1, 1)
        return (log_det + MultivariateNormal(mean, covariance).log_prob(y)).t()


class Propagation(torch.nn.Module):
    """beta <- (1 - gamma) A^ beta + gamma beta_ft; A^ is made anew in every pass, as a layer without a cache."""

    def __init__(self, row, column, nodes, teleport, steps):
        super().__init__()
        self.row, self.column, self.nodes = row, column, nodes
        self.teleport, self.steps = teleport, steps

    def normalised(self):
        loops = torch.arange(self.nodes)
        row, column = torch.cat([self.row, loops]), torch.cat([self.column, loops])
        degree = torch.zeros(self.nodes).scatter_add_(0, row, torch.ones(len(row)))
        s = degree.pow(-0.5)
        return row, column, s[row] * s[column]

    def forward(self, evidence):
        row, column, weight = self.normalised()
        index = row[:, None].expand(-1, evidence.shape[1])
        beta = evidence
        for _ in range(self.steps):
            message = weight[:, None] * beta.index_select(0, column)
            gathered = torch.zeros_like(beta).scatter_add(0, index, message)
            beta = (1 - self.teleport) * gathered + self.teleport * evidence
        return beta


class Network(torch.nn.Module):
    def __init__(self, case):
        super().__init__()
        config, weights = case.config, case.weights
        features = case.features.dense() if isinstance(case.features, common.Rows) else case.features
        self.x = torch.from_numpy(features)
        self.first = torch.nn.Linear(self.x.shape[1], config["hidden"])
        self.second = torch.nn.Linear(config["hidden"], config["latent"])
        for name, layer in (("encoder.0", self.first), ("encoder.1", self.second)):
            layer.weight.data = weights[name + ".weight"]
            layer.bias.data = weights[name + ".bias"]
        self.act = common.ACTIVATIONS[config["activation"]]
        self.dropout = config["dropout"]
        self.density = Density(weights)
        self.row, self.column = torch.from_numpy(case.row), torch.from_numpy(case.column)
        self.propagation = Propagation(self.row, self.column, case.nodes, config["teleport"], config["steps"])
        self.shift = case.shift()

    def encoder_parameters(self):
        return [*self.first.parameters(), *self.second.parameters()]

    def flow_parameters(self):
        return list(self.density.parameters())

    def forward(self, training):
        """-> z, evidence before the graph, alpha"""
        hidden = functional.dropout(self.act(self.first(self.x)), self.dropout, training)
        z = self.second(hidden)
        evidence = torch.exp(torch.clamp(self.density(z) + self.shift, -30, 30))
        return z, evidence, 1 + self.propagation(evidence)

    def latent_distance(self, z):
        """R_D = sum |z_i - z_j|^2 over both directions of every edge"""
        return (z[self.row] - z[self.column]).square().sum()

    def evidence_distance(self, evidence):
        """R_alpha = sum KL(i, j) + KL(j, i). The log-Gamma terms cancel and are left out, and digamma is taken
        before the rows are gathered: cheaper than a divergence of torch.distributions for every edge. In single
        precision neighbours, who are much alike, would lose half of the digits."""
        alpha = 1 + evidence.double()
        alpha = torch.cat([alpha, alpha.sum(1, keepdim=True)], 1)
        psi = torch.digamma(alpha)
        product = (alpha[self.row] - alpha[self.column]) * (psi[self.row] - psi[self.column])
        return product[:, :-1].sum() - product[:, -1].sum()


if __name__ == "__main__":
    common.main(Network)
