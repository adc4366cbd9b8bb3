"use strict";
// The protocol around the games: one JSON object a line on standard input, one a line on standard output.
// This is all that the oracle needs of a program. Start it with: oracle check "cmd:node harness.js"

const readline = require("node:readline");
const { Unsupported, same } = require("./cards.js");
const dominion = require("./dominion.js");
const station = require("./station.js");

// What the oracle may know of a play, in the words of its positions.
const GAMES = {
  dominion: {
    Game: dominion.Game,
    editions: ["2023", "2016"],
    features: dominion.KINGDOM,
    state(game, each) {
      const { phase, actions, buys, coins, bought, supply, trash } = game;
      const turn = { turn: game.mover.name, phase, actions, buys, coins, bought };
      const piles = Object.fromEntries(["hand", "deck", "discard"].map((pile) => [pile, each((seat) => seat[pile])]));
      const rest = { "in play": each((seat) => seat.play), turns: each((seat) => seat.turns) };
      return { supply, trash, ...piles, ...rest, ...(game.over ? {} : turn) };
    },
  },
  station: {
    Game: station.Game,
    editions: ["v3"],
    features: [],
    state(game, each) {
      const { round, display, deck, discard, salvage, ended } = game;
      const filled = game.market.flatMap((lies, i) => (lies ? [[station.BERTHS[i], lies]] : []));
      const market = (of) => Object.fromEntries(filled.map(([berth, lies]) => [berth, of(lies)]));
      const turn = { turn: game.mover.name, eligible: filled.flatMap(([berth, lies]) => (lies.eligible ? [berth] : [])) };
      return {
        ...{ round, display, deck, discard, salvage, ended, over: game.over },
        market: market((lies) => lies.name),
        discount: market((lies) => lies.discount),
        dock: each((seat) => seat.dock.map(({ name }) => name)),
        scored: each((seat) => seat.dock.filter(({ scored }) => scored).map(({ name }) => name)),
        ...Object.fromEntries(["hand", "station", "counter", "renown"].map((own) => [own, each((seat) => seat[own])])),
        ...(game.over ? {} : turn),
      };
    },
  },
};

let plays; // what is played: one of GAMES
let game; // the play under way
let steps; // its generator
let decision; // what it waits for: {player, kind, options}, or undefined once it is over

function proceed(chosen) {
  decision = steps.next(chosen).value;
}

// What chance has decided since the last answer.
function events() {
  return game.events.splice(0);
}

// A game whose options are too many to list says itself what it allows.
function legal(player, action) {
  if (decision?.player !== player) return false;
  return decision.allows?.(action) ?? decision.options.some((option) => same(option, action));
}

const answers = {
  start: () => ({
    protocol: 1,
    implementation: { name: "small-games", version: "1.1.0", language: "JavaScript" },
    games: Object.entries(GAMES).flatMap(([name, { editions, features }]) =>
      editions.map((edition) => ({ game: name, edition, features })),
    ),
  }),

  new({ game: name, setup }) {
    plays = GAMES[name];
    if (!plays) throw new Unsupported(`the game ${name}`);
    game = setup.position ? plays.Game.at(setup.position, setup.seed) : plays.Game.start(setup);
    steps = game.run();
    proceed();
    return { ok: true, events: events() };
  },

  decision() {
    if (!decision) return { over: true };
    const { player, kind, options } = decision;
    return { player, kind, options };
  },

  apply({ player, action }) {
    if (!legal(player, action)) return { accepted: false };
    proceed(action);
    return { accepted: true, events: events() };
  },

  observe() {
    const state = plays.state(game, (of) => Object.fromEntries(game.seats.map((seat) => [seat.name, of(seat)])));
    return { state: { ...state, ...(game.over ? { scores: game.scores(), winners: game.winners() } : {}) } };
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
