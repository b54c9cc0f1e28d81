"""The victory point scales by name, as matches and the public interface name them."""

from teams.scales.published_tables import ACBL_20, ACBL_30, EBU_HALF_10, WBF_2013_DISCRETE
from teams.scales.vp_scale import (
    BadScale,
    NoRow,
    ScaleError,
    UnknownScale,
    VictoryPoints,
    VpScale,
    whole_margin,
)
from teams.scales.wbf_continuous import WbfContinuous

__all__ = [
    "DEFAULT_SCALE",
    "SCALES",
    "BadScale",
    "NoRow",
    "ScaleError",
    "UnknownScale",
    "VictoryPoints",
    "VpScale",
    "scale_named",
    "whole_margin",
]

DEFAULT_SCALE = "wbf-2013"

_ALL: tuple[VpScale, ...] = (WbfContinuous(), WBF_2013_DISCRETE, ACBL_20, ACBL_30, EBU_HALF_10)

SCALES: dict[str, VpScale] = {scale.name: scale for scale in _ALL}
"""The scales that need no file, in the order they are offered."""


def scale_named(name: str) -> VpScale:
    """The scale of that name. Raises ``UnknownScale``, which lists the names there are.

    >>> scale_named("wbf-2013").vps(16, 10)
    VictoryPoints(winner=Decimal('12.80'), loser=Decimal('7.20'))
    """
    if name not in SCALES:
        raise UnknownScale(
            f"There is no scale {name!r}: choose one of {', '.join(SCALES)}", scale=name, scales=list(SCALES)
        )
    return SCALES[name]
