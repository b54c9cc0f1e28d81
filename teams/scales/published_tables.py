"""Step tables as regulations print them. The numbers are the regulations'; each names its source."""

from teams.scales.step_scale import StepScale, sharing_steps

# World Bridge Federation, discrete 20 VP scale of 2013, as printed in the English Bridge Union's White Book,
# 3.1.1: boards, then the smallest winning margin for 10, 11 ... 20 VPs. It is not the continuous scale rounded.
_WBF_2013_DISCRETE = {
    5: (0, 1, 3, 5, 7, 10, 13, 16, 20, 25, 31),
    6: (0, 1, 3, 5, 8, 11, 14, 18, 22, 27, 33),
    7: (0, 1, 3, 6, 9, 12, 15, 19, 24, 29, 36),
    8: (0, 1, 4, 7, 10, 13, 17, 21, 26, 31, 39),
    9: (0, 1, 4, 7, 10, 13, 17, 22, 27, 33, 41),
    10: (0, 1, 4, 7, 10, 14, 18, 23, 28, 35, 43),
    11: (0, 2, 5, 8, 11, 15, 19, 24, 30, 37, 45),
    12: (0, 2, 5, 8, 12, 16, 20, 25, 31, 38, 47),
    13: (0, 2, 5, 8, 12, 16, 21, 26, 32, 40, 49),
    14: (0, 2, 5, 9, 13, 17, 22, 27, 34, 41, 51),
    15: (0, 2, 5, 9, 13, 17, 22, 28, 35, 43, 53),
    16: (0, 2, 5, 9, 13, 18, 23, 29, 36, 44, 54),
    20: (0, 2, 6, 10, 15, 20, 26, 32, 40, 49, 61),
    24: (0, 2, 6, 11, 16, 22, 28, 35, 44, 54, 66),
    28: (0, 2, 7, 12, 18, 24, 30, 38, 47, 58, 72),
    32: (0, 3, 8, 13, 19, 25, 33, 41, 51, 62, 77),
    40: (0, 3, 8, 14, 21, 28, 36, 46, 56, 69, 86),
    48: (0, 3, 9, 16, 23, 31, 40, 50, 62, 76, 94),
    56: (0, 3, 10, 17, 25, 33, 43, 54, 67, 82, 101),
    64: (0, 4, 11, 18, 26, 36, 46, 58, 71, 88, 108),
}

# American Contract Bridge League, team games by VPs, as printed in the BridgeHands encyclopedia, "Victory
# Points": smallest winning margin for 10 ... 20 VPs, and on the 30 VP scale for 15, then 18 ... 30 (any win
# earns a step more).
_ACBL_20 = {
    range(6, 9): (0, 1, 3, 5, 8, 11, 14, 17, 20, 24, 28),
    range(9, 12): (0, 1, 3, 6, 10, 14, 18, 22, 26, 31, 36),
}
_ACBL_30 = {
    range(6, 9): (0, 1, 2, 3, 4, 5, 7, 9, 11, 14, 17, 20, 24, 28),
    range(9, 12): (0, 1, 2, 3, 5, 7, 9, 12, 15, 18, 22, 26, 31, 36),
}
_ACBL_30_WINNERS = (15, *range(18, 31))

# English Bridge Union, White Book: the 10 VP scale for each half of a triangular match, boards in the half;
# smallest winning margin for 5 ... 10 VPs.
_EBU_HALF_10 = {
    3: (0, 1, 4, 7, 10, 15),
    4: (0, 1, 4, 8, 12, 18),
}

WBF_2013_DISCRETE = StepScale(
    "wbf-2013-discrete",
    {boards: sharing_steps(row, range(10, 21), 20) for boards, row in _WBF_2013_DISCRETE.items()},
)
ACBL_20 = StepScale(
    "acbl-20",
    {boards: sharing_steps(row, range(10, 21), 20) for lengths, row in _ACBL_20.items() for boards in lengths},
)
ACBL_30 = StepScale(
    "acbl-30",
    {
        boards: sharing_steps(row, _ACBL_30_WINNERS, 30)
        for lengths, row in _ACBL_30.items()
        for boards in lengths
    },
)
EBU_HALF_10 = StepScale(
    "ebu-half-10",
    {boards: sharing_steps(row, range(5, 11), 10) for boards, row in _EBU_HALF_10.items()},
)
