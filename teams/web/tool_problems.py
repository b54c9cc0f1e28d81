"""What can be wrong with a question to the calculator: a code, facts, and a sentence in the reader's language.

Every error of the public interface has one shape, ``{"error", "message", ...facts}``. 400 says that the
question cannot be read, 422 that it can and a rule refuses it.
"""

from starlette.responses import Response

from broadcast.web.languages import Language
from broadcast.web.problems import Problem, json_problem

MESSAGES: dict[str, dict[Language, str]] = {
    "missing_parameter": {
        Language.ENGLISH: "Add the parameter {parameter}, for example {parameter}={example}",
        Language.CHINESE: "请加上参数 {parameter}，例如 {parameter}={example}",
    },
    "bad_number": {
        Language.ENGLISH: "{parameter} must be a whole number like {example}, not “{given}”",
        Language.CHINESE: "{parameter} 必须是整数，例如 {example}，而不是“{given}”",
    },
    "bad_imps": {
        Language.ENGLISH: "{parameter} must be a number of IMPs like {example}, not “{given}”",
        Language.CHINESE: "{parameter} 必须是 IMP 数，例如 {example}，而不是“{given}”",
    },
    "bad_choice": {
        Language.ENGLISH: "{parameter} must be one of {choices}, not “{given}”",
        Language.CHINESE: "{parameter} 必须是 {choices} 之一，而不是“{given}”",
    },
    "bad_contract": {
        Language.ENGLISH: "“{given}” is not a contract: write it like 4SX or 3NT, or Pass when passed out",
        Language.CHINESE: "“{given}”不是定约：请写成 4SX 或 3NT，四家不叫写 Pass",
    },
    "bad_tricks": {
        Language.ENGLISH: "{given} tricks cannot be taken: tricks are declarer's total, from 0 to 13",
        Language.CHINESE: "不可能赢得 {given} 墩：墩数是庄家方赢得的总数，从 0 到 13",
    },
    "unknown_scale": {
        Language.ENGLISH: "There is no scale “{scale}”: choose one of {choices}",
        Language.CHINESE: "没有名为“{scale}”的 VP 换算表：请从 {choices} 中选择",
    },
    "no_row": {
        Language.ENGLISH: "The scale {scale} has no row for {boards} boards: choose another scale or length",
        Language.CHINESE: "VP 换算表 {scale} 没有 {boards} 副牌的一行：请换一个换算表或副数",
    },
}
"""By code and language; the names in braces are the problem's facts."""


class ToolProblem(Exception):
    """A question that has no answer. ``facts`` hold codes and values, and fill the message."""

    def __init__(self, status: int, code: str, **facts: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.facts = facts

    def message(self, language: Language) -> str:
        """A sentence that says what to do."""
        shown = {
            name: ", ".join(map(str, fact)) if isinstance(fact, (list, tuple)) else fact
            for name, fact in self.facts.items()
        }
        return MESSAGES[self.code][language].format(**shown)

    def response(self, language: Language) -> Response:
        """The answer for programs."""
        problem = Problem(self.status, self.code, self.message(Language.ENGLISH), **self.facts)
        return json_problem(problem, self.message(language), language)
