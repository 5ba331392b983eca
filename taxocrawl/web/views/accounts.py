"""Logging in and out, the first account, and the accounts of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods, require_POST

from taxocrawl.web import throttle
from taxocrawl.web.forms import posted
from taxocrawl.web.forms.accounts import AccountForm, FirstAccountForm, RoleForm, TokenForm
from taxocrawl.web.models import Account, ApiToken
from taxocrawl.web.permissions import account_of
from taxocrawl.web.tokens import new_token

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@method_decorator(login_not_required, name="dispatch")
class DeskLogin(LoginView):
    """The log-in; attempts beyond the limits of `throttle` are not looked at."""

    template_name = "desk/login.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if throttle.is_blocked(request, request.POST.get("username", "")):
            form = AuthenticationForm(request)
            minutes = int(throttle.WINDOW.total_seconds() // 60)
            context = self.get_context_data(form=form, blocked=minutes)
            return self.render_to_response(context, status=429)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        throttle.record_failure(self.request, self.request.POST.get("username", ""))
        return super().form_invalid(form)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        throttle.forget(self.request, form.cleaned_data["username"])
        return super().form_valid(form)


@login_not_required
@require_http_methods(["GET", "POST"])
def first_account(request: HttpRequest) -> HttpResponse:
    """The form for the account that manages the desk; only while there is none."""
    if Account.objects.exists():
        raise Http404
    form = FirstAccountForm(posted(request), initial={"code": request.GET.get("code", "")})
    blocked = request.method == "POST" and throttle.is_blocked(request, "")
    if request.method == "POST" and not blocked:
        if form.is_valid():
            with transaction.atomic():
                if Account.objects.exists():
                    raise Http404
                account = form.save()
            login(request, account, _BACKEND)
            return redirect("runs")
        throttle.record_failure(request, "")
    status = 429 if blocked else 200
    return render(
        request, "desk/first_account.html", {"form": form, "blocked": blocked}, status=status
    )


@require_http_methods(["GET", "POST"])
def own_account(request: HttpRequest) -> HttpResponse:
    """One's own account: password and tokens."""
    account = account_of(request)
    form = PasswordChangeForm(account, posted(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, account)
        messages.success(request, "Your password is changed.")
        return redirect("account")
    return render(
        request,
        "desk/account.html",
        {
            "form": form,
            "token_form": TokenForm(),
            "tokens": ApiToken.objects.filter(account=account).order_by("-created"),
        },
    )


@require_POST
def create_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it, once."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say what the token is for.")
        return redirect("account")
    token = new_token(account_of(request), form.cleaned_data["name"])
    return render(request, "desk/token.html", {"token": token, "name": form.cleaned_data["name"]})


@require_POST
def delete_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """Take a token of one's own back."""
    get_object_or_404(ApiToken, pk=token_id, account=account_of(request)).delete()
    messages.success(request, "The token does not work any more.")
    return redirect("account")


@require_http_methods(["GET", "POST"])
def accounts(request: HttpRequest) -> HttpResponse:
    """All accounts, and the form for a new one; for the one who manages them."""
    _check_manager(request)
    form = AccountForm(posted(request))
    if request.method == "POST" and form.is_valid():
        made = form.save()
        messages.success(request, f"{made.username} can log in now.")
        return redirect("accounts")
    rows = [(one, RoleForm(instance=one)) for one in Account.objects.order_by("username")]
    return render(
        request, "desk/accounts.html", {"form": form, "rows": rows, "section": "accounts"}
    )


@require_POST
def change_account(request: HttpRequest, account_id: int) -> HttpResponse:
    """Give an account another role, or shut it out."""
    _check_manager(request)
    account = get_object_or_404(Account, pk=account_id)
    form = RoleForm(request.POST, instance=account)
    if account.pk == account_of(request).pk:
        messages.error(request, "You cannot change your own role.")
    elif form.is_valid():
        form.save()
        messages.success(request, f"{account.username} is changed.")
    return redirect("accounts")


def _check_manager(request: HttpRequest) -> None:
    if not account_of(request).is_superuser:
        raise PermissionDenied
