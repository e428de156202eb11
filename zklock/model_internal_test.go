package zklock

import (
	"flag"
	"fmt"
	"testing"
)

var wholeModel = flag.Bool("model-all", false, "TestHandOverModel explores its large scenes, too: about half a minute without -race")

// Whatever order things happen in, and whoever crashes, gives up, releases or
// comes back at any moment: the real turn lets nobody hold beside another whom
// it excludes, nobody before another that is ahead of it, and nobody sleeps
// for ever. Only reconnects, writes and evictions are few, as each scene says.
func TestHandOverModel(t *testing.T) {
	t.Parallel()
	for _, s := range scenes() {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			found, err := s.survey()
			if err != nil {
				t.Error(err)
			}
			if found.holds == 0 {
				t.Error("nobody ever holds")
			}
			// The gap of ownDelay that the package comment tells of.
			if found.unaware > 0 != (s.budget.evictions > 0) {
				t.Errorf("in %d states one holds that is deleted, with %d evictions", found.unaware, s.budget.evictions)
			}
			t.Logf("%d states, in %d of them the lock is held", len(found.moves), found.holds)
		})
	}
}

// scenes are the worlds to be explored. A fourth place is another round of a
// client: a word of four letters has three clients.
func scenes() (all []scene) {
	all = []scene{
		{queue: "LLL", fast: true, guesses: true, budget: budget{reconnects: 1}},
		{queue: "LLL", fast: true, guesses: true, budget: budget{writes: 1}},
		{queue: "LLL", fast: true, guesses: true, budget: budget{evictions: 1}},
		{queue: "LL", fast: true, budget: budget{reconnects: 1, writes: 1, evictions: 1}},
		{queue: "LLLL", fast: true},
		{queue: "LLLL", textbook: true},
		{queue: "LLL", guesses: true, marks: true, budget: budget{reconnects: 1}},
		{queue: "LLL", fast: true, guesses: true, marks: true, budget: budget{evictions: 1}},
		{queue: "LLL", guesses: true, heirs: true, budget: budget{reconnects: 1}},
		{queue: "LLL", guesses: true, heirs: true, budget: budget{writes: 1}},
		{queue: "LLL", guesses: true, heirs: true, budget: budget{evictions: 1}},
		{queue: "LLLL", sure: true, heirs: true},
		{queue: "LLLL", fast: true, numbers: true},
		{queue: "LLL", numbers: true, budget: budget{reconnects: 1}},
		{queue: "LLL", numbers: true, budget: budget{evictions: 1}},
		{queue: "RWRW"},
	}
	for _, queue := range queues(3, "RW") {
		all = append(all,
			scene{queue: queue, fast: true, budget: budget{reconnects: 1}},
			scene{queue: queue, textbook: true})
	}
	if *wholeModel {
		all = append(all, largeScenes()...)
	}
	return all
}

func largeScenes() (all []scene) {
	all = []scene{
		{queue: "LLL", fast: true, guesses: true, budget: budget{reconnects: 2}},
		{queue: "LLL", fast: true, guesses: true, budget: budget{reconnects: 1, writes: 1, evictions: 1}},
		{queue: "LLLL", fast: true, guesses: true, budget: budget{reconnects: 1}},
		{queue: "LLLL", textbook: true, budget: budget{reconnects: 1}},
		{queue: "LLL", fast: true, guesses: true, marks: true, budget: budget{reconnects: 2}},
		{queue: "LLL", fast: true, guesses: true, marks: true, budget: budget{reconnects: 1, writes: 1, evictions: 1}},
		{queue: "LLLL", fast: true, guesses: true, marks: true},
		{queue: "LLLL", fast: true, guesses: true, heirs: true, budget: budget{reconnects: 1}},
		{queue: "LLL", fast: true, guesses: true, heirs: true, budget: budget{reconnects: 1, writes: 1, evictions: 1}},
	}
	for _, queue := range queues(3, "RW") {
		all = append(all, scene{queue: queue, fast: true, budget: budget{reconnects: 2, writes: 1}})
	}
	for _, queue := range queues(4, "RW") {
		all = append(all, scene{queue: queue, fast: true})
	}
	return all
}

// queues returns all words of n of the letters.
func queues(n int, letters string) []string {
	if n == 0 {
		return []string{""}
	}
	var words []string
	for _, word := range queues(n-1, letters) {
		for _, letter := range letters {
			words = append(words, word+string(letter))
		}
	}
	return words
}

func (s *scene) String() string {
	return fmt.Sprintf("%s textbook=%t fast=%t guesses=%t sure=%t marks=%t heirs=%t numbers=%t reconnects=%d writes=%d evictions=%d",
		s.queue, s.textbook, s.fast, s.guesses, s.sure, s.marks, s.heirs, s.numbers, s.budget.reconnects, s.budget.writes, s.budget.evictions)
}

// survey explores what can follow from the scene.
func (s *scene) survey() (*survey, error) {
	s.prepare()
	found, first := new(survey), &queueModel{scene: s, budget: s.budget}
	first.markFirst()
	return found, found.explore(first)
}
