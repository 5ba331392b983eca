"""Candidate rankings of short texts: reading, first ranking, reranking and writing."""
