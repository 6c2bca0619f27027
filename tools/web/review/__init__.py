"""The page "Review": the questions that `review()` asks in a notebook, in any browser and without Python."""
