"""The probe of `induction_score`: it takes tensors."""

from helpers.beside.probes.tensors import probe

__all__ = ["probe"]
