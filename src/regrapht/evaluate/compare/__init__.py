"""Whether outputs are right: tolerances are made here, and outputs are compared with what the reference gave."""
