"""The report: one HTML file that says what a fitted model found, for reading offline."""

from siernet.report.page import render_report, write_report

__all__ = ["render_report", "write_report"]
