"""The probe of `grouped_query_attention`: the plain one, with tensors."""

from helpers.beside.probes.tensors import probe

__all__ = ["probe"]
