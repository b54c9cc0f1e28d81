"""What the project takes from others: every requirement has its version, its reason and its use."""

from pathlib import Path

import pytest

from tests import audit


def test_requirements_and_imports_agree() -> None:
    assert audit.faults() == []


def test_requirement_without_version_or_reason_is_named() -> None:
    text = "a==1.2  # does a thing\nb>=2  # does another\nc==3.0\nd==1.*  # any of these\n-r elsewhere.txt\n"
    found, wrong = audit.requirements(text, "x.txt")
    assert [one.name for one in found] == ["a"]
    assert len(wrong) == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import redis\nimport absent.part\n", "imports absent, which no requirement brings"),
        ("", "nothing imports it"),
    ],
)
def test_what_is_imported_and_what_is_required_are_the_same(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "module.py"
    module.write_text(text)
    asked = tmp_path / "requirements.txt"
    asked.write_text("redis==1.0  # brings the feed to edges\n")
    for name, value in {"ROOT": tmp_path, "SERVER": asked, "TESTS": asked, "PROGRAMS": {}}.items():
        monkeypatch.setattr(audit, name, value)
    monkeypatch.setattr(audit, "server_files", lambda: iter([module]))
    assert len(wrong := audit.faults()) == 1 and told in wrong[0]


@pytest.mark.parametrize(
    ("answer", "status"),
    [((["x 1: PYSEC-1"], 3, []), 1), (([], 3, ["x"]), 2), (([], 3, []), 0)],
)
def test_only_an_answer_for_every_package_is_a_clean_bill(
    answer: tuple[list[str], int, list[str]], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "faults", list)
    monkeypatch.setattr(audit, "advisories", lambda: answer)
    monkeypatch.setattr("sys.argv", ["audit"])
    assert audit.main() == status
