"""What makes the course's pages out of what Sphinx writes: each file has one matter."""
