"""Text from people keeps its direction to itself: in sentences, attributes, titles and wherever else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadcast.web.bidi import isolated, isolated_value, without_controls
from broadcast.web.languages import Language
from broadcast.web.templating import environment

HEBREW = "רוני"
ISOLATED = f"\u2068{HEBREW}\u2069"


@pytest.mark.parametrize("text", ["Modra", "山茶花", "Đorđe", "🂡 ♠", "", "1 – 2"])
def test_other_text_is_left_as_it_is(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.parametrize("name", [HEBREW, "نازنین", "Modra " + HEBREW, "𞤀𞤣", "Mod\u200fra"])
def test_name_with_letters_from_the_right_is_isolated(name: str) -> None:
    assert isolated(name) == f"\u2068{name}\u2069"


@given(
    st.text(
        alphabet=st.sampled_from([*HEBREW, "a", "1", *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"])
    )
)
def test_nothing_that_was_typed_reaches_beyond_its_isolate(text: str) -> None:
    shown = isolated(text)
    inner = shown[1:-1] if shown.startswith("\u2068") else shown
    assert without_controls(inner) == inner
    assert isolated(shown) == shown  # once is enough


def test_templates_isolate_values_and_places_of_sentences_and_escape_them() -> None:
    source = (
        "<p title=\"{{ name }}\">{{ name }} {{ _('%(team)s wins by %(imps)s IMPs', team=name, imps=3) }}</p>"
    )
    page = environment(Language.ENGLISH).from_string(source)
    assert page.render(name=HEBREW) == f'<p title="{ISOLATED}">{ISOLATED} {ISOLATED} wins by 3 IMPs</p>'
    assert page.render(name="<b>\u202e") == ('<p title="&lt;b&gt;">&lt;b&gt; &lt;b&gt; wins by 3 IMPs</p>')


def test_what_is_no_plain_text_is_left() -> None:
    state = environment(Language.ENGLISH).from_string("{{ name | tojson }}").render(name=HEBREW + "\u202e")
    assert state == f'"{HEBREW}\u202e"'  # programs get what was typed
    assert isolated_value(3) == 3
