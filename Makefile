PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: help crawl test lint check clean
help:
	@echo "make crawl   install into $(VENV) and crawl the small web that ships with the project"
	@echo "make test    run the tests"
	@echo "make lint    ruff, mypy and the import contracts"
	@echo "make check   lint and test"

$(VENV)/installed: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

crawl: $(VENV)/installed
	$(BIN)/python -m tests.sites.quickstart

test: $(VENV)/installed-dev
	$(BIN)/pytest

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

clean:
	rm -rf $(VENV) runs .pytest_cache .mypy_cache .ruff_cache
