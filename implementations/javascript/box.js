"use strict";
// What is in the box of the Station. The manual's own lists are in sections that we do not have: these are the
// lists that the oracle publishes as its defaults, and so is the map.

const PRINTED = {
  blue: { Airlock: [2, 1], Condenser: [4, 2], Cistern: [5, 3], Lagoon: [7, 4], Aquarium: [9, 6] },
  red: { Battery: [2, 1], "Solar Wing": [4, 2], Turbine: [5, 3], Reactor: [7, 4], Torus: [10, 7] },
  green: { Garden: [3, 1], Greenhouse: [4, 2], Infirmary: [6, 3], Nursery: [8, 5], Arboretum: [9, 6] },
  gold: { Scanner: [3, 1], Refinery: [5, 2], Foundry: [6, 3], Embassy: [8, 5], Vault: [10, 7] },
};

const MODULES = Object.fromEntries(
  Object.entries(PRINTED).flatMap(([guild, modules]) =>
    Object.entries(modules).map(([name, [cost, renown]]) => [name, { guild, cost, renown }]),
  ),
);

// Three of each credit card; two of each module that costs up to 5.
const CREDITS = Object.keys(PRINTED).flatMap((guild) =>
  [1, 2, 3, 4, 5, 6, 7, 8].flatMap((value) => Array(3).fill(`${guild} ${value}`)),
);
const SALVAGE = Object.entries(MODULES).flatMap(([name, { cost }]) => Array(cost <= 5 ? 2 : 1).fill(name));

// The Core, a ring of six nodes around it and one of twelve around that.
function rings(...sizes) {
  const nodes = ["core"];
  const links = [];
  let inner = ["core"];
  for (const size of sizes) {
    const ring = Array.from({ length: size }, (_, i) => `n${nodes.length + i}`);
    for (const [i, node] of ring.entries()) {
      links.push([inner[Math.floor((i * inner.length) / size)], node], [node, ring[(i + 1) % size]]);
    }
    nodes.push(...ring);
    inner = ring;
  }
  return { nodes, links };
}

module.exports = { MODULES, CREDITS, SALVAGE, RINGS: rings(6, 12) };
