"""The small web: five hosts on loopback, written by us, for the quick start and the tests."""
