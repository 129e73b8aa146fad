"""Errors for names and arguments that are not there yet.

Nothing is passed over in silence: a script that needs what we do not have stops with the name of it.
"""


class NotThereYet(NotImplementedError):
    """A symbol or an argument of TensorFlow for the IPU that Tilewright does not have yet."""


def not_yet(what, instead=""):
    """The error for `what`, with another way if there is one."""
    return NotThereYet(f"{what} is not there yet." + (f" {instead}" if instead else ""))


def nearest(name, known):
    """A hint with the closest known name, or an empty text."""
    import difflib

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f" Did you mean '{close[0]}'?" if close else ""


def refuse_arguments(where, arguments, allowed=()):
    """Raises TypeError for keyword arguments that `where` does not know."""
    for name in arguments:
        if name not in allowed:
            raise TypeError(f"{where} got an unexpected keyword argument '{name}'.{nearest(name, allowed)}")
