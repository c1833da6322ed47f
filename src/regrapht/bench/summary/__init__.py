"""What an experiment comes to: the cells that can be compared, tables, curves and conclusions."""
