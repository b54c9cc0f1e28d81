"""The LIN and PBN readers under atheris, which keeps the inputs that reach new code and changes those.

    pip install atheris==3.0.0
    python -m tests.bench.fuzz.guided lin -max_total_time=600
    python -m tests.bench.fuzz.guided pbn -runs=1000000

Options after the format are libFuzzer's. An input that raises, or takes a second, ends it with a file of that
input. atheris is no requirement: nothing but this command needs it, and it is not made for every machine.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["broadcast.bridge", "broadcast.notation"]):
    from tests.bench.fuzz.readers import (
        LIN_FILES,
        LIN_WORDS,
        PBN_FILES,
        PBN_WORDS,
        read_a_lin_file,
        read_a_pbn_file,
    )

KINDS = {"lin": (read_a_lin_file, LIN_FILES, LIN_WORDS), "pbn": (read_a_pbn_file, PBN_FILES, PBN_WORDS)}


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    read, files, words = KINDS[sys.argv[1]]
    with tempfile.TemporaryDirectory(prefix="twinroom-fuzz-") as directory:
        corpus = Path(directory) / "corpus"
        corpus.mkdir()
        for number, data in enumerate(files):
            (corpus / str(number)).write_bytes(data)
        known = Path(directory) / "words"
        escaped = (word.replace("\\", "\\\\").replace('"', '\\"') for word in words.split())
        known.write_text("".join(f'"{word}"\n' for word in escaped))
        options = ["-timeout=1", f"-dict={known}", "-max_len=16384", *sys.argv[2:]]
        atheris.Setup([sys.argv[0], *options, str(corpus)], read)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
