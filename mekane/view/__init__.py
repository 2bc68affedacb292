"""What a page needs to draw a mechanism and to move it, as plain data: the scene (scene.py) and its frames (frames.py).

Physics never imports this room, and nothing here knows a browser.
"""
