"""Benchmarks; `make bench` runs them and writes benchmarks/results/."""
