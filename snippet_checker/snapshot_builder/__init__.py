"""From the wheels of verl to the snapshots in `verl/snapshots`; no check needs any of this."""
