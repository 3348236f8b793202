"""Where data are: URLs whose text never shows a password.

A URL is parsed once, where it enters. From then on it is a `Location`: a string that can be printed, quoted, logged or
stored, because its text is masked. Only `address` holds the secrets, for the driver that connects.
"""

import re
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote, unquote

MASK: Final = "***"
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
# A password may hold any sign, even those that should have been percent-encoded: it ends at the last @.
_USER: Final = re.compile(r"([^:/?#]*):(.*)@(.*)", re.DOTALL)
_HOST: Final = re.compile(r"(?:[^:/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*)(?::\d*)?(?=[/?#,]|$)")
_QUERY: Final = re.compile(r"[^?@]*\?[\w.-]+=.*", re.DOTALL)
_SECRET: Final = re.compile(r"pass|pwd|token|secret|key|credential|signature", re.IGNORECASE)
# A URL inside a text: where it ends can only be guessed.
_INSIDE: Final = re.compile(r"[a-z][a-z0-9+.-]+://\S*", re.IGNORECASE)
SHORT: Final = 2  # letters of a secret that is too short to look for in a text


def scheme_of(path: object) -> str | None:
    """Return the scheme of a URL in lower case; None if it is not a URL."""
    match = _SCHEME.match(path) if isinstance(path, str) else None
    return match.group(1).lower() if match else None


class Location(str):
    """A URL whose text is masked.

    Attributes
    ----------
    address
        The URL as a driver takes it: with its secrets, percent-encoded, and without the table. Not to be shown.
    table
        The name of the table, after the last #; empty if there is none.
    secrets
        The password and every other secret, as given, decoded and encoded.
    """

    __slots__ = ("address", "given", "secrets", "table")

    address: str
    given: str
    secrets: tuple[str, ...]
    table: str

    def __new__(cls, url: str) -> "Location":
        """Parse a URL; a location is returned as it is."""
        if isinstance(url, Location):
            return url
        scheme, _, rest = url.partition("://")
        user, password, rest = _user_of(rest)
        place, hash_sign, table = rest.rpartition("#") if "#" in rest else (rest, "", "")
        place, mark, query = place.partition("?")
        parameters = _parameters(query)
        shown = "&".join(f"{name}{MASK}" if secret else name + value for name, value, secret in parameters)
        whole = "&".join(name + (_encoded(value) if secret else value) for name, value, secret in parameters)
        start, end = f"{scheme}://{user}", f"@{place}{mark}"
        if password is None:
            start, end = start + place, mark
        made = super().__new__(cls, f"{start}{'' if password is None else ':' + MASK}{end}{shown}{hash_sign}{table}")
        made.address = f"{start}{'' if password is None else ':' + _encoded(password)}{end}{whole}"
        made.given, made.table = url, table
        hidden = [password or "", *(value for _, value, secret in parameters if secret)]
        forms = [form for each in hidden for form in (each, unquote(each), _encoded(each))]
        made.secrets = tuple(sorted({form for form in forms if form}, key=len, reverse=True))
        return made

    def __reduce__(self) -> Any:
        return Location, (self.given,)


def located(value: Any) -> Any:
    """Turn a URL, or each URL in a list or tuple, into a `Location`; anything else stays as it is."""
    if isinstance(value, list | tuple) and any(map(scheme_of, value)):
        return [located(each) for each in value]
    return value if scheme_of(value) is None else Location(value)


def hidden(argument: str) -> str:
    """Return an argument of a command line, URL or --option=URL, without its secrets."""
    option, equals, value = argument.partition("=") if argument.startswith("-") else ("", "", argument)
    return f"{option}{equals}{located(value)}" if scheme_of(value) else masked(argument)


def secrets_in(arguments: Iterable[str]) -> tuple[str, ...]:
    """Return the secrets that the URLs among the arguments of a command line hold."""
    found = [argument[match.start() :] for argument in arguments if (match := _SCHEME.search(argument))]
    return tuple(secret for url in found for secret in Location(url).secrets)


def masked(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return a text without the passwords of the URLs in it, nor any of the secrets that are known."""
    for secret in secrets:
        if len(secret) > SHORT:
            text = text.replace(secret, MASK)
    return _INSIDE.sub(lambda found: Location(found.group()), text) if "://" in text else text


def _user_of(rest: str) -> tuple[str, str | None, str]:
    """Split what follows the scheme into the user, the password, if there is one, and the rest."""
    if rest.startswith("/"):
        return "", None, rest  # a file
    match, host = _USER.match(rest), _HOST.match(rest)
    if match is None:
        # host:port; or a user and a password, but no host
        user, _, password = rest.partition(":")
        return ("", None, rest) if host or not password else (user, password, "")
    user, password, after = match.groups()
    is_port = host is not None and ("@" in user or _QUERY.fullmatch(rest))
    return ("", None, rest) if is_port else (user, password, after)


def _parameters(query: str) -> list[tuple[str, str, bool]]:
    """Return the parameters of a query as name=, value, and whether the value is secret."""
    found: list[tuple[str, str, bool]] = []
    for part in query.split("&") if query else []:
        name, equals, value = part.partition("=")
        if not equals:  # what follows an & inside a secret
            found.append(("", part, bool(found) and found[-1][2]))
        else:
            found.append((name + equals, value, bool(_SECRET.search(name)) or "@" in value))
    return found


def _encoded(secret: str) -> str:
    """Percent-encode a secret that may be encoded already."""
    return quote(unquote(secret), safe="")
