"""Signals that the scheduler sends, beside Scrapy's own."""

from __future__ import annotations

iteration_started = object()
"""``handler(iteration, selected)``: an iteration's URLs were selected, so many of them."""

iteration_finished = object()
"""``handler(iteration)``: the last page of an iteration was settled. Sent again when a crawl was
killed before it could note that it had been sent."""

redirected_to_known = object()
"""``handler(url, target_url, fetch)``: a request was spent on a redirect to a page that has an
entry of its own; `fetch` is its line of fetches.csv, already in the frontier."""

settled_without_page = object()
"""``handler(fetch)``: an entry was settled by the scheduler, without a page going through the
pipelines; `fetch` is its line of fetches.csv, already in the frontier."""

storage_failed = object()
"""``handler(error)``: the frontier cannot be written; the crawl is being closed."""
