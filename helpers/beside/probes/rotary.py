"""The probe of `rotary`: the plain one, with tensors."""

from helpers.beside.probes.tensors import probe

__all__ = ["probe"]
