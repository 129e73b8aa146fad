"""TensorFlow's error classes."""


class OpError(Exception):
    """The base of the errors of operations."""

    error_code = 2

    def __init__(self, node_def, op, message, error_code=None):
        super().__init__(message)
        self.node_def = node_def
        self.op = op
        self.message = message
        if error_code is not None:
            self.error_code = error_code


def _error(name, code):
    return type(name, (OpError,), {"error_code": code, "__doc__": f"An OpError of code {code}.", "__module__": __name__})


CancelledError = _error("CancelledError", 1)
UnknownError = _error("UnknownError", 2)
InvalidArgumentError = _error("InvalidArgumentError", 3)
DeadlineExceededError = _error("DeadlineExceededError", 4)
NotFoundError = _error("NotFoundError", 5)
AlreadyExistsError = _error("AlreadyExistsError", 6)
PermissionDeniedError = _error("PermissionDeniedError", 7)
ResourceExhaustedError = _error("ResourceExhaustedError", 8)
FailedPreconditionError = _error("FailedPreconditionError", 9)
AbortedError = _error("AbortedError", 10)
OutOfRangeError = _error("OutOfRangeError", 11)
UnimplementedError = _error("UnimplementedError", 12)
InternalError = _error("InternalError", 13)
UnavailableError = _error("UnavailableError", 14)
DataLossError = _error("DataLossError", 15)
UnauthenticatedError = _error("UnauthenticatedError", 16)


class InaccessibleTensorError(ValueError):
    """A tensor of one function is used in another."""


class OperatorNotAllowedInGraphError(TypeError):
    """A Python operator needs the value of a symbolic tensor."""


def invalid(message):
    """The error of an eager operation whose arguments do not fit."""
    return InvalidArgumentError(None, None, message)


#: Kind of an engine's error -> class.
_OF_KIND = {"DoesNotFit": ResourceExhaustedError, "Cancelled": CancelledError, "Device": InternalError,
            "Internal": InternalError, "Numeric": InvalidArgumentError}


def from_engine(error):
    """An error of the extension module as the class that a script expects: its message and remedy stay."""
    kind = getattr(error, "kind", "")
    if kind in _OF_KIND:
        return _OF_KIND[kind](None, None, str(error))
    return ValueError(str(error))
