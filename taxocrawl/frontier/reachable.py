"""Which addresses belong to the public internet."""

from __future__ import annotations

import ipaddress
import socket

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa", "lan")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet.

    Loopback, private, link-local, shared, multicast, reserved and unspecified ones are not, nor
    what is no address at all. An IPv6 address that carries an IPv4 one is as public as that is.
    """
    try:
        found = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


def is_private_host(host: str) -> bool:
    """Whether a URL's host is, by its name alone, none of the public internet.

    An address in any form that a resolver takes (``127.1``, ``0x7f000001``, ``2130706433``), or a
    name that is only of local use. Other names can be told by their address alone.
    """
    name = host.strip("[]").rstrip(".").lower()
    if not name or ("." not in name and ":" not in name and not name[:1].isdigit()):
        return True
    if name.endswith(tuple(f".{local}" for local in _LOCAL_NAMES)):
        return True
    try:
        return not is_public(socket.inet_ntoa(socket.inet_aton(name)))
    except OSError:
        return ":" in name and not is_public(name)
