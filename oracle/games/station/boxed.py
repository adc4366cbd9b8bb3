"""What is in the box by default. The manual's lists are in sections that we do not have, so these are our own.

Credit cards: four guilds, values 1 to 8, three of each. Modules: five for each guild; of those that
cost up to 5 there are two.
"""

from __future__ import annotations

from oracle.games.station.state import Module

GUILDS = ("blue", "red", "green", "gold")
CREDITS = tuple(f"{guild} {value}" for guild in GUILDS for value in range(1, 9) for _ in range(3))

MODULES: dict[str, Module] = {
    name: Module(name, guild, cost, renown)
    for guild, printed in {
        "blue": {"Airlock": (2, 1), "Condenser": (4, 2), "Cistern": (5, 3), "Lagoon": (7, 4), "Aquarium": (9, 6)},
        "red": {"Battery": (2, 1), "Solar Wing": (4, 2), "Turbine": (5, 3), "Reactor": (7, 4), "Torus": (10, 7)},
        "green": {"Garden": (3, 1), "Greenhouse": (4, 2), "Infirmary": (6, 3), "Nursery": (8, 5), "Arboretum": (9, 6)},
        "gold": {"Scanner": (3, 1), "Refinery": (5, 2), "Foundry": (6, 3), "Embassy": (8, 5), "Vault": (10, 7)},
    }.items()
    for name, (cost, renown) in printed.items()
}
SALVAGE = tuple(module.name for module in MODULES.values() for _ in range(2 if module.cost <= 5 else 1))
