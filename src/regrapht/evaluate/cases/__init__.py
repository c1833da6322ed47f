"""What a candidate is tried on: shapes, inputs with their right outputs, the pools of bench shapes, and whether a reference can be
held against anybody.
"""
