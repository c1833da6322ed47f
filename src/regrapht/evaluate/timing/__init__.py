"""How long programs take: candidates in turn with a trusted partner, baselines, and the clocks that are not believed."""
