// Compiled together with the sources of L5RServer, in place of its Program: sets up a position out of the program's own
// classes and lets it play on. Each time the program reads a line, the driver writes what it asks, offers and holds, and
// answers it with the next line that it is given itself. README.md beside this file says what is in the lines.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using L5R.Gamestate;

namespace RulesOracle
{
    static class Driver
    {
        static void Main()
        {
            var lines = Console.In;
            var told = new StreamWriter(Console.OpenStandardOutput()) { NewLine = "\n" };
            while (true)
            {
                var said = new Said();
                Console.SetOut(said);
                Gamestate game = Position.Read(lines);
                Console.SetIn(new Answers(game, lines, told, said));
                try
                {
                    game.updateState();
                }
                catch (GivenUp)
                {
                    // Another position follows.
                }
            }
        }
    }

    class GivenUp : Exception
    {
    }

    // What the program writes: only its last line matters, which is what it asks. Where the program reads a line it catches
    // whatever is thrown, and says so: once a play is given up, that is thrown as well.
    class Said : TextWriter
    {
        readonly StringBuilder line = new StringBuilder();
        string before = "";

        public override Encoding Encoding { get { return Encoding.UTF8; } }

        public bool GivenUp;

        public string Last { get { return line.Length > 0 ? line.ToString() : before; } }

        public override void Write(char c)
        {
            if (GivenUp) throw new GivenUp();
            if (c != '\n') line.Append(c);
            else if (line.Length > 0)
            {
                before = line.ToString();
                line.Clear();
            }
        }
    }

    // What the program reads.
    class Answers : TextReader
    {
        readonly Gamestate game;
        readonly TextReader lines;
        readonly TextWriter told;
        readonly Said said;

        public Answers(Gamestate game, TextReader lines, TextWriter told, Said said)
        {
            this.game = game;
            this.lines = lines;
            this.told = told;
            this.said = said;
        }

        public override string ReadLine()
        {
            Tell("asked", said.Last);
            Tell("now", game.isDynastyPhase ? "dynasty" : game.isBattlePhase ? "attack" : "action",
                game.activePlayer.aLabel, game.performingPlayer.aLabel);
            foreach (IAction action in game.legalActions)
                Tell("option", action.actionOwner.GetType().Name, action.displayActionText);
            foreach (Province province in new ERecruitCardFromProvince().canBePurchasedFromProvince(game))
                Tell("recruit", province.purchasableCard.name, (game.activePlayer.playerProvinces.IndexOf(province) + 1).ToString());
            Seat(game.player1);
            Seat(game.player2);
            Tell("");
            told.Flush();
            string answer = lines.ReadLine();
            if (answer == null) Environment.Exit(0);
            said.GivenUp = answer == "";
            if (said.GivenUp) throw new GivenUp();
            return answer;
        }

        void Seat(Player player)
        {
            Tell("player", player.aLabel, player.familyHonour.ToString(), player.maxHandSize.ToString());
            foreach (Province province in player.playerProvinces)
                Tell("province", player.aLabel, province.purchasableCard.name, province.purchasableCard.IsFaceDown ? "down" : "up");
            Pile("hand", player, player.pHand.getCardsInHand());
            Pile("fate", player, player.pFateDeck.searchForCards());
            Pile("dynasty", player, player.pDynastyDeck.searchForCards());
            Pile("discard", player, player.pFateDiscard.getDiscardedFateCards());
            Pile("discard", player, player.pDynastyDiscard.getDiscardedDynastyCards());
        }

        void Pile(string zone, Player player, IEnumerable<Card> cards)
        {
            foreach (Card card in cards) Tell(zone, player.aLabel, card.name);
        }

        void Tell(params string[] words)
        {
            told.WriteLine(string.Join("\t", words));
        }
    }

    // A position as it is given, line by line, the active player first.
    class Position
    {
        readonly Dictionary<string, List<string[]>> given = new Dictionary<string, List<string[]>>();

        public static Gamestate Read(TextReader lines)
        {
            var position = new Position();
            string line;
            while ((line = lines.ReadLine()) != "")
            {
                if (line == null) Environment.Exit(0);
                string[] words = line.Split('\t');
                if (!position.given.ContainsKey(words[0])) position.given[words[0]] = new List<string[]>();
                position.given[words[0]].Add(words);
            }
            return position.Set();
        }

        IEnumerable<string[]> Of(string what, string player = null)
        {
            List<string[]> all;
            return given.TryGetValue(what, out all) ? all.Where(words => player == null || words[1] == player) : new string[0][];
        }

        Gamestate Set()
        {
            Player active = new Player(), other = new Player();
            var game = new Gamestate(active, other);
            var players = new[] { active, other };
            for (int i = 0; i < 2; i++)
            {
                players[i].gs = game;
                players[i].aLabel = given["player"][i][1];
            }
            // Each player's abilities look for the opponent.
            foreach (string[] words in given["player"]) Seat(players.Single(player => player.aLabel == words[1]), words);
            string[] now = given["now"][0];
            game.isActionPhase = now[1] == "action";
            game.isDynastyPhase = now[1] == "dynasty";
            if (game.isActionPhase)
            {
                // A phase under way: one that the program creates itself would straighten cards and turn them face-up.
                game.actionPhase = new ActionPhase(game);
                foreach (Player player in players)
                {
                    // By the time a player acts, both have lists of what they may do from an earlier interrupt.
                    game.performingPlayer = player;
                    game.actionPhase.setInterruptListGameState();
                    player.hasPassed = Of("passed", player.aLabel).Any();
                }
            }
            game.performingPlayer = players.Single(player => player.aLabel == now[2]);
            return game;
        }

        void Seat(Player player, string[] words)
        {
            Func<string, List<FateCard>> fate = zone =>
                Of(zone, player.aLabel).Select(card => (FateCard)new Strategy { name = card[2], playerOwner = player }).ToList();
            var provinces = Of("province", player.aLabel).ToList();
            var stronghold = new Stronghold { numOfStartingProvinces = provinces.Count };
            // Sitting down takes three cards of the Fate deck to the hand, whatever the position says.
            player.setPlayerDeck(
                Enumerable.Range(0, 3).Select(i => (FateCard)new Strategy()).ToList(),
                Of("dynasty", player.aLabel).Select(card => Dynasty(player, card)).ToList(), stronghold);
            player.pHand = new PlayerHand();
            foreach (FateCard card in fate("hand")) player.pHand.addCardToHand(card);
            player.pFateDeck.addFateCards(fate("fate"));
            for (int i = 0; i < provinces.Count; i++)
            {
                DynastyCard card = Dynasty(player, provinces[i]);
                if (provinces[i][4] == "up") card.turnFaceUp();
                player.playerProvinces[i].purchasableCard = card;
            }
            player.familyHonour = int.Parse(words[2]);
            player.maxHandSize = int.Parse(words[3]);
            player.setPlayerAbilities();
            player.playerAbilities.RemoveAll(card => Foreign.Contains(card.GetType()));
            foreach (string[] ability in Of("ability", player.aLabel)) player.playerAbilities.Add(new Declared(player, ability));
        }

        // Actions of the Ivory rulebook that a position does not declare.
        static readonly Type[] Foreign =
            { typeof(PlayerLimitedCycle), typeof(PlayerLimitedImperialFavour), typeof(PlayerOpenEquip), typeof(PlayerLimitedLobby) };

        static DynastyCard Dynasty(Player player, string[] words)
        {
            DynastyCard card = words[2] == "Holding" ? (DynastyCard)new Holding() : new Personality();
            card.name = words[3];
            card.playerOwner = player;
            return card;
        }
    }

    // An ability that a position declares, made as the program's own cards are.
    class Declared : PlayerCard
    {
        public Declared(Player owner, string[] words)
        {
            playerOwner = owner;
            name = words[2];
            IAction action = words[3] == "Limited" ? (IAction)new ActionLimited()
                : words[3] == "Open" ? (IAction)new ActionOpen() : new ActionBattle();
            action.actionsEffects.Add(new Does(int.Parse(words[4]), int.Parse(words[5])) { effectOwner = action, cardOwner = this });
            action.gs = owner.gs;
            action.actionOwner = this;
            action.displayActionText = name;
            action.actionPerformed = words[6] == "used";
            cardAbilities.Add(action);
        }
    }

    // Draws Fate cards as the program does, and changes the owner's Family Honor, or does nothing; then the opportunity
    // goes to the other player, as after every effect of the program's.
    class Does : IEffect
    {
        readonly int draws, honor;

        public Does(int draws, int honor)
        {
            this.draws = draws;
            this.honor = honor;
        }

        public override bool applyEffects(Gamestate game)
        {
            Player player = game.performingPlayer;
            for (int i = 0; i < draws && player.pFateDeck.searchForCards().Count > 0; i++)
            {
                new EDrawACard().applyEffects(game);
                game.performingPlayer = player;
            }
            cardOwner.playerOwner.familyHonour += honor;
            return base.applyEffects(game);
        }
    }
}
