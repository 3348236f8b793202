"""Priors that need not be conjugate: any PyMC distribution or PreliZ."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from typing import Any, Final

from outclass.errors import InputError, MissingExtraError, shown, unknown

LARGEST: Final = 1e12  # parameter of a distribution, as of pseudo-counts
# What PyMC takes besides the parameters of a distribution.
NOT_OF_A_LAW = {"observed", "transform", "default_transform", "initval", "dims", "shape", "size", "total_size", "rng"}


@dataclass(frozen=True)
class Law:
    """A prior by its name in reports, and how it is made in a PyMC model: a variable's name -> the variable.

    Distributions are the same if they were read from the same text, or are the same object: a model is then compiled
    once.
    """

    name: str
    key: "str | Same"
    make: Callable[[str], Any] = field(compare=False)

    def __reduce__(self) -> Any:
        # A distribution that was read from text is read again where it is sent.
        return (law_of_text, (self.key,)) if isinstance(self.key, str) else (Law, (self.name, self.key, self.make))


class Same:
    """A value that equals itself alone; it is kept, so that no other can take its place in memory.

    What was sent to another process twice is the same there, too.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self) -> Any:
        return _received, (_number_of(self), self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


_NUMBERS: Final = count()
_RECEIVED: Final[dict[int, Same]] = {}


@lru_cache(maxsize=64)
def _number_of(same: Same) -> int:
    return next(_NUMBERS)


def _received(number: int, value: Any) -> Same:
    return _RECEIVED.setdefault(number, Same(value))


def pymc() -> Any:
    """Load PyMC, or say where it comes from."""
    try:
        import pymc
    except ImportError:
        raise MissingExtraError.named("mcmc", "sampling, and priors that are not conjugate") from None
    return pymc


def is_law(value: Any) -> bool:
    """Return whether a value is a distribution, or makes one; not numbers."""
    return isinstance(value, Law) or callable(value) or hasattr(value, "to_pymc") or hasattr(value, "owner")


def law_of(value: Any) -> Law:
    """Read a prior: PyMC's `Name.dist(...)`, a PreliZ distribution, or a function of the variable's name."""
    if isinstance(value, Law):
        return value
    if hasattr(value, "to_pymc"):
        return Law(str(value).replace("\n", " "), Same(value), value.to_pymc)
    if getattr(value, "owner", None) is not None:
        return Law(_told(value), Same(value), partial(_registered, value))
    if callable(value):
        return Law(getattr(value, "__name__", "own"), Same(value), value)
    raise InputError(f"a prior must be numbers, a range, or a PyMC or PreliZ distribution; got {type(value).__name__}.")


def law_of_text(text: str) -> Law:
    """Read a PyMC distribution as it is written, as in `TruncatedNormal(mu=0.8, sigma=0.1, lower=0, upper=1)`.

    Names and numbers only: nothing is evaluated.
    """
    try:
        tree = ast.parse(text, mode="eval").body
        if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
            raise ValueError(text)
        values = [_number(argument) for argument in tree.args]
        named = {str(each.arg): _number(each.value) for each in tree.keywords if each.arg is not None}
        if len(named) != len(tree.keywords) or set(named) & NOT_OF_A_LAW:
            raise ValueError(text)
    except (ValueError, OverflowError, SyntaxError, RecursionError, MemoryError):
        raise InputError(
            f"cannot read the prior {shown(text)}: write a PyMC distribution with numbers, as in "
            "TruncatedNormal(mu=0.8, sigma=0.1, lower=0, upper=1)."
        ) from None
    called = tree.func.id
    if wild := [value for value in (*values, *named.values()) if not abs(value) <= LARGEST]:
        raise InputError(
            f"the prior {shown(text)} has the parameter {wild[0]:g}; parameters must lie within ±{LARGEST:g}."
        )

    def make(name: str) -> Any:
        pm = pymc()
        kinds = {
            key: value
            for key, value in vars(pm).items()
            if isinstance(value, type) and issubclass(value, pm.Distribution) and not key.startswith("_")
        }
        if called not in kinds:
            raise unknown("PyMC distribution", called, sorted(kinds))
        try:
            return kinds[called](name, *values, **named)
        except (TypeError, ValueError) as error:
            raise InputError(f"PyMC cannot create {text}: {error}") from None

    return Law(text, text, make)


def _number(node: ast.expr) -> float:
    sign = 1.0
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1.0
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return sign * node.value
    raise ValueError("not a number")


def _told(variable: Any) -> str:
    op = variable.owner.op
    name = str((getattr(op, "_print_name", None) or (type(op).__name__,))[0])
    try:
        numbers = [float(each.eval()) for each in op.dist_params(variable.owner)]
    except (AttributeError, TypeError, ValueError):
        return name
    return f"{name}({', '.join(f'{number:.4g}' for number in numbers)})"


def _registered(variable: Any, name: str) -> Any:
    """Make a copy of a `dist` a variable of the current model, with a generator of its own."""
    pm = pymc()
    # Two rates with one distribution must not be drawn by one generator: they would be the same number.
    from pytensor.graph.replace import clone_replace

    (copy,) = pm.pytensorf.replace_rng_nodes([clone_replace(variable)])
    return pm.modelcontext(None).register_rv(copy, name)
