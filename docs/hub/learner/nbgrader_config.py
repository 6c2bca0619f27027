"""nbgrader's settings for a learner on the hub: where units come from and answers go to, and no more."""

import os

c = get_config()  # noqa: F821 - nbgrader defines it
c.CourseDirectory.course_id = "attention-course"
c.Exchange.root = os.environ["EXCHANGE"]  # jupyterhub_config.py sets it
c.Exchange.path_includes_course = True  # units are fetched into ~/attention-course/
