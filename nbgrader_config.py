"""nbgrader's settings for this course: `solutions/` is the source, `notebooks/` what learners get."""

from pathlib import Path

c = get_config()  # noqa: F821 - nbgrader defines it
HERE = Path(__file__).parent

c.CourseDirectory.course_id = "attention-course"
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"

# What stands in an answer cell until it is answered; the checks turn it into a sentence.
c.ClearSolutions.code_stub = {"python": '# YOUR CODE HERE\nraise NotImplementedError("not answered yet")'}

# Without a writable exchange Formgrader and the assignment list show errors.
c.Exchange.root = str(HERE / "exchange")

# A loop without end in one cell costs this many seconds, not the night.
c.ExecutePreprocessor.timeout = 60
