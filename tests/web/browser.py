"""Debian's Chromium without a window, for tests."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
    "--window-size=1280,1000",
)
OUTPUT = Path(__file__).parents[2] / "test-output" / "desk"
# Found by people and machines to be wrong often enough to look at, and not by rule.
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def chromium(profile: Path) -> webdriver.Chrome:
    """A browser; skips the test without one, and fails where all tests must run."""
    paths = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in paths:
        message = "needs chromium and chromedriver (Debian: chromium, chromium-driver)"
        if os.environ.get("TAXOCRAWL_REQUIRE_ALL"):
            pytest.fail(message)
        pytest.skip(message)
    options = Options()
    options.binary_location = paths[0]
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(paths[1]))
    driver.set_page_load_timeout(120)
    driver.set_script_timeout(120)
    return driver


def requested(driver: webdriver.Chrome) -> set[str]:
    """Schemes and hosts of all that pages asked for since the last call."""
    found = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.add("/".join(message["params"]["request"]["url"].split("/")[:3]))
    return found


def shot(driver: webdriver.Chrome, name: str) -> None:
    """Keep a picture of the whole page as test output."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    height = driver.execute_script("return document.documentElement.scrollHeight")
    width = driver.execute_script("return window.innerWidth")
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {
            "width": width,
            "height": min(height, 3000),
            "deviceScaleFactor": 1,
            "mobile": width < 600,
        },
    )
    driver.save_screenshot(str(OUTPUT / f"{name}.png"))
    if width >= 600:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def be_a_phone(driver: webdriver.Chrome) -> None:
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )


def complaints(driver: webdriver.Chrome) -> list[str]:
    """What axe-core finds wrong with the page, one line each."""
    from axe_core_python.selenium import Axe

    found = Axe().run(driver, options={"runOnly": {"type": "tag", "values": AXE_TAGS}})
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
