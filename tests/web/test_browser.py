"""The whole story in a real browser: from the first account to judgments that are measured."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from taxocrawl.evaluate.ranking import REPORTED
from taxocrawl.items import Kind
from tests.sites.content import hosts
from tests.sites.expected import QUERY
from tests.sites.server import SmallWeb
from tests.web.browser import be_a_phone, chromium, complaints, requested, shot
from tests.web.conftest import PASSWORD
from tests.web.runs import Doc, digest_of, make_run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
PROJECT_DIR = Path(__file__).parents[2]
PATIENCE = 240
TITLES = (By.CSS_SELECTOR, ".columns h3")
ASPECTS = """new taxa: sp. nov. subsp. nov. new species new subspecies holotype
types: lectotype neotype type specimens designation
keys: identification key couplet"""
HOSTILE = [
    Doc("<script>window.owned = 1; document.title = 'owned'</script>", score=0.9),
    Doc("<svg onload='window.owned = 1'><image href=x onerror='window.owned = 1'>", score=0.8),
    Doc("\u202e\u2066txet desrever\u2069 \u200f direction", score=0.7),
    Doc("W" * 20_000, score=0.6),
    Doc(
        "A PDF that is HTML",
        "<img src=x onerror='window.owned = 1'> Pteropus <b>vampyrus</b> sp. nov.",
        Kind.PDF,
        b"%PDF-1.4\n<html><script>window.owned = 1</script></html>",
        score=0.5,
    ),
    Doc("A picture", "<svg><script>window.owned = 1</script></svg>", score=0.4),
]


class Desk(NamedTuple):
    address: str
    first_account: str
    runs: Path


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as web:
        yield web


@pytest.fixture(scope="module")
def desk(web, tmp_path_factory) -> Iterator[Desk]:
    """A desk as `make desk` starts it, whose operator lets it crawl loopback."""
    folder = tmp_path_factory.mktemp("served")
    make_run(folder / "runs", "hostile", HOSTILE)
    settings = {
        "DESK_DIR": folder / "desk",
        "RUNS_DIR": folder / "runs",
        "DESK_PRIVATE_HOSTS_ALLOWED": True,
        "CROSSREF_URL": web.url("search", "/works"),
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    }
    command = [sys.executable, "-m", "scrapy", "desk", "--port", "0"]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split()[2]
    first_account = process.stdout.readline().split()[2]
    yield Desk(address, first_account, folder / "runs")
    process.terminate()
    process.communicate()


@pytest.fixture(scope="module")
def browser(desk, tmp_path_factory):
    driver = chromium(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


def press(browser, text):
    """Press the button or follow the link with this text."""
    path = f"//main//*[self::button or self::a][contains(normalize-space(), '{text}')]"
    browser.find_element(By.XPATH, path).click()


def fill(browser, **fields):
    for name, value in fields.items():
        field = browser.find_element(By.NAME, name)
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        else:
            field.clear()
            field.send_keys(value)


def wait(browser, what):
    """Until something holds; a page may change between two looks."""
    changes = (StaleElementReferenceException, NoSuchElementException)
    return WebDriverWait(browser, PATIENCE, ignored_exceptions=changes).until(what)


def look(browser, name):
    """Keep a picture of a page, which must have nothing that axe complains of."""
    shot(browser, name)
    assert complaints(browser) == []


def text_at(browser, path):
    """What the desk answers at an address of its own, as the browser is logged in."""
    script = "const done = arguments[1]; fetch(arguments[0]).then((a) => a.text()).then(done)"
    return browser.execute_async_script(script, path)


def test_the_whole_story(browser, desk, web, tmp_path):
    make_first_account(browser, desk)
    run = crawl_the_small_web(browser, web)
    read_in_two_columns(browser, run)
    project = judge_ten_documents(browser, run)
    measure(browser, desk, project, tmp_path)
    read_short_texts(browser, desk)
    assert {host for host in requested(browser) if host.startswith("http")} == {
        desk.address.rstrip("/")
    }
    problems = [e for e in browser.get_log("browser") if "Content Security Policy" in e["message"]]
    assert problems == []


def make_first_account(browser, desk):
    browser.get(desk.address)
    assert browser.current_url.endswith("/first-account")
    browser.get(desk.first_account)
    look(browser, "01-first-account")
    fill(browser, username="ada", password1=PASSWORD, password2=PASSWORD)
    press(browser, "Make the account")
    assert "Runs" in browser.title
    browser.find_element(By.XPATH, "//button[contains(., 'Log out')]").click()
    look(browser, "02-log-in")
    fill(browser, username="ada", password=PASSWORD)
    press(browser, "Log in")
    look(browser, "03-runs")


def crawl_the_small_web(browser, web):
    press(browser, "New crawl")
    look(browser, "04-new-crawl")
    addresses = ",".join(host.address for host in hosts().values())
    fill(browser, queries=QUERY, iterations="1", allowed_hosts=addresses, aspects=ASPECTS)
    browser.find_element(By.CSS_SELECTOR, "input[value=europepmc]").click()
    press(browser, "Start the crawl")
    run = browser.current_url
    assert re.search(r"/runs/[\w-]{12}$", run), browser.find_element(By.TAG_NAME, "main").text
    shot(browser, "05-crawl-begins")
    # The page follows the crawl by itself, and is loaded anew once it has ended.
    wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, ".state").text == "finished")
    wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#live:not([data-live]) svg"))
    browser.get(run)
    look(browser, "06-progress")
    documents = browser.find_element(By.CSS_SELECTOR, ".figures dd").text
    assert int(documents) >= 10
    return run


def same_columns(titles):
    return titles and titles[: len(titles) // 2] == titles[len(titles) // 2 :]


def read_in_two_columns(browser, run):
    press(browser, "Results")
    look(browser, "07-results-mmr")
    titles = [h.text for h in browser.find_elements(*TITLES)]
    assert len(titles) % 2 == 0
    first, second = titles[: len(titles) // 2], titles[len(titles) // 2 :]
    assert sorted(first) == sorted(second)
    assert first != second
    # Letting go of the slider shows the new order: 1 is relevance alone.
    slider = browser.find_element(By.ID, "id_lambda_")
    browser.execute_script(
        "arguments[0].value = 1; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
        slider,
    )
    wait(browser, lambda b: "lambda_=1" in b.current_url)
    wait(browser, lambda b: same_columns([h.text for h in b.find_elements(*TITLES)]))
    browser.get(f"{run}/results?method=xquad&lambda_=0.8&length=10")
    look(browser, "08-results-xquad")
    browser.find_element(By.CSS_SELECTOR, ".columns h3 a").click()
    look(browser, "09-document")
    assert browser.find_elements(By.CSS_SELECTOR, "mark.act")
    assert browser.find_elements(By.CSS_SELECTOR, "mark.name")


def judge_ten_documents(browser, run):
    browser.get(f"{run}/results")
    press(browser, "Have them judged")
    look(browser, "10-new-project")
    fill(browser, number="10")
    press(browser, "Give them to the annotators")
    project = browser.current_url
    assert re.search(r"/annotation/[\w-]{12}$", project)
    browser.get(f"{project}/next")
    look(browser, "11-judging")
    for number in range(10):
        place = f"Document {number + 1} of 10"
        wait(browser, lambda b, place=place: place in b.page_source)
        keys = "n" if number % 4 == 3 else f"r{number % 3 + 1}"
        before = browser.current_url
        ActionChains(browser).send_keys(*keys).send_keys("s").perform()
        wait(browser, lambda b, before=before: b.current_url != before)
    wait(browser, lambda b: "Thank you" in b.page_source)
    look(browser, "12-own-judgments")
    return project


def measure(browser, desk, project, folder):
    browser.get(project)
    look(browser, "13-project")
    assert "10 of 10" in browser.page_source
    run = next(path for path in desk.runs.iterdir() if path.name != "hostile")
    for name in ("qrels.txt", "truth.csv"):
        (folder / name).write_text(text_at(browser, f"{project}/{name}"))
    scrapy = [sys.executable, "-m", "scrapy"]
    ranked = subprocess.run(
        [*scrapy, "rerank", str(run), "--first", "score", "--qrels", str(folder / "qrels.txt")],
        cwd=PROJECT_DIR,
        check=True,
        capture_output=True,
        text=True,
    )
    table = ranked.stderr
    assert all(measure in table for measure in REPORTED), table
    figures = [float(value) for value in re.findall(r"\d\.\d{4}", table)]
    assert len(figures) == 2 * len(REPORTED)
    assert max(figures) > 0
    evaluated = subprocess.run(
        [
            *(*scrapy, "evaluate", "crawl", str(run), "--truth", str(folder / "truth.csv")),
            *("--unlisted", "leave-out", "--json"),
        ],
        cwd=PROJECT_DIR,
        check=True,
        capture_output=True,
        text=True,
    )
    last = json.loads(evaluated.stdout)[-1]
    assert last["cumulative_tp"] + last["cumulative_fp"] >= 10


def read_short_texts(browser, desk):
    browser.get(f"{desk.address}texts/new")
    look(browser, "14-new-texts")
    lines = ["Large flying foxes on Java", "Large flying foxes on Java, again", "A virus in horses"]
    fill(browser, query="bats", lines="\n".join(lines))
    press(browser, "Make the list")
    look(browser, "15-short-texts")
    posts = [p.text for p in browser.find_elements(By.CSS_SELECTOR, ".post")]
    assert posts[:3] == lines
    assert posts[3:] == [lines[0], lines[2], lines[1]]
    for name in ("account", "accounts", "annotation", "texts"):
        browser.get(f"{desk.address}{name}")
        look(browser, f"16-{name}")


def test_hostile_documents_are_inert(browser, desk):
    browser.get(desk.address)
    if "login" in browser.current_url or "first-account" in browser.current_url:
        pytest.skip("the story that makes the account did not run")
    of_the_command_line = "//li[contains(., 'command line')]//h2/a"
    browser.find_element(By.XPATH, of_the_command_line).click()
    run = browser.current_url
    pages = [run, f"{run}/results", *(f"{run}/documents/{digest_of(one)}" for one in HOSTILE)]
    for number, page in enumerate(pages):
        browser.get(page)
        (look if number < 3 else shot)(browser, f"20-hostile-{number}")
        assert browser.execute_script("return window.owned") is None
        assert browser.title != "owned"
        made = (
            "return document.querySelectorAll('main script, main img, main image, main b').length"
        )
        assert browser.execute_script(made) == 0
        text = browser.find_element(By.TAG_NAME, "main").text
        assert not set(text) & set("\u202e\u2066\u2069\u200f")
        wide = "return document.documentElement.scrollWidth > window.innerWidth"
        assert not browser.execute_script(wide)
    assert "window.owned" in text_at(browser, f"{run}/documents/{digest_of(HOSTILE[4])}/text")
    kept = browser.execute_async_script(
        "const done = arguments[1]; fetch(arguments[0]).then((a) => "
        "done([...a.headers.entries()]))",
        f"{run}/documents/{digest_of(HOSTILE[4])}/copy",
    )
    headers = dict(kept)
    assert headers["content-disposition"].startswith("attachment")
    assert headers["content-type"] == "application/octet-stream"
    assert headers["content-security-policy"].startswith("sandbox")


def test_pages_fit_a_phone(browser, desk):
    browser.get(desk.address)
    if "login" in browser.current_url or "first-account" in browser.current_url:
        pytest.skip("the story that makes the account did not run")
    links = [a.get_attribute("href") for a in browser.find_elements(By.CSS_SELECTOR, ".cardhead a")]
    be_a_phone(browser)
    for number, page in enumerate(
        (desk.address, f"{links[0]}/results", links[0], f"{desk.address}runs/new")
    ):
        browser.get(page)
        wide = "return document.documentElement.scrollWidth > window.innerWidth"
        assert not browser.execute_script(wide), page
        shot(browser, f"30-phone-{number}")
