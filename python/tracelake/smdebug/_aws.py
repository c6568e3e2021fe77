"""Imports boto3. Only calls of SageMaker and writing to S3 need it; reading from S3 does not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["boto3"]


def boto3(what: str) -> Any:  # noqa: ANN401 - a module is typed by its user
    """Imports and returns boto3, or raises an `ImportError` with the install command.

    Example:
        >>> from tracelake.smdebug._aws import boto3
        >>> boto3("ask SageMaker").__name__
        'boto3'
    """
    try:
        return import_module("boto3")
    except ModuleNotFoundError as error:
        text = f"cannot {what}: `boto3` is not installed\n  hint:   pip install boto3"
        raise ImportError(text, name="boto3") from error
