"use strict";
// A small Dominion: the basic cards and fifteen of the base set's kingdom cards. It knows nothing of
// the protocol. A game is a generator: it yields each decision and is sent the option that is chosen.

const { Unsupported, randomFrom, shuffled, deckFrom, sorted, distinct, without, selections, expanded } = require("./cards.js");

const card = (cost, types, more = {}) => ({ cost, types: types.split(" "), ...more });

const CARDS = {
  Copper: card(0, "Treasure", { coins: 1 }),
  Silver: card(3, "Treasure", { coins: 2 }),
  Gold: card(6, "Treasure", { coins: 3 }),
  Estate: card(2, "Victory", { points: 1 }),
  Duchy: card(5, "Victory", { points: 3 }),
  Province: card(8, "Victory", { points: 6 }),
  Curse: card(0, "Curse", { points: -1 }),
  Cellar: card(2, "Action", { actions: 1 }),
  Chapel: card(2, "Action"),
  Moat: card(2, "Action Reaction", { cards: 2 }),
  Merchant: card(3, "Action", { cards: 1, actions: 1 }),
  Village: card(3, "Action", { cards: 1, actions: 2 }),
  Workshop: card(3, "Action"),
  Gardens: card(4, "Victory"),
  Militia: card(4, "Action Attack", { coins: 2 }),
  Moneylender: card(4, "Action"),
  Smithy: card(4, "Action", { cards: 3 }),
  "Council Room": card(5, "Action", { cards: 4, buys: 1 }),
  Festival: card(5, "Action", { actions: 2, buys: 1, coins: 2 }),
  Laboratory: card(5, "Action", { cards: 2, actions: 1 }),
  Market: card(5, "Action", { cards: 1, actions: 1, buys: 1, coins: 1 }),
  Witch: card(5, "Action Attack", { cards: 2 }),
};
const BASICS = ["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"];
const KINGDOM = Object.keys(CARDS).filter((name) => !BASICS.includes(name));

function known(name) {
  if (!Object.hasOwn(CARDS, name)) throw new Unsupported(`the card ${name}`);
  return name;
}

function pileSize(name, players) {
  if (name === "Copper") return 60 - 7 * players;
  if (name === "Silver") return 40;
  if (name === "Gold") return 30;
  if (name === "Curse") return 10 * (players - 1);
  if (CARDS[name].types.includes("Victory")) return players === 2 ? 8 : 12;
  return 10;
}

// -- the game -------------------------------------------------------------------------------------

class Game {
  constructor(players, random) {
    if (players.length < 2 || players.length > 4) throw new Unsupported(`${players.length} players`);
    this.random = random;
    this.seats = players.map((name) => ({ name, hand: [], deck: [], discard: [], play: [], turns: 0 }));
    this.supply = {};
    this.trash = [];
    this.turn = 0;
    this.over = false;
    this.events = [];
    this.fresh();
  }

  static start(setup) {
    const game = new Game(setup.players, randomFrom(setup.seed ?? 0));
    for (const name of [...BASICS, ...setup.kingdom]) game.supply[known(name)] = pileSize(name, setup.players.length);
    game.turn = setup.players.indexOf(setup.first ?? setup.players[0]);
    for (const seat of game.fromTurn()) {
      seat.discard = expanded(["7 Copper", "3 Estate"]);
      game.draw(seat, 5);
    }
    game.mover.turns = 1;
    return game;
  }

  // A position that is given; what it leaves out is empty, or as at the start of a turn.
  static at(given, seed = 0) {
    const fields = [
      ...["players", "turn", "phase", "actions", "buys", "coins", "bought", "merchants", "silvers", "hand", "deck"],
      ...["discard", "in play", "hand size", "deck size", "supply", "kingdom", "trash", "turns", "over"],
    ];
    for (const field of Object.keys(given)) if (!fields.includes(field)) throw new Unsupported(field);
    if (!["action", "buy", undefined].includes(given.phase)) throw new Unsupported(`${given.phase} phase`);
    const game = new Game(given.players ?? ["A", "B"], randomFrom(seed));
    game.turn = game.seats.findIndex((seat) => seat.name === (given.turn ?? game.seats[0].name));
    for (const [i, seat] of game.seats.entries()) {
      seat.hand = expanded(given.hand?.[seat.name]);
      seat.discard = expanded(given.discard?.[seat.name]);
      seat.play = expanded(given["in play"]?.[seat.name]);
      seat.deck = deckFrom(given.deck?.[seat.name], game.random);
      seat.turns = given.turns?.[seat.name] ?? (i <= game.turn ? 1 : 0);
    }
    game.trash = expanded(given.trash);
    const seen = [...game.seats.flatMap((seat) => owned(seat)), ...game.trash];
    const piles = [...BASICS, ...expanded(given.kingdom), ...Object.keys(given.supply ?? {}), ...sorted(seen)];
    for (const name of distinct(piles)) {
      const full = pileSize(known(name), game.seats.length);
      const started = { Copper: 7, Estate: 3 }[name] ?? 0;
      const gone = seen.filter((other) => other === name).length - started * game.seats.length;
      game.supply[name] = given.supply?.[name] ?? Math.min(full, Math.max(0, full - gone));
    }
    for (const field of ["phase", "actions", "buys", "coins", "bought", "merchants", "silvers"])
      game[field] = given[field] ?? game[field];
    game.over = given.over ?? false;
    return game;
  }

  get mover() {
    return this.seats[this.turn];
  }

  // The seats in turn order, from the one whose turn it is.
  fromTurn() {
    return [...this.seats.slice(this.turn), ...this.seats.slice(0, this.turn)];
  }

  others(seat) {
    const i = this.seats.indexOf(seat);
    return [...this.seats.slice(i + 1), ...this.seats.slice(0, i)];
  }

  fresh() {
    Object.assign(this, { phase: "action", actions: 1, buys: 1, coins: 0, bought: 0, merchants: 0, silvers: 0 });
  }

  *run() {
    while (!this.over) {
      if (this.phase === "action") yield* this.actionPhase();
      this.phase = "buy";
      yield* this.buyPhase();
      this.cleanUp();
      if (this.ended()) {
        this.over = true;
        return;
      }
      this.turn = (this.turn + 1) % this.seats.length;
      this.mover.turns += 1;
      this.fresh();
    }
  }

  *actionPhase() {
    for (;;) {
      const playable = this.actions > 0 ? this.inHand(this.mover, "Action") : [];
      const options = [{ end: "action phase" }, ...playable.map((name) => ({ play: name }))];
      const { play } = yield this.ask(this.mover, "action", options);
      if (play === undefined) return;
      this.actions -= 1;
      yield* this.play(this.mover, play);
    }
  }

  *buyPhase() {
    for (;;) {
      const treasures = this.bought === 0 ? this.inHand(this.mover, "Treasure") : [];
      const piles = this.buys > 0 ? this.costing(this.coins) : [];
      const options = [
        { end: "buy phase" },
        ...treasures.map((name) => ({ play: name })),
        ...piles.map((name) => ({ buy: name })),
      ];
      const { play, buy } = yield this.ask(this.mover, "action", options);
      if (play !== undefined) yield* this.play(this.mover, play);
      else if (buy !== undefined) {
        this.buys -= 1;
        this.bought += 1;
        this.coins -= CARDS[buy].cost;
        this.gain(this.mover, buy);
      } else return;
    }
  }

  cleanUp() {
    for (const seat of this.seats) {
      seat.discard.push(...seat.play);
      seat.play = [];
    }
    this.mover.discard.push(...this.mover.hand);
    this.mover.hand = [];
    this.draw(this.mover, 5);
  }

  ended() {
    const empty = Object.values(this.supply).filter((left) => left === 0).length;
    return this.supply.Province === 0 || empty >= 3;
  }

  // -- playing cards ------------------------------------------------------------------------------

  *play(seat, name) {
    seat.hand = without(seat.hand, [name]);
    seat.play.push(name);
    const { types, cards = 0, actions = 0, buys = 0, coins = 0 } = CARDS[name];
    const affected = types.includes("Attack") ? yield* this.reactions(seat) : this.others(seat);
    this.actions += actions;
    this.buys += buys;
    this.coins += coins;
    this.draw(seat, cards);
    if (name === "Silver") {
      if (this.silvers === 0) this.coins += this.merchants;
      this.silvers += 1;
    }
    if (Object.hasOwn(TEXTS, name)) yield* TEXTS[name](this, seat, affected);
  }

  // Whom an attack affects: each other player with a Moat may reveal it first.
  *reactions(seat) {
    const affected = [];
    for (const other of this.others(seat)) {
      if (!other.hand.includes("Moat")) affected.push(other);
      else {
        const { reveal } = yield this.ask(other, "choice", [{ reveal: null }, { reveal: "Moat" }]);
        if (reveal === null) affected.push(other);
      }
    }
    return affected;
  }

  ask(seat, kind, options) {
    return { player: seat.name, kind, options };
  }

  // -- moving cards -------------------------------------------------------------------------------

  draw(seat, n) {
    if (seat.deck.length < n && seat.discard.length > 0) {
      seat.deck.push(...shuffled(seat.discard, this.random));
      seat.discard = [];
    }
    const drawn = seat.deck.splice(0, n);
    seat.hand.push(...drawn);
    if (drawn.length > 0) this.events.push({ event: "drawn", player: seat.name, items: drawn });
  }

  gain(seat, name) {
    if (!this.supply[name]) return;
    this.supply[name] -= 1;
    seat.discard.push(name);
  }

  discard(seat, cards) {
    seat.hand = without(seat.hand, cards);
    seat.discard.push(...cards);
  }

  trashFrom(seat, cards) {
    seat.hand = without(seat.hand, cards);
    this.trash.push(...cards);
  }

  inHand(seat, type) {
    return distinct(seat.hand.filter((name) => CARDS[name].types.includes(type)));
  }

  costing(coins) {
    return Object.keys(this.supply).filter((name) => this.supply[name] > 0 && CARDS[name].cost <= coins);
  }

  // -- the end ------------------------------------------------------------------------------------

  scores() {
    const points = (seat) => {
      const cards = owned(seat);
      const gardens = cards.filter((name) => name === "Gardens").length * Math.floor(cards.length / 10);
      return cards.reduce((sum, name) => sum + (CARDS[name].points ?? 0), gardens);
    };
    return Object.fromEntries(this.seats.map((seat) => [seat.name, points(seat)]));
  }

  // The most points win; of those with as many, whoever had the fewest turns; of those, all.
  winners() {
    const scores = this.scores();
    const best = this.seats.filter((seat) => scores[seat.name] === Math.max(...Object.values(scores)));
    const fewest = Math.min(...best.map((seat) => seat.turns));
    return best.filter((seat) => seat.turns === fewest).map((seat) => seat.name);
  }
}

function owned(seat) {
  return [...seat.hand, ...seat.deck, ...seat.discard, ...seat.play];
}

// What a card's text says beyond its numbers. `affected` are the other players that an attack affects.
const TEXTS = {
  *Cellar(game, seat) {
    if (seat.hand.length === 0) return;
    const options = selections(seat.hand, 0, seat.hand.length).map((cards) => ({ discard: cards }));
    const { discard } = yield game.ask(seat, "choice", options);
    game.discard(seat, discard);
    game.draw(seat, discard.length);
  },
  *Chapel(game, seat) {
    if (seat.hand.length === 0) return;
    const options = selections(seat.hand, 0, 4).map((cards) => ({ trash: cards }));
    const { trash } = yield game.ask(seat, "choice", options);
    game.trashFrom(seat, trash);
  },
  *Merchant(game) {
    game.merchants += 1;
  },
  *Workshop(game, seat) {
    const piles = game.costing(4);
    if (piles.length === 0) return;
    const { gain } = yield game.ask(seat, "choice", piles.map((name) => ({ gain: name })));
    game.gain(seat, gain);
  },
  *Militia(game, seat, affected) {
    for (const other of affected) {
      const many = other.hand.length - 3;
      if (many <= 0) continue;
      const options = selections(other.hand, many, many).map((cards) => ({ discard: cards }));
      const { discard } = yield game.ask(other, "choice", options);
      game.discard(other, discard);
    }
  },
  *Moneylender(game, seat) {
    if (!seat.hand.includes("Copper")) return;
    const { trash } = yield game.ask(seat, "choice", [{ trash: [] }, { trash: ["Copper"] }]);
    game.trashFrom(seat, trash);
    if (trash.length > 0) game.coins += 3;
  },
  *"Council Room"(game, seat, affected) {
    for (const other of affected) game.draw(other, 1);
  },
  *Witch(game, seat, affected) {
    for (const other of affected) game.gain(other, "Curse");
  },
};

module.exports = { Game, KINGDOM };
