"""A saved state: evidence that was added up by `update`."""

from outclass.data.state import is_state as recognises
from outclass.data.state import read_state as read

__all__ = ["read", "recognises"]
