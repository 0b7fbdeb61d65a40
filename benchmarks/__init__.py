"""Measurements: equality first, then speed (benchmarks/README.md)."""
