// A bot that does what its messages say, as bot.py does; all but its dribble.
const fs = require("fs");
const { spawn } = require("child_process");
const HUNDRED = 100 * 2 ** 20;

function write(file, text) {
  const bytes = Buffer.from(text, "latin1");
  for (let from = 0; from < bytes.length; ) from += fs.writeSync(file, bytes, from);
}

function answer(message, more = {}) {
  write(1, JSON.stringify({ id: message.id, ...more }) + "\n");
}

function flood(file, line) {
  for (let sent = 0; sent < HUNDRED; sent += line.length) write(file, line);
}

function sleep(seconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 * seconds);
}

const deeds = {
  answer: (message, text) => answer(message, { size: text.length + 1 }),
  who: message => answer(message, { pid: process.pid, arguments: process.argv.slice(2), folder: process.cwd() }),
  twice: message => { answer(message, { time: 1 }); answer(message, { time: 2 }); },
  late: message => { sleep(message.pause); answer(message); },
  nap: message => { answer(message); sleep(message.pause); },
  ignore: () => {},
  hang: () => { process.on("SIGTERM", () => {}); for (;;); },
  deaf: () => sleep(600),
  half: () => {
    write(1, '{"id":');
    write(2, "the garden\nis \x1b[31mclosed\n");
    process.exit(3);
  },
  exit: () => process.exit(0),
  kill: () => { process.kill(process.pid, "SIGKILL"); sleep(600); },
  line: () => flood(1, "x".repeat(2 ** 16)),
  lines: () => flood(1, "x".repeat(1023) + "\n"),
  errors: message => { flood(2, "x".repeat(1023) + "\n"); answer(message); },
  shut: () => { fs.closeSync(1); sleep(600); },
  raw: message => write(1, message.text + "\n"),
  child: () => { spawn("sleep", ["600"], { stdio: "inherit" }); process.exit(5); },
  eat: message => answer(message, { size: Buffer.alloc(message.bytes, 1).length }),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", text => {
    const message = JSON.parse(text);
    deeds[message.do](message, text);
  })
  .on("close", () => write(2, "goodbye\n"));
