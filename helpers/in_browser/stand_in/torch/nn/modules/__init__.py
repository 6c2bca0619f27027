"""`torch.nn.modules`."""

from torch.nn.modules import batchnorm

__all__ = ["batchnorm"]
