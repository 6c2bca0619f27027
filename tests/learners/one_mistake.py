"""A learner with one typical mistake in each unit and everything else right."""

import numpy as np

# %% like all_right


# %% double wrong
def double(x):
    x *= 2
    return x


# %% cosine_similarity wrong
def cosine_similarity(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


# %% attention_scores wrong
def attention_scores(Q, K):
    return Q @ K.T


# %% right_divisor wrong
right_divisor = "sqrt(n)"


# %% apply_mask wrong
def apply_mask(scores, allowed):
    return scores * allowed


# %% softmax wrong
def softmax(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


# %% split_heads wrong
def split_heads(X, num_heads):
    B, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} is not divisible by {num_heads}")
    return X.reshape(B, num_heads, n, d_model // num_heads)
