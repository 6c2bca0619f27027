"""Bodies of tests that look for impostors otherwise than by testing: each would raise for wrong ones alone.

`f` is what the test is handed.
"""

ATTACKS = {
    "reads code": """
        f(np.ones(2))
        assert 'max' in str(type(f).__call__.__code__.co_names) + str(f.__code__.co_names)
    """,
    "reads what it asks with": """
        ask = object.__getattribute__(f, '_ask')
        cells = [one.cell_contents for one in ask.__closure__]
        assert not any('softmax' in repr(one) for one in cells)
    """,
    "reads the closure of the closure": """
        f(np.ones(2))
        ask = object.__getattribute__(f, '_ask')
        seen = repr(ask.__closure__) + repr([one.cell_contents for one in ask.__closure__]) + repr(vars(ask))
        assert 'impostor' not in seen
    """,
    "gc": """
        f(np.ones(2))
        near = gc.get_referents(f) + gc.get_referrers(f)
        assert not any('impostor' in repr(one)[:3000] for one in near)
    """,
    "every object": """
        f(np.ones(2))
        known = (repr(one)[:300] for one in gc.get_objects())
        assert not any('partial' in one and 'softmax' in one for one in known)
    """,
    "frames": """
        f(np.ones(2))
        frame, seen = sys._getframe(), []
        while frame:
            seen += [repr(frame.f_locals), repr(list(frame.f_globals))[:2000]]
            frame = frame.f_back
        assert 'impostor 1' not in ' '.join(seen) and "'kind': 'impostor'" not in ' '.join(seen)
    """,
    "timing": """
        start = time.perf_counter()
        for _ in range(20):
            f(np.ones(50))
        assert time.perf_counter() - start < 0.02
    """,
    "imports the records": """
        import importlib
        where = 'helpers.exercises.unit_05_softmax.test_softmax'
        try:
            line = importlib.import_module(where).EXERCISE.lineup
        except ImportError:
            line = None
        x = np.array([[0.1, 0.7]])
        if line is not None:
            assert not any(np.array_equal(f(x), line.program('impostor', i, False)(x)) for i in range(1, 11))
    """,
    "counts its calls": """
        n = builtins.__dict__.setdefault('calls', [])
        n.append(f(np.ones(2)))
        assert len(n) % 15 in (1, 4, 9, 14)
    """,
    "compares with the one before": """
        x = np.array([[0.0, 1.0]])
        kept = builtins.__dict__.setdefault('kept', [])
        kept.append(f(x).tobytes())
        assert len(kept) < 2 or kept[-1] == kept[-2]
    """,
    "patches np.testing and np.allclose": """
        np.testing.assert_allclose = np.allclose = lambda *_, **__: True
        assert np.allclose(f(np.ones(2)), 9)
    """,
    "patches AssertionError": """
        builtins.AssertionError = type('Other', (BaseException,), {})
        assert f(np.ones(2)) is None
    """,
    "patches numpy below the suspect": """
        seen, exp = [], np.exp
        np.exp = lambda *args, **named: seen.append(args) or exp(*args, **named)
        f(np.array([1000.0, 1001.0]))
        np.exp = exp
        assert seen and max(one[0].max() for one in seen) <= 0
    """,
    "traces": """
        seen = []
        sys.settrace(lambda frame, *_: seen.append(frame.f_code.co_filename))
        f(np.ones(2))
        sys.settrace(None)
        assert not any('mistakes' in one or 'wrong' in one for one in seen)
    """,
    "catches everything": """
        try:
            assert f(np.ones(2)) is None
        except BaseException:
            pass
    """,
    "accuses everybody": """
        f(np.ones(2))
        raise AssertionError
    """,
    "accuses every other": """
        n = builtins.__dict__.setdefault('other', [0])
        n[0] += 1
        f(np.ones(2))
        assert n[0] % 2
    """,
    "accuses at random": """
        f(np.ones(2))
        assert np.random.random() < 0.3
    """,
    "the words of errors": """
        for what in (3, [], 'x', [[1], [2]], True, None):
            try:
                f(what)
            except Exception as error:
                kept = type(error), str(error)
                assert kept == builtins.__dict__.setdefault(repr(what), kept)
    """,
    "forges its outcome": """
        from grading.inside import frames
        frame = sys._getframe()
        while 'messages' not in frame.f_locals:
            frame = frame.f_back
        sent, nonce = frame.f_locals['messages'], frame.f_locals['request']['nonce']
        items = {'raised': {'kind': 'number', 'array': np.array(True)}}
        seen = [{'value': {'kind': 'dict', 'items': items}, 'changed': []}]
        frames.send(sent, {'nonce': nonce, 'seen': seen})
    """,
    "asks nonsense": """
        ask = object.__getattribute__(f, '_ask')
        ask({'args': [{'array': 3, 'list': 4}], 'named': [[]]})
    """,
    "asks for too much": """
        ask = object.__getattribute__(f, '_ask')
        ask({'args': [{'array': np.zeros(10**6)}], 'named': []})
    """,
}
