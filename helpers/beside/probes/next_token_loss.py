"""The probe of `next_token_loss`: it takes tensors."""

from helpers.beside.probes.tensors import probe

__all__ = ["probe"]
