"""What unit 09 claims: what a cache saves, what blocks hold, and which bad input is refused."""

import threading

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from helpers import reference, training
from helpers.beside.live_tensors import LiveTensors
from helpers.beside.probes import online_attention
from tests.lanes import at_night


def decoder():
    torch.manual_seed(0)
    return training.Decoder(vocab=50, n=1100).double()


def test_writing_with_a_cache_gives_the_same_tokens():
    start = torch.tensor([[1, 2, 3], [4, 5, 6]])
    assert torch.equal(training.write(decoder(), start, 40), reference.generate(decoder(), start, 40))
    assert torch.equal(training.write(decoder(), start, 0), start)


def test_a_prompt_in_chunks_gives_the_logits_of_one_pass():
    model, tokens = decoder(), torch.arange(12).reshape(1, -1)
    caches = [reference.KVCache() for _ in model.blocks]
    parts = [model(part, caches) for part in tokens.split([5, 1, 4, 2], dim=1)]
    assert torch.allclose(torch.cat(parts, dim=1), model(tokens))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, at_night(1), at_night(2)])
def test_the_decoder_of_unit_07_goes_on_right_with_a_cache(seed):
    model = training.train_decoder(seed).model.double()
    texts = training.repeated(256, 10, 16, torch.Generator().manual_seed(seed))
    written = training.write(model, texts[:, :12], 8)
    assert torch.equal(written, reference.generate(model, texts[:, :12], 8))
    assert (written == texts)[:, 12:].double().mean() > 0.95


@pytest.mark.slow
def test_a_cache_saves_work_and_more_so_the_longer_the_text():
    """Work is counted in multiplications; the seconds that it takes, the unit measures itself."""
    ratios = []
    for n in (64, 256, 1024):
        work = []
        for write in (training.write, reference.generate):
            with FlopCounterMode(display=False) as counted:
                write(decoder(), torch.arange(n)[None] % 50, 32)
            work.append(counted.get_total_flops())
        ratios.append(work[1] / work[0])
    assert ratios[0] > 32
    assert ratios[2] > 2 * ratios[1] > 4 * ratios[0]


def held(attend, queries, n):
    Q, K, V = torch.randn(queries, 16), torch.randn(n, 16), torch.randn(n, 8)
    with LiveTensors((Q, K, V)) as watch:
        attend(Q, K, V)
    return watch.most


def test_blocks_hold_as_much_for_many_keys_as_for_few_and_all_scores_grow_with_n_squared():
    def blocks(Q, K, V):
        return reference.online_attention(Q, K, V, 32)

    def plain(Q, K, V):
        return torch.softmax(Q @ K.T / 4, dim=-1) @ V

    assert held(blocks, 64, 256) == held(blocks, 64, 1024)
    assert held(plain, 1024, 1024) == pytest.approx(16 * held(plain, 256, 256), rel=0.05)


def test_a_tensor_is_counted_while_it_is_alive_and_a_view_is_not():
    x = torch.zeros(10)
    with LiveTensors((x,)) as watch:
        x[2:4].reshape(2, 1)
        assert watch.most == 0
        y = x + 1
        del y
        x + 2
    assert (watch.most, watch.largest, watch.shape) == (10, 10, (10,))


def test_blocks_equal_sdpa():
    Q, K, V = torch.randn(3, 50, 8, dtype=torch.float64)
    for size in (1, 7, 50, 99):
        ours = reference.online_attention(Q, K, V, size)
        assert torch.allclose(ours, F.scaled_dot_product_attention(Q, K, V))


def test_keeping_saves_the_factor_t_and_looking_equals_projecting_at_twice_the_width():
    d, t = 256, 2 ** np.arange(14)
    assert np.array_equal(4 * t * d**2 + 2 * t**2 * d, t * (4 * d**2 + 2 * t * d))
    assert 2 * (2 * d) * d == 4 * d**2


@pytest.mark.parametrize(
    ("call", "numbers"),
    [
        (lambda: reference.sliding_window_mask(4, 0), ("0", "4")),
        (lambda: reference.rotary(torch.zeros(2, 7), torch.arange(2)), ("7", "2")),
        (
            lambda: reference.grouped_query_attention(torch.zeros(1, 5, 2, 4), *torch.zeros(2, 1, 3, 2, 4)),
            ("5", "3"),
        ),
        (lambda: reference.causal_mask_with_cache(6, 4), ("6", "4")),
    ],
    ids=["window of 0", "odd width", "heads that do not fit", "more queries than keys"],
)
def test_bad_input_is_refused_with_both_numbers(call, numbers):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the numbers are looked for below
        call()
    assert all(number in str(caught.value) for number in numbers)


def test_memory_that_another_thread_takes_is_not_the_answers():
    calls = 0

    def answer(*args):
        nonlocal calls
        calls += 1
        if calls == 3:  # the first whose memory outside PyTorch is measured
            other = threading.Thread(target=bytes, args=[10**6])
            other.start()
            other.join()
        return reference.online_attention(*args)

    rng = np.random.default_rng(0)
    args = {
        name: rng.normal(size=shape) for name, shape in {"Q": (8, 4), "K": (260, 4), "V": (260, 3)}.items()
    }
    online_attention.probe(answer, {**args, "block_size": 4})
    assert calls == 6, "it was measured once more"
