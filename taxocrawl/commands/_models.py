"""The models that the settings name, for commands that decide without a crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taxocrawl.exceptions import SettingError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from taxocrawl.classify.base import Classifier


def load_models(settings: BaseSettings) -> dict[str, Classifier]:
    """The classifiers of CLASSIFIER_HTML and CLASSIFIER_PDF, by kind ("html", "pdf").

    Raises ModelError, and SettingError when the filter is switched off.
    """
    from taxocrawl.classify import load_classifier

    names = {kind: settings[f"CLASSIFIER_{kind.upper()}"] for kind in ("html", "pdf")}
    if not names["html"]:
        raise SettingError("CLASSIFIER_HTML is empty; expected the name of a model folder")
    place = Path(settings["MODELS_DIR"])
    return {kind: load_classifier(place / (name or names["html"])) for kind, name in names.items()}
