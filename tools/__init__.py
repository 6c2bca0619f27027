"""The commands of the course; `python tools/course.py help` lists them."""
