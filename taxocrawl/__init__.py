"""taxocrawl: focused crawling of the documents of one topic."""

__version__ = "0.1.0"
