"""Forms about accounts."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm

from taxocrawl.web.models import Account, Role

if TYPE_CHECKING:
    _NewAccount = UserCreationForm[Account]
    _OfAccount = forms.ModelForm[Account]
else:
    _NewAccount, _OfAccount = UserCreationForm, forms.ModelForm


class AccountForm(_NewAccount):
    """A new account with its role."""

    class Meta:
        model = Account
        fields = ("username", "role")
        labels: ClassVar = {"username": "Name", "role": "Role"}


class FirstAccountForm(_NewAccount):
    """The account that manages the others. Asks for the code of the desk's terminal."""

    code = forms.CharField(
        label="Setup code",
        max_length=80,
        help_text="Printed in the terminal in which the desk was started.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    field_order = ("code", "username", "password1", "password2")

    class Meta:
        model = Account
        fields = ("username",)
        labels: ClassVar = {"username": "Name"}

    def clean_code(self) -> str:
        given, expected = self.cleaned_data["code"].strip(), settings.DESK.setup_code
        if not expected or not secrets.compare_digest(given.encode(), expected.encode()):
            raise forms.ValidationError("This is not the code that the terminal shows.")
        return str(given)

    def save(self, commit: bool = True) -> Any:
        self.instance.role = Role.CURATOR
        self.instance.is_superuser = self.instance.is_staff = True
        return super().save(commit)


class RoleForm(_OfAccount):
    """An account's role, and whether it may log in."""

    class Meta:
        model = Account
        fields = ("role", "is_active")
        labels: ClassVar = {"role": "Role", "is_active": "May log in"}


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(label="What it is for", max_length=80)
