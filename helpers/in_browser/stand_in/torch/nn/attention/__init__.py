"""`torch.nn.attention`."""
