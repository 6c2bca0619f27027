"""What the learner's code can do once an exercise is passed: a sentence each, for the panel of a check."""

from helpers.units import OWN

CAN_DO: dict[str, str] = {
    "double": "Your code doubles an array of any shape, and leaves the one that it was given as it is.",
    "dot": "Your code says with one number how far two vectors point the same way.",
    "cosine_similarity": "Your code compares directions alone: how long a vector is no longer counts.",
    "similarity_matrix": "Your code compares every row with every row, in one table.",
    "best_match": "Your code looks a key up by similarity, as attention does, but takes only the best one.",
    "project": "Your code turns every token into another vector by one learned matrix.",
    "rows_from_columns": "Your code reads formulas with tokens as columns, and computes with tokens as rows.",
    "queries_keys_values": "Your code gives each token its three roles: what it asks, offers and tells.",
    "attention_scores": "Your code says how well each query fits each key, for whole batches at once.",
    "look_back": "Your code builds a query matrix that looks a fixed number of steps back, in any sentence.",
    "mix_values": "Your code mixes the values by their weights: that is what a token hears.",
    "first_attention": "Your code lets a sentence hear itself: that is a whole attention.",
    "QKVProjection": "Your module makes queries, keys and values, and training can change its matrices.",
    "measure_score_std": "Your code measures how far scores spread at any width.",
    "right_divisor": "You can say by what attention divides its scores, and have seen it in a table.",
    "predicted_score_std": "Your code says how far scores will spread before a single one is drawn.",
    "scaled_scores": "Your code keeps scores near 1 at any width, so that the softmax can still choose.",
    "causal_mask": "Your code keeps every token from looking ahead, in a sentence of any length.",
    "padding_mask": "Your code tells real tokens from padding, for a whole batch.",
    "combined_mask": "Your code says who may look at whom: not ahead, and not at padding.",
    "apply_mask": "Your code hides scores so that no weight is left for them, whatever the mask's shape.",
    "to_blocked": "Your masks work in PyTorch's own attention too, which asks who is blocked.",
    "leaks_future": "Your code finds out whether any attention looks ahead, without reading its lines.",
    "softmax": "Your code turns any numbers into shares that sum to 1, however large they are.",
    "masked_softmax": "Your code shares out 1 among the keys that may be seen, and nothing where none may.",
    "softmax_with_temperature": "Your code makes shares sharp or even, as far as you turn the temperature.",
    "softmax_backward": "Your code does by hand the step that carries a training back through a softmax.",
    "attention": "Your code is scaled dot-product attention: scores, scaling, mask, softmax, mix.",
    "test_softmax": "Your test tells a right softmax from those with the mistakes that people make.",
    "test_attention": "Your test tells a right attention from those with the mistakes that people make.",
    "faulty_map": "You can read a mistake off a map of weights.",
    "split_heads": "Your code cuts each token into heads, and refuses a width that does not divide.",
    "merge_heads": "Your code puts the heads side by side again, each where it was.",
    "sum_of_heads": "Your code shows that the last matrix adds up what each head has to say.",
    "multi_head_attention": "Your code attends with many heads at once, each with a softmax of its own.",
    "test_multi_head_attention": "Your test finds mistakes that show only where there are several heads.",
    "MultiHeadAttention": "Your module can be trained, and computes what PyTorch's own attention does.",
    "same_word_head": "Your two matrices make a head that finds the same word, with nothing trained.",
    "TransformerBlock": "Your module is the block that transformers are made of, one upon the other.",
    "next_token_loss": "Your code says with one number how well a model guesses the next token.",
    "training_step": "Your code trains a model: one step a call.",
    "generate": "Your code lets a model write on, token after token.",
    "next_token_probabilities": "Your code says how likely each token is, as cold or as wild as you ask for.",
    "induction_score": "Your code finds heads that look for what came after the same token before.",
    "sinusoidal_positions": "Your code gives every place a row of its own, with nothing learned.",
    "layer_weights": "Your code takes the weights of any layer out of a published model.",
    "bert_attention": "Your attention runs with the weights of a real model.",
    "previous_token_heads": "Your code finds, in any model, the heads that look at the token before.",
    "silence_head": "Your code switches off one head of a model, so that you see what it was for.",
    "KVCache": "Your cache keeps keys and values, so that a model need not compute them again.",
    "causal_mask_with_cache": "Your mask fits queries that come after a cache.",
    "grouped_query_attention": "Your code lets several query heads share one key head: caches get smaller.",
    "sliding_window_mask": "Your mask lets each token see only the nearest ones behind it.",
    "online_attention": "Your code attends over keys of any number, holding the scores of one block alone.",
    "rotary": "Your code turns queries and keys by their places, so that scores tell how far apart they are.",
}
"""By exercise."""

DEFAULT = "Your code does what the task asks, on inputs that it had not seen before."
"""For the exercises of an instructor, who writes none."""


def can_do(exercise: str) -> str:
    """The sentence of an exercise."""
    return DEFAULT if exercise in OWN else CAN_DO.get(exercise, DEFAULT)
