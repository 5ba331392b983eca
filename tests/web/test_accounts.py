"""The first account, logging in, roles."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from taxocrawl.exceptions import ArgumentError
from taxocrawl.web import throttle
from taxocrawl.web.models import Account, Role
from taxocrawl.web.server import PASSWORD as ENV_PASSWORD
from taxocrawl.web.server import USER as ENV_USER
from taxocrawl.web.server import make_first_account
from tests.web.conftest import CODE, PASSWORD

FIRST = {"code": CODE, "username": "ada", "password1": PASSWORD, "password2": PASSWORD}


def test_every_page_leads_to_the_first_account_while_there_is_none():
    for path in ("/", "/login", "/runs/new"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"]) == (302, "/first-account")


def test_the_first_account_is_logged_in_and_manages_the_others():
    client = Client()
    assert CODE in client.get("/first-account", {"code": CODE}).content.decode()
    assert client.post("/first-account", FIRST)["Location"] == "/"
    account = Account.objects.get()
    assert (account.username, account.role, account.is_superuser) == ("ada", Role.CURATOR, True)
    assert client.get("/accounts").status_code == 200
    assert Client().get("/first-account").status_code == 404


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"code": "guessed"}, "not the code"),
        ({"code": ""}, "required"),
        ({"password1": "bats", "password2": "bats"}, "too short"),
        ({"password1": "password1234", "password2": "password1234"}, "too common"),
        ({"password1": "ada lovely ada", "password2": "different one"}, "match"),
    ],
)
def test_a_first_account_is_refused_for_a_wrong_code_or_a_weak_password(changes, said):
    answer = Client().post("/first-account", {**FIRST, **changes})
    assert said in answer.content.decode()
    assert not Account.objects.exists()


def test_a_setup_code_cannot_be_guessed_for_long():
    client = Client()
    for _ in range(throttle.LIMITS["pair"]):
        client.post("/first-account", {**FIRST, "code": "guessed"})
    assert client.post("/first-account", FIRST).status_code == 429
    assert not Account.objects.exists()


def test_the_environment_makes_the_first_account_only():
    environment = {ENV_USER: "ada", ENV_PASSWORD: PASSWORD}
    assert not make_first_account({})
    assert make_first_account(environment)
    assert make_first_account({ENV_USER: "eve", ENV_PASSWORD: PASSWORD})
    assert [account.username for account in Account.objects.all()] == ["ada"]
    assert Client().login(username="ada", password=PASSWORD)


@pytest.mark.parametrize(
    ("name", "password"), [("ada", "short"), ("", PASSWORD), ("a b", PASSWORD)]
)
def test_a_first_account_of_the_environment_is_held_to_the_same_rules(name, password):
    with pytest.raises(ArgumentError, match=ENV_USER):
        make_first_account({ENV_USER: name, ENV_PASSWORD: password})


def test_pages_ask_for_a_log_in(person):
    person("ada")
    for path in ("/", "/runs/new", "/account", "/accounts"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Location"]) == (302, f"/login?next={path}")


def test_logging_in_and_out(person):
    person("ada")
    client = Client()
    answer = client.post("/login?next=/account", {"username": "ada", "password": PASSWORD})
    assert answer["Location"] == "/account"
    assert client.get("/account").status_code == 200
    assert client.post("/logout").status_code == 302
    assert client.get("/account").status_code == 302


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_a_log_in_leads_to_no_other_host(person, target):
    person("ada")
    data = {"username": "ada", "password": PASSWORD, "next": target}
    assert Client().post("/login", data)["Location"] == "/"


def test_guessing_a_password_is_slowed_down(person):
    person("ada")
    client = Client()
    wrong = {"username": "Ada", "password": "guess"}
    for _ in range(throttle.LIMITS["pair"]):
        assert client.post("/login", wrong).status_code == 200
    right = {"username": "ada", "password": PASSWORD}
    answer = client.post("/login", right)
    assert answer.status_code == 429
    assert "Too many attempts" in answer.content.decode()
    # From elsewhere, whose account it is can still log in.
    assert client.post("/login", right, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_one_address_cannot_try_one_password_on_many_accounts():
    Account.objects.create(username="ada")
    client = Client()
    for number in range(throttle.LIMITS["address"]):
        client.post("/login", {"username": f"user{number}", "password": "guess"})
    assert client.post("/login", {"username": "last", "password": "guess"}).status_code == 429


def test_forms_need_their_token(person):
    person("ada")
    client = Client(enforce_csrf_checks=True)
    data = {"username": "ada", "password": PASSWORD}
    assert client.post("/login", data).status_code == 403
    page = client.get("/login").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    assert client.post("/login", {**data, "csrfmiddlewaretoken": token}).status_code == 302


def test_accounts_are_managed_by_one_who_may(person):
    manager, other = person("ada", "curator", manages=True), person("eve", "curator")
    new = {"username": "bob", "role": "annotator", "password1": PASSWORD, "password2": PASSWORD}
    assert other.get("/accounts").status_code == 403
    assert other.post("/accounts", new).status_code == 403
    assert manager.post("/accounts", new).status_code == 302
    bob = Account.objects.get(username="bob")
    assert other.post(f"/accounts/{bob.pk}", {"role": "curator"}).status_code == 403
    manager.post(f"/accounts/{bob.pk}", {"role": "curator", "is_active": "on"})
    bob.refresh_from_db()
    assert (bob.role, bob.is_active, bob.is_superuser) == ("curator", True, False)


def test_an_account_that_is_shut_out_stays_out(person):
    manager, eve = person("ada", "curator", manages=True), person("eve")
    assert eve.get("/").status_code == 200
    manager.post(f"/accounts/{eve.account.pk}", {"role": "reader"})
    assert eve.get("/").status_code == 302
    assert not Client().login(username="eve", password=PASSWORD)


def test_nobody_changes_their_own_role(person):
    manager = person("ada", "curator", manages=True)
    manager.post(f"/accounts/{manager.account.pk}", {"role": "reader"})
    manager.account.refresh_from_db()
    assert (manager.account.role, manager.account.is_active) == ("curator", True)


def test_a_password_is_changed_by_who_knows_it(person):
    client = person("ada")
    new = "another bat 1775"
    data = {"new_password1": new, "new_password2": new}
    assert client.post("/account", {"old_password": "wrong", **data}).status_code == 200
    assert client.post("/account", {"old_password": PASSWORD, **data}).status_code == 302
    assert client.get("/account").status_code == 200
    assert Client().login(username="ada", password=new)


@pytest.mark.parametrize("role", list(Role))
def test_a_role_may_what_those_below_it_may(role):
    account = Account(username="ada", role=role)
    assert [account.may(one) for one in Role] == [
        list(Role).index(one) <= list(Role).index(role) for one in Role
    ]
