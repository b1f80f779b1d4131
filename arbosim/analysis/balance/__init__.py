"""Metrics of balance: what the games of a run say of the rules they were played by; docs/balance.md lists them."""

from arbosim.analysis.balance.metric import GROUPS, Metric
from arbosim.analysis.balance.registry import METRICS, metrics
from arbosim.analysis.balance.sample import Estimates, Sample

__all__ = ["GROUPS", "METRICS", "Estimates", "Metric", "Sample", "metrics"]
