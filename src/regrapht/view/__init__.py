"""Looking at runs and experiments in a browser, live and past: read only, on loopback, behind a token.

`walk.py` and `pages.py` know what is shown, `door.py` who may look, `listening.py` how it is served.
"""
