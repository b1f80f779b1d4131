"""Rule sets: every variant that people ask about is a field of one frozen model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from arbosim.core.errors import UserError, nearest, unknown
from arbosim.games.arboretum.cards import LETTERS, MAX_VALUE, SPECIES, shown

# Changes with the games that a rule set produces, never with their speed.
RULES_VERSION = 2
MIN_PLAYERS = 2
MAX_PLAYERS = 4
# R2: how many species take part with two, three and four players.
SPECIES_BY_PLAYERS = {2: 6, 3: 8, 4: 10}

Seats = Literal["none", "first", "all_but_first", "all"]


def _species(given: object) -> object:
    """Check a count or letters; letters come back as one text in the order of R1."""
    if isinstance(given, str) and given.lower() == "none":
        return None
    if given is None or (isinstance(given, int) and not isinstance(given, bool)):
        if given is not None and not 1 <= given <= len(SPECIES):
            raise ValueError(f"a count of species is 1 to {len(SPECIES)}, not {shown(given)}")
        return given
    letters = list(given) if isinstance(given, (str, list, tuple)) else None
    if letters is None or not letters or not all(isinstance(letter, str) for letter in letters):
        raise ValueError(f"give a count, 1 to {len(SPECIES)}, or letters among {LETTERS}, not {shown(given)}")
    strange = [letter for letter in letters if len(letter) != 1 or letter not in LETTERS]
    if strange:
        capitals = "".join(letters).upper()
        hint = f"did you mean {shown(capitals)}? " if all(c in LETTERS for c in capitals) else ""
        raise ValueError(f"unknown species letter {shown(strange[0])}; {hint}the letters are {LETTERS}")
    if len(set(letters)) < len(letters):
        raise ValueError(f"a species letter is repeated in {shown(given)}")
    return "".join(sorted(letters, key=LETTERS.index))


class Rules(BaseModel):
    """A rule set for Arboretum, frozen and validated; the defaults are the game of 2015."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    species: Annotated[int | str | None, BeforeValidator(_species)] = Field(
        None,
        description="Species that take part: a count (the first so many of the list), or their letters as a "
        'text ("CDJ") or a list (["C", "D", "J"]); none, or null in JSON: 6, 8 or 10 for 2, 3 or 4 players.',
    )
    values: int = Field(8, ge=2, le=MAX_VALUE, description="Cards of each species, valued from 1 upwards.")
    hand_size: int = Field(7, ge=1, le=12, description="Cards in a hand at the end of a turn.")
    draws: int = Field(
        2, ge=1, le=4, description="Cards drawn in a turn: one is played, the others discarded."
    )
    start_discard: Literal["all_but_first", "none", "all"] = Field(
        "all_but_first", description="Seats that are dealt a card, face up, to start their discard pile."
    )
    extra_card: Seats = Field(
        "none", description="Seats that are dealt one card more and discard one more in their first turn."
    )
    eight_rule: Literal["one_cancels", "off", "always_zero"] = Field(
        "one_cancels",
        description="In hand sums the highest value counts 0: if another hand has the 1; never; always.",
    )
    mono_bonus: bool = Field(True, description="Whether a long path of one species earns 1 more a card.")
    mono_min: int = Field(4, ge=2, le=MAX_VALUE, description="Cards that a path needs to earn mono_bonus.")
    one_bonus: int = Field(1, ge=0, le=5, description="Points more for a path that begins with a 1.")
    top_bonus: int = Field(2, ge=0, le=5, description="Points more for a path that ends with the top value.")
    min_path: int = Field(2, ge=2, le=MAX_VALUE, description="Cards that a path needs to score at all.")
    right: Literal["highest_sum", "most_cards", "always"] = Field(
        "highest_sum",
        description="What gives the right to score a species: most in hand, by sum or number; or nothing.",
    )
    tied_right: Literal["all", "nobody"] = Field(
        "all",
        description="Who has the right if several are highest; a species that no hand holds is everybody's.",
    )
    discard_memory: Literal["all", "top_only"] = Field(
        "all", description="What strategies see of a discard pile: every card, or the top one."
    )
    equal_turns: bool = Field(False, description="Whether the round in which the deck runs out is completed.")

    def species_codes(self, players: int) -> tuple[int, ...]:
        """Give the species that take part, as indices in the list of R1, ascending."""
        if isinstance(self.species, str):
            return tuple(LETTERS.index(letter) for letter in self.species)
        return tuple(range(SPECIES_BY_PLAYERS[players] if self.species is None else self.species))

    def card_codes(self, players: int) -> tuple[int, ...]:
        """Give every card of the game, as the numbers of `Card.code`, ascending."""
        return tuple(16 * s + v for s in self.species_codes(players) for v in range(1, self.values + 1))

    def has_start_discard(self, seat: int) -> bool:
        """Say whether a seat starts with a card in its discard pile."""
        return self.start_discard == "all" or (self.start_discard == "all_but_first" and seat > 0)

    def dealt_hand(self, seat: int) -> int:
        """Give the number of cards that a seat is dealt into its hand."""
        extra = {"none": False, "first": seat == 0, "all_but_first": seat > 0, "all": True}[self.extra_card]
        return self.hand_size + extra

    def dealt_deck(self, players: int) -> int:
        """Give the number of cards that the deal leaves in the deck (not above 0: the deal is impossible)."""
        dealt = sum(self.dealt_hand(seat) + self.has_start_discard(seat) for seat in range(players))
        return len(self.card_codes(players)) - dealt

    def canonical(self) -> str:
        """Give the one JSON text of this rule set."""
        return json.dumps(self.model_dump(), sort_keys=True, separators=(",", ":"))

    def digest(self) -> str:
        """Give a hash of this rule set and the version of the rules, as 16 hexadecimal digits."""
        return hashlib.blake2b(f"{RULES_VERSION} {self.canonical()}".encode(), digest_size=8).hexdigest()


PRESETS: dict[str, Rules] = {
    "standard": Rules(),
    "renegade2018": Rules(start_discard="none"),
}
PRESET_MEANINGS: dict[str, str] = {
    "standard": "the 2015 edition: all but the first player start with a discard",
    "renegade2018": "the 2018 edition: nobody starts with a discard",
}


def make_rules(
    preset: str | None = None,
    changes: Mapping[str, object] | None = None,
    *,
    text: bool = True,
    where: str = "",
) -> Rules:
    """Give a preset's rules with some fields changed.

    Parameters
    ----------
    preset
        Name of a preset; none stands for ``standard``.
    changes
        New values by field name: of the field's own type, or as text (``"6"``, ``"true"``).
    text
        Whether text may stand for numbers and switches; JSON has its own, so it is refused there.
    where
        Where the changes were written, for error texts.

    Raises
    ------
    UserError
        Names every unknown field, with the nearest ones, and every value that does not fit, all at once.
    """
    if preset is not None and preset not in PRESETS:
        raise unknown("preset", preset, PRESETS, where)
    base = PRESETS[preset or "standard"].model_dump()
    known = {name: value for name, value in (changes or {}).items() if name in base}
    wrong = [str(unknown("rule", str(name), base)) for name in (changes or {}) if name not in base]
    if text:
        known = {name: _typed(name, value) for name, value in known.items()}
    try:
        rules = Rules.model_validate(base | known)
    except ValidationError as error:
        wrong += [_reason(detail) for detail in error.errors()]
    if wrong:
        raise UserError("\n".join(wrong), where=where)
    return rules


def check(rules: Rules, players: int) -> None:
    """Refuse, with the reasons, a number of players or rules that make no sense for it (UserError)."""
    if not isinstance(players, int) or isinstance(players, bool) or not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise UserError(
            f"Arboretum is played by {MIN_PLAYERS} to {MAX_PLAYERS} players, not {shown(players)}"
        )
    reasons = []
    deck = rules.dealt_deck(players)
    if deck < 1:
        cards = len(rules.card_codes(players))
        reasons.append(
            f"the deal leaves no card in the deck: {players} players are dealt {cards - deck} cards "
            f"(hand_size={rules.hand_size}) and there are {cards} "
            f"({len(rules.species_codes(players))} species of {rules.values} values)"
        )
    if rules.min_path > rules.values:
        reasons.append(
            f"no path could ever score: min_path={rules.min_path}, but there are {rules.values} values"
        )
    # The default stays valid with fewer values: then the bonus is merely out of reach.
    if rules.mono_bonus and rules.mono_min > max(rules.values, Rules.model_fields["mono_min"].default):
        reasons.append(
            f"no path could ever earn the bonus: mono_min={rules.mono_min}, but there are {rules.values} "
            "values; mono_bonus=false says the same"
        )
    if reasons:
        raise UserError("\n".join(reasons))


def effective(rules: Rules, players: int) -> dict[str, object]:
    """Give what a rule set comes to: the letters of its species, and no field that another one makes idle."""
    fields: dict[str, object] = rules.model_dump()
    fields["species"] = "".join(SPECIES[code].letter for code in rules.species_codes(players))
    if not rules.mono_bonus or rules.mono_min > rules.values:  # a bonus that is out of reach is none
        fields["mono_bonus"] = False
        del fields["mono_min"]
    else:  # shorter paths score nothing
        fields["mono_min"] = max(rules.mono_min, rules.min_path)
    if rules.right != "highest_sum":  # no hand is summed up
        del fields["eight_rule"]
    if rules.right == "always":
        del fields["tied_right"]
    if rules.draws == 1:  # nothing is discarded but the extra card
        deepest = _deepest_pile(rules, players)
        if deepest <= 1:  # no card ever lies under another
            del fields["discard_memory"]
        if (
            deepest == 0 and rules.dealt_deck(players) % players == 0
        ):  # the deck ends with a round in any case
            del fields["equal_turns"]
    return fields


def _deepest_pile(rules: Rules, players: int) -> int:
    """Give the number of cards in the largest discard pile if a turn discards none but the extra card."""
    return max(
        rules.has_start_discard(seat) + rules.dealt_hand(seat) - rules.hand_size for seat in range(players)
    )


def accepted(name: str) -> str:
    """Say in words which values a field takes."""
    if name == "species":
        return f"1..{len(SPECIES)}, letters of {LETTERS}, or none"
    schema: dict[str, Any] = Rules.model_json_schema()["properties"][name]
    if "enum" in schema:
        return ", ".join(schema["enum"])
    if schema["type"] == "boolean":
        return "true, false"
    return f"{schema['minimum']}..{schema['maximum']}"


def _typed(name: str, value: object) -> object:
    """Turn text into the type of the field; what does not fit is left for the model to refuse."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if name == "species":
        return int(text) if _is_whole(text) else text
    default = Rules.model_fields[name].default
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.lower(), value)
    if isinstance(default, int) and _is_whole(text):
        return int(text)
    return text


def _is_whole(text: str) -> bool:
    return len(text) < 10 and text.isascii() and text.removeprefix("-").isdigit()


def _reason(detail: Any) -> str:
    name = str(detail["loc"][0])
    if name == "species":
        return f"species: {detail['msg'].removeprefix('Value error, ')}"
    given, choices = detail["input"], accepted(name)
    close = nearest(given, choices.split(", "), 1) if isinstance(given, str) else []
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{name} is {shown(given)}; {hint}accepted: {choices}"
