"""Keep the catalogues in step with the pages: ``python -m tests.catalogues`` rewrites both from what is used.

Phrases are found in the templates and in the modules of ``WORDINGS``; each is its own key.
English entries repeat it, Chinese ones keep what was translated and leave new ones empty, which the tests
refuse.
"""

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from broadcast.web.languages import LOCALE_DIRECTORY, Language
from broadcast.web.templating import TEMPLATE_DIRECTORY

Phrase = str | tuple[str, str]
ROOT = Path(__file__).resolve().parents[1]
WORDINGS = (ROOT / "broadcast" / "web" / "wording.py", *sorted(ROOT.glob("teams/web/*_words.py")))
DATED = ('"POT-', '"PO-', '"Last-', '"Language-Team', '"Report-', '"Generated', '"Project', "#, fuzzy")
"""Header lines that would change with every run or say nothing."""
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}


def used_phrases() -> dict[Phrase, list[tuple[str, int]]]:
    """Every phrase that pages or modules say, with the files that say it; a plural one is a pair."""
    found: dict[Phrase, list[tuple[str, int]]] = {}
    sources = [(path, "jinja2.ext.babel_extract") for path in sorted(TEMPLATE_DIRECTORY.rglob("*.html"))]
    for path, method in [*sources, *((path, "python") for path in WORDINGS)]:
        content = BytesIO(path.read_bytes())
        options = {"trimmed": "true", "silent": "false"} if path.suffix == ".html" else {}
        for _, message, _, _ in extract(method, content, keywords=KEYWORDS, options=options):
            phrase = (message[0], message[1]) if isinstance(message, tuple) else message
            place = (path.relative_to(TEMPLATE_DIRECTORY.parent).as_posix(), 0)
            if place not in found.setdefault(phrase, []):
                found[phrase].append(place)
    return found


def read(language: Language) -> Catalog:
    with (LOCALE_DIRECTORY / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language.value)


def renew(language: Language) -> None:
    """Write a catalogue with exactly the phrases in use."""
    before = read(language)
    after = Catalog(locale=language.value, project="Twinroom", charset="utf-8", fuzzy=False)
    for phrase, places in sorted(used_phrases().items(), key=lambda item: (item[1][0], str(item[0]))):
        known = before.get(phrase[0] if isinstance(phrase, tuple) else phrase)
        told = known.string if known else ""
        if language is Language.ENGLISH:
            told = phrase
        after.add(phrase, told, locations=places)
    after.header_comment = f"# Twinroom's pages, {language.name.lower()}."
    written = BytesIO()
    write_po(written, after, width=0, include_lineno=False)
    kept = [line for line in written.getvalue().decode().splitlines() if not line.startswith(DATED)]
    path = LOCALE_DIRECTORY / language / "LC_MESSAGES" / "messages.po"
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in Language:
        renew(each)
