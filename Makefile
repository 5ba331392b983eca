PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: help crawl redis-crawl desk resources scrapyd test lint check clean
help:
	@echo "make crawl   install into $(VENV) and crawl the small web that ships with the project"
	@echo "make redis-crawl WORKERS=2  the same by several workers on one Redis (REDIS_URL)"
	@echo "make desk    install and start the review desk, and print its address"
	@echo "make resources  get word vectors, sentence model and WordNet (210 MB) that some tests need"
	@echo "make scrapyd serve scrapyd on 127.0.0.1:6800 (docs/scheduled.md)"
	@echo "make test    run the tests"
	@echo "make lint    ruff, mypy and the import contracts"
	@echo "make check   lint and test"

$(VENV)/installed: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/installed-desk: $(VENV)/installed requirements-desk.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-desk.txt
	touch $@

$(VENV)/installed-scrapyd: $(VENV)/installed requirements-scrapyd.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-scrapyd.txt
	touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-desk.txt requirements-embeddings.txt requirements-scrapyd.txt requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

crawl: $(VENV)/installed
	$(BIN)/python -m tests.sites.quickstart

WORKERS ?= 2
redis-crawl: $(VENV)/installed
	$(BIN)/python -m tests.sites.redis_quickstart $(WORKERS)

desk: $(VENV)/installed-desk
	$(BIN)/scrapy desk

resources/glove resources/minilm resources/wordnet: | $(VENV)/installed-dev
	$(BIN)/scrapy resources $(notdir $@)

resources: resources/glove resources/minilm resources/wordnet

scrapyd: $(VENV)/installed-scrapyd
	$(BIN)/python -m scrapyd --pidfile=

# Tests wait for servers, crawls and hosts more than they compute.
TEST_PROCESSES ?= 3
test: $(VENV)/installed-dev
	$(BIN)/pytest --numprocesses $(TEST_PROCESSES) --dist loadfile

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

clean:
	rm -rf $(VENV) runs .pytest_cache .mypy_cache .ruff_cache
