"""Names in SQL."""


def quote(name: str) -> str:
    """Quote a name from a file as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
