"use strict";
// The Station, from sections 6 to 9 of the Commander's manual. It knows nothing of the protocol. A game is a
// generator: it yields each decision and is sent the action that is chosen. There can be millions of ways to
// pay, so a decision always says what it `allows`, and lists its `options` only where they are few.

const { Unsupported, randomFrom, shuffled, deckFrom, expanded, distinct, without, selections, same } = require("./cards.js");
const { MODULES, CREDITS, SALVAGE, RINGS } = require("./box.js");

const BERTHS = ["1", "2", "3", "4", "5"];
const DISPLAY = 6; // credit cards in a full display
const DOCK = 4; // modules in a full Dry Dock
const LIMIT = 7; // what several acquired cards are worth at most
const REWARD = 3; // the highest card that an exact payment earns
const LISTED = 3000; // more ways to purchase than this are not listed
const CORE = "core";

const value = (card) => Number(card.slice(card.lastIndexOf(" ") + 1));
const guild = (card) => card.slice(0, card.lastIndexOf(" "));
const total = (cards) => cards.reduce((sum, card) => sum + value(card), 0);
const allDifferent = (items) => new Set(items).size === items.length;

class Game {
  constructor(given) {
    this.random = randomFrom(given.seed ?? 0);
    this.modules = { ...MODULES, ...given.modules };
    this.nodes = given.map?.nodes ?? RINGS.nodes;
    this.links = given.map?.links ?? RINGS.links;
    this.placement = given.placement ?? "connected";
    if (!["connected", "free"].includes(this.placement)) throw new Unsupported(`the placement ${this.placement}`);
    this.drift = given.drift ?? 1;
    this.end = given.end ?? { "salvage empty": true };
    this.scoring = given.scoring ?? "first install";
    this.readings = Object.fromEntries(
      ["needless payment", "pay nothing", "identical exchange"].map((reading) => [reading, given[reading] ?? true]),
    );

    const names = given.players ?? ["A", "B"];
    this.seats = names.map((name) => seated(name, given));
    this.starting = Math.max(0, names.indexOf(given.starting));
    this.turn = given.turn === undefined ? this.starting : names.indexOf(given.turn);
    this.round = given.round ?? 1;
    this.display = expanded(given.display);
    this.discard = expanded(given.discard);
    this.deck = deckFrom(given.deck, this.random);
    this.salvage = deckFrom(given.salvage, this.random);
    this.market = BERTHS.map((berth) => this.berth(given, berth)); // null: an empty berth
    this.vacated = null; // the berth to be refilled at the end of the turn
    this.ended = given.ended ?? false;
    this.over = given.over ?? false;
    this.events = [];
  }

  static at(given, seed) {
    return new Game({ ...given, seed });
  }

  static start(setup) {
    const own = Object.keys(setup.modules ?? {}).filter((name) => !Object.hasOwn(MODULES, name));
    const game = new Game({ deck: [CREDITS], salvage: [[...SALVAGE, ...own]], ...setup });
    game.refillDisplay();
    for (const [i, berth] of game.market.entries()) if (berth === null) game.refillBerth(i);
    game.beginRound();
    return game;
  }

  berth(given, berth) {
    const name = given.market?.[berth];
    if (!name) return null;
    const eligible = given.eligible?.map(String).includes(berth) ?? true;
    return { name, eligible, discount: given.discount?.[berth] ?? 0 };
  }

  get mover() {
    return this.seats[this.turn];
  }

  // -- rounds and turns (section 6) ---------------------------------------------------------------

  *run() {
    while (!this.over) {
      const action = yield this.askForTurn();
      yield* this.perform(action);
      if (this.vacated !== null) this.refillBerth(this.vacated);
      this.vacated = null;
      this.turn = (this.turn + 1) % this.seats.length;
      if (this.turn === this.starting) this.endRound();
    }
  }

  // Modules that are in the market now get the discount when the round ends.
  beginRound() {
    for (const berth of this.market) if (berth) berth.eligible = true;
  }

  endRound() {
    for (const berth of this.market) if (berth?.eligible) berth.discount += this.drift;
    if (this.ended) this.over = true;
    else {
      this.round += 1;
      this.beginRound();
    }
  }

  askForTurn() {
    const others = [...this.acquisitions(), ...this.reconfigurations()];
    const purchases = this.purchases();
    const mustPass = others.length === 0 && purchases.length === 0;
    if (mustPass || this.ended) others.push({ pass: null });
    const many = purchases.reduce((sum, { ways }) => sum + ways, 0);
    return {
      player: this.mover.name,
      kind: "action",
      options: many > LISTED ? null : [...others, ...purchases.flatMap((purchase) => this.listed(purchase))],
      allows: (action) => {
        if (!("purchase" in action)) return others.some((other) => same(other, action));
        const purchase = purchases.find(({ berth }) => berth === action.from);
        return purchase?.name === action.purchase && purchase.to.includes(action.to) && this.pays(purchase, action.pay);
      },
    };
  }

  *perform(action) {
    const seat = this.mover;
    if ("acquire" in action) {
      this.take(seat, action.acquire);
      this.refillDisplay();
    } else if ("purchase" in action) {
      yield* this.purchase(seat, action);
    } else if ("install" in action) {
      this.install(seat, undock(seat, action.install), action.at);
    } else if ("stow" in action) {
      this.stow(seat, action.stow);
    } else if ("exchange" in action) {
      const incoming = undock(seat, action.for);
      this.stow(seat, action.exchange);
      this.install(seat, incoming, action.exchange);
    }
  }

  // -- credits (section 7) ------------------------------------------------------------------------

  // One card of any value, or two or three of different guilds within the limit.
  acquisitions() {
    const several = (cards) => allDifferent(cards.map(guild)) && total(cards) <= LIMIT;
    return selections(this.display, 1, 3)
      .filter((cards) => cards.length === 1 || several(cards))
      .map((cards) => ({ acquire: cards }));
  }

  take(seat, cards) {
    this.display = without(this.display, cards);
    seat.hand.push(...cards);
  }

  refillDisplay() {
    while (this.display.length < DISPLAY) {
      if (this.deck.length === 0) {
        if (this.discard.length === 0) return;
        this.deck = shuffled(this.discard, this.random);
        this.discard = [];
      }
      const card = this.deck.shift();
      this.display.push(card);
      this.events.push({ event: "dealt", items: [card] });
    }
  }

  // -- purchases (section 8) ----------------------------------------------------------------------

  // For each berth that something can be purchased from: what, at what cost, with which cards, to where.
  purchases() {
    const seat = this.mover;
    const room = seat.dock.length < DOCK ? ["dock"] : [];
    return this.market.flatMap((lies, i) => {
      if (lies === null) return [];
      const printed = this.modules[lies.name];
      const purse = seat.hand.filter((card) => guild(card) === printed.guild);
      const to = [...room, ...this.sites(seat, lies.name)];
      const purchase = { berth: BERTHS[i], name: lies.name, cost: Math.max(0, printed.cost - lies.discount), purse, to };
      const copies = distinct(purse).map((card) => purse.filter((other) => other === card).length);
      purchase.ways = copies.reduce((ways, n) => ways * (n + 1), to.length); // too many rather than too few
      return to.length > 0 && total(purse) >= this.due(purchase) ? [purchase] : [];
    });
  }

  // What a payment must come to: a card at least, where nothing is not taken for a payment.
  due({ cost }) {
    return this.readings["pay nothing"] ? cost : Math.max(1, cost);
  }

  pays(purchase, cards) {
    const left = [...purchase.purse];
    for (const card of cards) {
      if (!left.includes(card)) return false;
      left.splice(left.indexOf(card), 1);
    }
    const sum = total(cards);
    const due = this.due(purchase);
    const needed = this.readings["needless payment"] || cards.every((card) => sum - value(card) < due);
    return sum >= due && needed;
  }

  listed(purchase) {
    const payments = selections(purchase.purse, 0, purchase.purse.length).filter((cards) => this.pays(purchase, cards));
    return payments.flatMap((cards) =>
      purchase.to.map((to) => ({ purchase: purchase.name, from: purchase.berth, pay: cards, to })),
    );
  }

  *purchase(seat, { from, pay, to }) {
    const i = BERTHS.indexOf(from);
    const { name, discount } = this.market[i];
    this.market[i] = null;
    this.vacated = i;
    seat.hand = without(seat.hand, pay);
    this.discard.push(...pay);
    if (to === "dock") seat.dock.push({ name, scored: false });
    else this.install(seat, { name, scored: false }, to);
    seat.counter += 1;
    if (seat.counter >= (this.end.counter || Infinity)) this.ended = true;
    if (total(pay) === Math.max(0, this.modules[name].cost - discount)) yield* this.reward(seat);
  }

  // For an exact payment: a low card of the display, if there is one, and only then the refill.
  *reward(seat) {
    const low = distinct(this.display.filter((card) => value(card) <= REWARD));
    if (low.length > 0) {
      const options = low.map((card) => ({ take: card }));
      const allows = (action) => options.some((option) => same(option, action));
      const { take } = yield { player: seat.name, kind: "choice", options, allows };
      this.take(seat, [take]);
    }
    this.refillDisplay();
  }

  refillBerth(i) {
    if (this.salvage.length === 0) {
      if (this.end["salvage empty"]) this.ended = true;
      return;
    }
    const name = this.salvage.shift();
    this.market[i] = { name, eligible: false, discount: 0 };
    this.events.push({ event: "salvaged", items: [name] });
  }

  // -- the station (section 9) --------------------------------------------------------------------

  reconfigurations() {
    const seat = this.mover;
    const docked = distinct(seat.dock.map(({ name }) => name));
    const installs = docked.flatMap((name) => this.sites(seat, name).map((node) => ({ install: name, at: node })));
    const moves = this.nodes.flatMap((node) => {
      if (node === CORE || !seat.station[node]) return [];
      const stows = seat.dock.length < DOCK && this.allowed(seat, node, null) ? [{ stow: node }] : [];
      const incoming = docked.filter(
        (name) =>
          this.allowed(seat, node, name) && (this.readings["identical exchange"] || name !== seat.station[node]),
      );
      return [...stows, ...incoming.map((name) => ({ exchange: node, for: name }))];
    });
    return [...installs, ...moves];
  }

  // The vacant nodes where a module may be installed.
  sites(seat, name) {
    return this.nodes.filter((node) => !seat.station[node] && this.allowed(seat, node, name));
  }

  // Whether the station may be as it is with this module, or none, at the node: every module must reach the
  // Core over links between occupied nodes, unless placement is free.
  allowed(seat, node, name) {
    if (this.placement === "free") return true;
    const station = { ...seat.station, [node]: name };
    const occupied = this.nodes.filter((other) => station[other]);
    const reached = new Set([CORE]);
    for (const at of reached) {
      for (const [one, other] of this.links) {
        if (one === at && station[other]) reached.add(other);
        if (other === at && station[one]) reached.add(one);
      }
    }
    return occupied.every((other) => reached.has(other));
  }

  install(seat, { name, scored }, node) {
    seat.station[node] = name;
    if (this.scoring === "every install" || (this.scoring === "first install" && !scored))
      seat.renown += this.modules[name].renown ?? 0;
  }

  // What is docked keeps in mind that its Renown has been scored.
  stow(seat, node) {
    seat.dock.push({ name: seat.station[node], scored: true });
    delete seat.station[node];
  }

  // -- the end ------------------------------------------------------------------------------------

  scores() {
    const installed = (seat) => Object.entries(seat.station).filter(([node]) => node !== CORE);
    const standing = (seat) => installed(seat).reduce((sum, [, name]) => sum + (this.modules[name].renown ?? 0), 0);
    const score = (seat) => seat.renown + (this.scoring === "at the end" ? standing(seat) : 0);
    return Object.fromEntries(this.seats.map((seat) => [seat.name, score(seat)]));
  }

  winners() {
    const scores = this.scores();
    return Object.keys(scores).filter((name) => scores[name] === Math.max(...Object.values(scores)));
  }
}

function seated(name, given) {
  const scored = expanded(given.scored?.[name]);
  const dock = expanded(given.dock?.[name]).map((module) => {
    const i = scored.indexOf(module);
    return { name: module, scored: i >= 0 && scored.splice(i, 1).length > 0 };
  });
  return {
    name,
    dock,
    hand: expanded(given.hand?.[name]),
    station: { [CORE]: "Command Core", ...given.station?.[name] },
    counter: given.counter?.[name] ?? 0,
    renown: given.renown?.[name] ?? 0,
  };
}

// Takes a module out of the dock: of several alike one that has not been scored yet, if there is one.
function undock(seat, name) {
  const alike = seat.dock.filter((module) => module.name === name);
  const chosen = alike.find((module) => !module.scored) ?? alike[0];
  seat.dock = seat.dock.filter((module) => module !== chosen);
  return chosen;
}

module.exports = { Game, BERTHS };
