"use strict";
// What both games are made of: cards are names, a pile is a list of names.

// Thrown for what a game does not have; the harness says so to the oracle.
class Unsupported extends Error {}

// mulberry32: the same seed shuffles the same way, so that a game can be played again.
function randomFrom(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled(cards, random) {
  const pile = [...cards];
  for (let i = pile.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [pile[i], pile[j]] = [pile[j], pile[i]];
  }
  return pile;
}

// A pile as a position writes it, top first; a list within it is a shuffled part.
function deckFrom(layers, random) {
  return (layers ?? []).flatMap((layer) =>
    Array.isArray(layer) ? shuffled(expanded(layer), random) : expanded([layer]),
  );
}

const sorted = (cards) => [...cards].sort();
const distinct = (cards) => [...new Set(cards)];

function without(cards, gone) {
  const left = [...cards];
  for (const name of gone) left.splice(left.indexOf(name), 1);
  return left;
}

// All different ways to choose `low` to `high` of the cards.
function selections(cards, low, high) {
  let ways = [[]];
  for (const name of distinct(sorted(cards))) {
    const copies = cards.filter((other) => other === name).length;
    ways = ways.flatMap((way) =>
      Array.from({ length: copies + 1 }, (_, n) => [...way, ...Array(n).fill(name)]),
    );
  }
  return ways.filter((way) => way.length >= low && way.length <= high);
}

// ["3 Estate", "Gold"] in full.
function expanded(cards = []) {
  return cards.flatMap((text) => {
    const counted = /^(\d+) (.+)$/.exec(text);
    return counted ? Array(Number(counted[1])).fill(counted[2]) : [text];
  });
}

// Actions are equal if they say the same, in whatever order their cards stand.
function same(one, other) {
  const plain = (about) => JSON.stringify(Array.isArray(about) ? sorted(about) : about);
  const words = Object.keys(one);
  return words.length === Object.keys(other).length && words.every((word) => plain(one[word]) === plain(other[word]));
}

module.exports = {
  ...{ Unsupported, randomFrom, shuffled, deckFrom, expanded },
  ...{ sorted, distinct, without, selections, same },
};
