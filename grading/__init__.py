"""Grade a class: learner code in a sandbox, the verdict in a process that never runs it.

`inside/` is all of this package that exists in the sandbox; nothing else here ever runs beside learner code.
`outside/` starts the sandbox and looks at what comes out of it, `handed_in/` is a submission's way in, and
`term/` is what lasts longer than one run. The modules beside these folders bring them together.
"""
