"""The version of celvet, for the package, the reports and the build."""

__version__ = "0.1.0"
