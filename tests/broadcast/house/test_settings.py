"""What a house keeps in its data directory by itself."""

from pathlib import Path

import pytest

from broadcast.house.settings import HOUSE_KEY, Settings


def test_secret_is_drawn_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    secret = settings.secret()
    assert len(secret) == 32 and settings.secret() == secret
    assert (tmp_path / HOUSE_KEY).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [HOUSE_KEY]


def test_house_that_dies_while_it_draws_its_secret_draws_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It left an empty file, which was the secret from then on: anybody could work out operators' tokens."""

    def die(count: int) -> bytes:
        raise KeyboardInterrupt

    settings = Settings(data=tmp_path)
    with monkeypatch.context() as dying:
        dying.setattr("secrets.token_bytes", die)
        with pytest.raises(KeyboardInterrupt):
            settings.secret()
    assert len(settings.secret()) == 32


def test_proxies_are_addresses_and_networks() -> None:
    settings = Settings.from_environment({"TWINROOM_PROXIES": "192.0.2.7,\n2001:db8::/32"})
    assert settings.proxies == ("192.0.2.7", "2001:db8::/32")


@pytest.mark.parametrize("text", ["*", "proxy.example", "10.0.0.1/8"])
def test_what_is_no_address_is_told_and_not_believed(text: str) -> None:
    with pytest.raises(ValueError, match="TWINROOM_PROXIES"):
        Settings.from_environment({"TWINROOM_PROXIES": text})
