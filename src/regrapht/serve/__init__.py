"""A judge that stays: one process with tasks prepared and tools built, for agents over HTTP and MCP.

`desk.py` has what an agent can do, a method each; `http_server.py` and `mcp_server.py` carry it. What a tool may not do, no transport can:
nothing runs outside the judge's sandbox, no file of the machine is named by a caller, and no hidden input or expected value is told.
"""
