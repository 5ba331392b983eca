"""Tokens, stop words, stems, scientific names and nomenclatural acts."""
