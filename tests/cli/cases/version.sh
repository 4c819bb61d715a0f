# SPDX-License-Identifier: MIT
credence --version | grep -Eqx 'credence [0-9]+\.[0-9]+\.[0-9]+'
