"""The probe of `next_token_probabilities`: the plain one, with tensors."""

from helpers.beside.probes.tensors import probe

__all__ = ["probe"]
