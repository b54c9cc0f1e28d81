"""How WordPress treats the oEmbed HTML of a site it does not know, and how its pages talk to the frame.

A stand-in written from the rules of WordPress 7 (``wp_filter_oembed_result``, ``wp_kses``, ``wp-embed.js``,
``wp_maybe_enqueue_oembed_host_js``): which elements and attributes stay, what is added, when the script is
loaded, what it takes from whom.
"""

import re
from collections.abc import Mapping
from html import escape, unescape
from html.parser import HTMLParser

ALLOWED: Mapping[str, frozenset[str]] = {
    "a": frozenset({"href"}),
    "blockquote": frozenset(),
    "iframe": frozenset(
        {"src", "width", "height", "frameborder", "marginwidth", "marginheight", "scrolling", "title"}
    ),
}
SECRET = "aB3dE5gH7j"  # noqa: S105 (a secret of the page, not of ours)
"""Ten letters and digits, drawn anew by WordPress for each frame."""


class _Kses(HTMLParser):
    """Keeps the elements and attributes that are allowed; of others only the text stays."""

    def __init__(self, allowed: Mapping[str, frozenset[str]]) -> None:
        super().__init__(convert_charrefs=False)
        self._allowed = allowed
        self.kept: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._allowed:
            kept = [
                f' {name}="{escape(_without_bad_protocol(value or ""))}"'
                for name, value in attrs
                if name in self._allowed[tag]
            ]
            self.kept.append(f"<{tag}{''.join(kept)}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._allowed:
            self.kept.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.kept.append(data)

    def handle_entityref(self, name: str) -> None:
        self.kept.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.kept.append(f"&#{name};")


def _without_bad_protocol(value: str) -> str:
    found = re.match(r"\s*([a-z][a-z0-9+.-]*):", value, re.IGNORECASE)
    return value if found is None or found[1].lower() in ("http", "https") else value[found.end() :]


def kses(html: str, allowed: Mapping[str, frozenset[str]]) -> str:
    parser = _Kses(allowed)
    parser.feed(html)
    parser.close()
    return "".join(parser.kept)


def filtered(html: str, secret: str = SECRET) -> str | None:
    """What WordPress puts into its page; ``None`` where nothing is left to put."""
    clean = kses(html, ALLOWED)
    found = re.search(
        r"(<blockquote>.*?</blockquote>)?.*(<iframe.*?></iframe>)", clean, re.DOTALL | re.MULTILINE
    )
    if found is None:
        return None
    quote = found[1] or ""
    clean = quote + found[2]
    source = re.search(r" src=(['\"])(.*?)\1", clean)
    if source is not None:
        mark = source[1]
        address = escape(unescape(source[2]) + f"#?secret={secret}")
        clean = clean.replace(source[0], f" src={mark}{address}{mark} data-secret={mark}{secret}{mark}")
        clean = clean.replace("<blockquote", f'<blockquote data-secret="{secret}"')
    with_secret = {
        tag: names | {"data-secret"} if tag in ("blockquote", "iframe") else names
        for tag, names in ALLOWED.items()
    }
    clean = kses(clean, with_secret)
    if quote:
        clean = clean.replace("<iframe", '<iframe style="position: absolute; visibility: hidden;"')
        clean = clean.replace("<blockquote", '<blockquote class="wp-embedded-content"')
    added = '<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted"'
    return re.sub("<iframe", added, clean, flags=re.IGNORECASE)


def has_script(html: str) -> bool:
    """Whether the page loads the script: it looks for the quotation."""
    return re.search(r"<blockquote\s[^>]*?wp-embedded-content", html) is not None


SCRIPT = """
addEventListener('message', ({ source, data }) => {
  if (!data || !/^[a-zA-Z0-9]+$/.test(data.secret ?? '')) return;
  const of = (tag) => document.querySelectorAll(`${tag}[data-secret="${data.secret}"]`);
  for (const quote of of('blockquote')) quote.style.display = 'none';
  for (const frame of of('iframe')) {
    if (source !== frame.contentWindow) continue;
    frame.removeAttribute('style');
    if (data.message === 'height') {
      frame.height = Math.min(1000, Math.max(200, Math.trunc(parseInt(data.value, 10)) || 0));
    } else if (data.message === 'link') {
      const [there, here] = [new URL(data.value), new URL(frame.getAttribute('src'))];
      const isOurs = ['http:', 'https:'].includes(there.protocol) && there.host === here.host;
      if (isOurs && document.activeElement === frame) window.top.location.href = data.value;
    }
  }
});
document.addEventListener('DOMContentLoaded', () => {
  for (const frame of document.querySelectorAll('iframe.wp-embedded-content')) {
    frame.contentWindow.postMessage({ message: 'ready', secret: frame.getAttribute('data-secret') }, '*');
  }
});
"""
