"""Tasks that are made when they are judged, from templates and a seed, so that their text stands nowhere before."""
