# Every rule is a command of tools/course.py, which also works without make.
PYTHON ?= python3
RUN = @command -v $(PYTHON) >/dev/null 2>&1 || { echo "There is no $(PYTHON) here: install Python 3.11 or newer, \
	or name one that you have, for example: make PYTHON=python3.12 $@" >&2; exit 1; }; $(PYTHON) tools/course.py

.PHONY: help learn test setup fresh teach lint fix notebooks sync exercise bench teeth mutants marks constraints grade site screenshots

help learn setup teach lint fix notebooks sync mutants marks constraints site screenshots:
	$(RUN) $@

fresh:
	$(RUN) fresh $(UNIT)

exercise:
	$(RUN) exercise $(if $(UNIT),"UNIT=$(UNIT)") $(if $(NAME),"NAME=$(NAME)")

grade:
	$(RUN) grade $(UNIT) $(ARGS)

test bench teeth:
	$(RUN) $@ $(ARGS)
