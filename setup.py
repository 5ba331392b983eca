"""Packs the folders that lie beside the package in the source tree into wheels and eggs.

Everything else is in pyproject.toml; scrapyd-deploy runs this file to build its egg.
"""

from __future__ import annotations

from setuptools import find_packages, setup

FOLDERS = ("models", "stopwords", "goldstandard")

setup(
    packages=[*find_packages(include=["taxocrawl*"]), *(f"taxocrawl.{name}" for name in FOLDERS)],
    package_dir={f"taxocrawl.{name}": name for name in FOLDERS},
    package_data={"": ["**/*"]},
    exclude_package_data={"": ["*.pyc", "**/*.pyc"]},
)
