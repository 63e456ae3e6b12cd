"""RenderDoc captures in Python: run a program under RenderDoc, replay its capture, decode buffers, draw pictures."""
