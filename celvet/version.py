"""The version of celvet and where its pages are, for the package, the reports and the build."""

__version__ = "0.1.0"
REPOSITORY = "https://github.com/celvet/celvet"
