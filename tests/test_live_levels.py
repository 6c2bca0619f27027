"""Matrices as levels and steps."""

import numpy as np

from tools.web.live.levels import LARGEST, levels, widened

RNG = np.random.default_rng(5)


def test_no_number_is_further_off_than_half_a_step():
    matrix = RNG.standard_normal((7, 300)).astype(np.float32)
    found, step = levels(matrix, 16)
    assert (found.dtype, step.dtype, step.shape) == (np.int8, np.float16, (7,))
    np.testing.assert_allclose(step.astype(float), matrix.std(-1) / 16, rtol=1e-3)
    assert (np.abs(widened(found, step) - matrix) <= 0.501 * step[:, None]).all()


def test_a_number_far_out_widens_the_steps_of_its_row_alone():
    matrix = RNG.standard_normal((3, 300)).astype(np.float32)
    matrix[1, 7] = -40
    found, step = levels(matrix, 16)
    assert found[1, 7] == -LARGEST
    np.testing.assert_allclose(widened(found, step)[1, 7], -40, rtol=1e-3)
    assert step[1] > 3 * max(step[0], step[2])


def test_a_row_of_zeros_stays_one():
    found, step = levels(np.zeros((2, 5), np.float32), 16)
    assert not widened(found, step).any()
    assert (step > 0).all()
