"""From the wheels of verl to the snapshots in `schema/snapshots`; no check needs any of this."""
