"""The pretrained model as a page fetches it: made small, cut into parts, and run under Node.js."""
