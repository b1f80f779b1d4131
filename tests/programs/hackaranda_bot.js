// A bot for Hackaranda that leaves everything to chance.
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { state, messageID } = JSON.parse(line);
  console.log(JSON.stringify({ move: state.activeTurn ? "RANDOM" : 0, messageID }));
});
