"""What the project takes from others: pinned, with a reason, used; and whether a fault of it is known.

    python -m tests.audit [--offline]

First the two requirements files against the imports: every line names one version and its reason, is imported
or is one of the ``PROGRAMS``, and what is imported is required, by the server from ``requirements.txt`` alone.
Then pip-audit asks PyPI's advisories for every package installed beside this Python, also those that came with
others. That needs the network, so no test does it.

The status is 1 for a known fault or a requirement that is wrong, and 2 where nobody could be asked about some
package: a clean bill is given only when every one was answered for.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "requirements.txt"
TESTS = ROOT / "tests" / "requirements.txt"
PROGRAMS = {
    "uvloop": "uvicorn loads it by name",
    "httptools": "uvicorn loads it by name",
    "pytest-xdist": "a plugin of pytest",
    "ruff": "a command",
    "mypy": "a command",
    "pip-audit": "a command",
}
"""Required, but imported by no line of ours: why."""
OUTSIDE = {"atheris": "the fuzzer that is installed when it is wanted", "js": "a module in a page"}
_LINE = re.compile(r"(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>[0-9][0-9a-z.]*)\s+# (?P<reason>\S.{8,})")


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    version: str
    reason: str


def requirements(text: str, name: str) -> tuple[list[Requirement], list[str]]:
    """What a file asks for, and the lines that do not say one version and a reason."""
    found, wrong = [], []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#") or line == "-r ../requirements.txt":
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            wrong.append(f"{name}: not 'package==version  # reason': {line}")
        else:
            found.append(Requirement(**match.groupdict()))
    return found, wrong


def imports(paths: Iterator[Path]) -> dict[str, Path]:
    """Top-level names of absolute imports, and a file that has each."""
    found: dict[str, Path] = {}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            else:
                continue
            for name in names:
                found.setdefault(name.partition(".")[0], path)
    return found


def server_files() -> Iterator[Path]:
    yield ROOT / "server.py"
    yield from sorted(ROOT.glob("broadcast/**/*.py"))
    yield from sorted(ROOT.glob("teams/**/*.py"))


def test_files() -> Iterator[Path]:
    yield from sorted(ROOT.glob("tests/**/*.py"))


def _distribution(module: str, known: dict[str, list[str]]) -> str | None:
    """The package that brings a module, as requirements spell it; ``None`` for Python's own and ours."""
    ours = {"server", "broadcast", "teams", "tests", *OUTSIDE}
    if module in ours or module in sys.stdlib_module_names:
        return None
    return re.sub(r"[-_.]+", "-", known.get(module, [module])[0]).lower()


def faults() -> list[str]:
    """Everything wrong between the requirements and the imports, a sentence each."""
    asked, wrong = requirements(SERVER.read_text(), SERVER.name)
    for_tests, more = requirements(TESTS.read_text(), f"tests/{TESTS.name}")
    wrong += more
    known = {name: list(packages) for name, packages in packages_distributions().items()}
    used: set[str] = set()
    everything = {one.name for one in [*asked, *for_tests]}
    for files, allowed in (
        (server_files(), {one.name for one in asked}),
        (test_files(), everything),
    ):
        for module, path in imports(files).items():
            package = _distribution(module, known)
            if package is not None and package not in allowed:
                wrong.append(f"{path.relative_to(ROOT)} imports {module}, which no requirement brings")
            elif package is not None:
                used.add(package)
    wrong += [f"{name} is required, and nothing imports it" for name in everything - used - {*PROGRAMS}]
    wrong += [
        f"{name} is no requirement: {reason}" for name, reason in PROGRAMS.items() if name not in everything
    ]
    return sorted(wrong)


def advisories() -> tuple[list[str], int, list[str]]:
    """Known faults of what is installed, how many were answered for, and the packages that nobody answered for.

    Raises ``OSError`` where pip-audit itself failed, as it does without a network.
    """
    command = [sys.executable, "-m", "pip_audit", "--local", "--format=json", "--progress-spinner=off"]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    known, silent = [], []
    packages = json.loads(done.stdout)["dependencies"]
    for package in packages:
        if "skip_reason" in package:
            silent.append(package["name"])
        for fault in package.get("vulns", []):
            repaired = ", ".join(fault["fix_versions"]) or "no version yet"
            known.append(f"{package['name']} {package['version']}: {fault['id']}, repaired in {repaired}")
    return known, len(packages) - len(silent), silent


def main() -> int:
    parser = argparse.ArgumentParser(description="Look at what the project takes from others.")
    parser.add_argument("--offline", action="store_true", help="the requirements alone, no advisories")
    options = parser.parse_args()
    wrong = faults()
    print("\n".join(wrong) or "Every requirement has its version, its reason and its use.")
    if options.offline:
        return 1 if wrong else 0
    try:
        known, answered, silent = advisories()
    except OSError as error:
        print(f"Advisories could not be asked for: {error}")
        return 1 if wrong else 2
    if known:
        print("\n".join(known))
    elif answered:
        print(f"No fault is known of {answered} packages.")
    if silent:
        print(f"Nobody answered for {len(silent)} packages: {', '.join(silent)}")
    return 1 if wrong or known else 2 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
