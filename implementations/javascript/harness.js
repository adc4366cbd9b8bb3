"use strict";
// The protocol around the game: one JSON object a line on standard input, one a line on standard output.
// This is all that the oracle needs of a program. Start it with: oracle check "cmd:node harness.js"

const readline = require("node:readline");
const { Game, KINGDOM, Unsupported } = require("./dominion.js");

let game; // the play under way
let steps; // its generator
let decision; // what it waits for: {player, kind, options}, or undefined once it is over

// Actions are equal if they say the same, in whatever order their cards stand.
function same(one, other) {
  const plain = (action) =>
    JSON.stringify(Object.entries(action).map(([verb, about]) => [verb, Array.isArray(about) ? [...about].sort() : about]));
  return plain(one) === plain(other);
}

function proceed(chosen) {
  decision = steps.next(chosen).value;
}

// What chance has decided since the last answer.
function events() {
  return game.events.splice(0);
}

const answers = {
  start: () => ({
    protocol: 1,
    implementation: { name: "small-dominion", version: "1.0.0", language: "JavaScript" },
    games: ["2023", "2016"].map((edition) => ({ game: "dominion", edition, features: KINGDOM })),
  }),

  new({ setup }) {
    game = setup.position ? Game.at(setup.position, setup.seed) : Game.start(setup);
    steps = game.run();
    proceed();
    return { ok: true, events: events() };
  },

  decision: () => decision ?? { over: true },

  apply({ player, action }) {
    const chosen = decision?.player === player && decision.options.find((option) => same(option, action));
    if (!chosen) return { accepted: false };
    proceed(chosen);
    return { accepted: true, events: events() };
  },

  observe() {
    const each = (of) => Object.fromEntries(game.seats.map((seat) => [seat.name, of(seat)]));
    const { phase, actions, buys, coins, bought, supply, trash } = game;
    const turn = { turn: game.mover.name, phase, actions, buys, coins, bought };
    const state = {
      ...{ supply, trash },
      hand: each((seat) => seat.hand),
      deck: each((seat) => seat.deck),
      discard: each((seat) => seat.discard),
      "in play": each((seat) => seat.play),
      turns: each((seat) => seat.turns),
    };
    return { state: { ...state, ...(game.over ? { scores: game.scores(), winners: game.winners() } : turn) } };
  },
};

// An exception that is not foreseen ends the process, and the oracle reports a crash with its last words.
function answer(request) {
  try {
    return answers[request.request](request);
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    throw error;
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.request === "stop") process.exit(0);
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...answer(request) })}\n`);
});
