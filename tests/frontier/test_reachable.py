from __future__ import annotations

import pytest

from taxocrawl.frontier.reachable import is_private_host, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.10",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "::1",
        "[::1]",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "",
        "example.org",
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "printer",
        "printer.local",
        "db.internal",
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "169.254.169.254",
        "::1",
        "[::1]",
        "fe80::1",
        "",
    ],
)
def test_hosts_that_are_private_by_their_name(host: str) -> None:
    assert is_private_host(host)


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8", "134744072", "2606:4700::1111"])
def test_hosts_that_may_be_public(host: str) -> None:
    assert not is_private_host(host)
