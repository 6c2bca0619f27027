"""In and out of the LMS: a class, what it hands in, its marks and its feedback, for Canvas and Moodle."""
