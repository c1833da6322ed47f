"""How long arrays have to be, and what index arrays may hold."""
