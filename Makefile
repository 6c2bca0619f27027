# Every rule is a command of tools/course.py, which also works without make.
PYTHON ?= python3
RUN = @command -v $(PYTHON) >/dev/null 2>&1 || { echo "There is no $(PYTHON) here: install Python 3.11 or newer, \
	or name one that you have, for example: make PYTHON=python3.12 $@" >&2; exit 1; }; $(PYTHON) tools/course.py

.PHONY: help learn test test-needs setup fresh teach lint fix notebooks sync exercise bench teeth mutants marks constraints grade roster collect export feedback regrade messages analytics answers hub site

help learn setup teach hub lint fix notebooks sync mutants marks constraints:
	$(RUN) $@

site:
	$(RUN) site $(if $(PYODIDE),"$(PYODIDE)")

fresh:
	$(RUN) fresh $(UNIT)

exercise:
	$(RUN) exercise $(if $(UNIT),"UNIT=$(UNIT)") $(if $(NAME),"NAME=$(NAME)") $(if $(OWN),"OWN=$(OWN)")

grade:
	$(RUN) grade $(UNIT) $(if $(STUDENT),"--student=$(STUDENT)") $(ARGS)

roster:
	$(RUN) roster $(if $(FILE),"$(FILE)") $(ARGS)

collect:
	$(RUN) collect $(UNIT) $(if $(FILE),"$(FILE)") $(ARGS)

export:
	$(RUN) export $(LMS) $(UNIT) $(ARGS)

analytics:
	$(RUN) analytics $(UNIT) $(ARGS)

answers:
	$(RUN) answers $(UNIT) $(ARGS)

feedback:
	$(RUN) feedback $(LMS) $(UNIT) $(ARGS)

regrade:
	$(RUN) regrade $(UNIT) $(if $(STUDENT),"--student=$(STUDENT)") $(if $(ASKS),"--asks=$$ASKS") $(if $(DECIDED),"--decided=$$DECIDED") $(ARGS)

messages:
	$(RUN) messages $(UNIT) $(ARGS)

test test-needs bench teeth:
	$(RUN) $@ $(ARGS)
