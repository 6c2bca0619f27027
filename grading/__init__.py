"""Grade a class: learner code in a sandbox, the verdict in a process that never runs it.

`sandbox.INSIDE` lists the files of this package that exist inside the sandbox; the others never run beside
learner code.
"""
