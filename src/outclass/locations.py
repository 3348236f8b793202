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
_SECRET: Final = re.compile(r"pass|pwd|token|secret|key|credential|signature|^(?:pw|auth|sas|sig)$", re.IGNORECASE)
# Outside a query a name may be anything, so that a plain `key` is none.
_SECRET_NAME: Final = re.compile(
    r"password|passwd|passphrase|pwd|token|secret|credential|signature|(?:api|access|account|private)[_-]?key"
    r"|(?:^|[._-])(?:pass|pw|auth|sas|sig)$",
    re.IGNORECASE,
)
# A URL inside a text: where it ends can only be guessed.
_INSIDE: Final = re.compile(r"(?<![a-z0-9+.-])[a-z0-9+.-]+://\S*", re.IGNORECASE)
# The schemes of files, which have no user; what follows a colon is no password.
_FILES: Final = ("duckdb", "sqlite", "file")
# Where a URL starts in what was given, and a URL that lacks a slash.
_START: Final = re.compile(r"(?<![a-z0-9+.-])[a-z0-9+.-]+://", re.IGNORECASE)
_ONE_SLASH: Final = re.compile(r"(\s*(?:jdbc:)?[a-z][a-z0-9+.-]+:/?)([^:/?#@]*):(.*)@(.*)", re.IGNORECASE | re.DOTALL)
# name=value in a place (';password=', ' password=' of libpq): the value may hold any sign, and ends at the next name.
_PAIR: Final = re.compile(
    r"((?<![\w.-])[\w.-]+\s*=\s*)(.+?)(?=[;&\s]\s*[\w.-]+\s*=|#[^#]*$|$)", re.IGNORECASE | re.DOTALL
)
# The same in a sentence, where it ends sooner.
_PAIR_INSIDE: Final = re.compile(r"((?<![\w.-])[\w.-]+=)('[^']+'|\"[^\"]+\"|[^\s;&'\"⟩]+)")
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
        user, password, rest = ("", None, rest) if scheme.lower() in _FILES and "@" not in rest else _user_of(rest)
        place, hash_sign, table = rest.rpartition("#") if "#" in rest else (rest, "", "")
        place, mark, query = place.partition("?")
        parameters = _parameters(query)
        shown = "&".join(f"{name}{MASK}" if secret else name + value for name, value, secret in parameters)
        whole = "&".join(name + (_encoded(value) if secret else value) for name, value, secret in parameters)
        start, end = f"{scheme}://{user}", f"@{place}{mark}"
        if password is None:
            start, end = start + place, mark
        text = f"{start}{'' if password is None else ':' + MASK}{end}{shown}{hash_sign}{table}"
        text, others = _without_pairs(text)
        made = super().__new__(cls, text)
        made.address = f"{start}{'' if password is None else ':' + _encoded(password)}{end}{whole}"
        made.given, made.table = url, table
        made.secrets = _forms([password or "", *(value for _, value, secret in parameters if secret), *others])
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
    return f"{option}{equals}{disguised(value)}"


def secrets_in(arguments: Iterable[str]) -> tuple[str, ...]:
    """Return the secrets that the places among the arguments of a command line hold."""
    return tuple(secret for argument in arguments for secret in _disguised(argument)[1])


def disguised(name: str) -> str:
    """Return a name that was given, which may be a place in any spelling, without the secrets in it."""
    return _disguised(name)[0]


def masked(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return a text without the passwords of the URLs in it, nor any of the secrets that are known."""
    for secret in secrets:
        if len(secret) > SHORT:
            text = text.replace(secret, MASK)
    text = _INSIDE.sub(lambda found: Location(found.group()), text) if "://" in text else text
    return _PAIR_INSIDE.sub(lambda found: found[1] + MASK if _is_secret(found[1]) else found[0], text)


def _disguised(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a name without secrets, and the secrets."""
    if isinstance(name, Location):
        return name, name.secrets
    if "://" in name and (match := _START.search(name)):
        place = Location(name[match.start() :])
        start, others = _without_pairs(name[: match.start()])
        return start + place, (*place.secrets, *_forms(others))
    # Not a URL, but perhaps meant as one: postgresql:/user:password@host.
    slip = _ONE_SLASH.fullmatch(name) if "@" in name else None
    text, others = _without_pairs(f"{slip[1]}{slip[2]}:{MASK}@{slip[4]}" if slip else name)
    return text, _forms([*others, *([slip[3]] if slip else [])])


def _without_pairs(text: str) -> tuple[str, list[str]]:
    """Return a place without the values of passwords and tokens in it, and those values."""
    found: list[str] = []

    def without(pair: re.Match[str]) -> str:
        if not _is_secret(pair[1]) or pair[2].rstrip("'\".,:)") == MASK:
            return pair[0]
        found.append(pair[2])
        return pair[1] + MASK

    return (_PAIR.sub(without, text) if "=" in text else text), found


def _is_secret(name: str) -> bool:
    return _SECRET_NAME.search(name.rstrip("= \t\n")) is not None


def _forms(secrets: Iterable[str]) -> tuple[str, ...]:
    """Return secrets as given, without quotes, decoded and encoded; the longest first."""
    bare = [form for each in secrets for form in (each, each.strip("'\""))]
    forms = [form for each in bare for form in (each, unquote(each), _encoded(each))]
    return tuple(sorted({form for form in forms if form}, key=len, reverse=True))


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
