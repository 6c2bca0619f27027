"""Right and wrong answers, which tests and tools judge: one file an exercise, in the folder of its unit.

Import nothing of ours here but the registry. A file's right answers come first, each in its own style; then
the wrong ones, those with one mistake together. What several programs call stands before the first of them.
"""
