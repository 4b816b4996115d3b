"""Kubernetes quantities in the one form that the API server stores: any other shows as a change at every preview."""

_BINARY = ("Mi", "Gi", "Ti", "Pi")


def cpu(millis: int) -> str:
    """Whole cores without a suffix, else millicores."""
    return f"{millis}m" if millis % 1000 else str(millis // 1000)


def memory(mib: int) -> str:
    """The largest binary suffix that leaves a whole number; zero has none."""
    if mib == 0:
        return "0"
    suffix = 0
    while mib % 1024 == 0 and suffix < len(_BINARY) - 1:
        mib //= 1024
        suffix += 1
    return f"{mib}{_BINARY[suffix]}"


def count(number: int) -> str:
    return str(number)
