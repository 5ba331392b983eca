"""One crawl on many workers: Scrapy's and scrapy-redis' side of the shared frontier.

Of scrapy-redis come the connection with its settings (`connection`) and the start URLs that are
pushed while a crawl runs (`seeds`). Its scheduler, queues and duplicate filter lose what a killed
worker holds and know neither iterations nor hosts; `scheduler` puts the shared frontier
(`taxocrawl.frontier.redis`) in their place.
"""
