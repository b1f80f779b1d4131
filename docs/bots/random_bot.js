// A bot for the protocol arbosim: it takes what it may, but lays cards next to lower ones of their kind.
const pick = (options) => options[Math.floor(Math.random() * options.length)];
const value = (card) => Number(card.slice(1));

function best(options, worth) { // one of those that are worth most
  const most = Math.max(...options.map(worth));
  return pick(options.filter((option) => worth(option) === most));
}

function decide({ phase, deck, piles, hand, open_cells: cells, arboretums, current }) {
  if (phase === "draw") {
    const seats = piles.flatMap((pile, seat) => (pile.length ? [seat] : []));
    return ["draw", pick(deck ? ["deck", ...seats] : seats)];
  }
  if (phase === "discard") return ["discard", best(hand, (card) => -value(card))];
  const stepsUp = ([card, x, y]) => arboretums[current].filter(([other, ox, oy]) =>
    Math.abs(x - ox) + Math.abs(y - oy) === 1 && other[0] === card[0] && value(other) < value(card)).length;
  return ["play", ...best(hand.flatMap((card) => cells.map((cell) => [card, ...cell])), stepsUp)];
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = { id: message.id };
  if (message.type === "hello") Object.assign(answer, { protocol: "arbosim", version: 1 });
  if (message.type === "decide") answer.action = decide(message.state);
  console.log(JSON.stringify(answer));
});
