package room

import (
	"errors"
	"fmt"
	"slices"
)

// ErrGoal is returned for a goal that no lesson has.
var ErrGoal = errors.New("no lesson has this goal")

// Meet notes that a person says to have met goals, in each class of which it is a member,
// wherever it has met them. A goal stays met, and counts once for each member. Its errors
// are ErrGoal, and ErrForbidden for who is a member of no class; then nothing is noted.
func (rs *Rooms) Meet(p Person, goals []string) error {
	for _, goal := range goals {
		if !slices.Contains(rs.config.Goals, goal) {
			return fmt.Errorf("%w: %.200q", ErrGoal, goal)
		}
	}
	err := fmt.Errorf("%w: who is a member of no class may not tell one which goals are met", ErrForbidden)
	rs.Each(func(r *Room) {
		if r.class != nil && r.RoleOf(p).May(MeetGoals) {
			err = r.class.meet(p, goals)
		}
	})
	return err
}

func (c *Class) meet(p Person, goals []string) error {
	c.mu.Lock()
	news := slices.ContainsFunc(goals, func(goal string) bool { return !c.goals[goal][p.ID] })
	c.mu.Unlock()
	if !news { // nobody is told again, but it may not be written yet
		return c.written()
	}
	return c.change(func() error { c.addGoals(p.ID, goals); return nil })
}

// addGoals adds a person to those who have met goals. The caller holds the mutex.
func (c *Class) addGoals(person string, goals []string) {
	for _, goal := range goals {
		if c.goals[goal] == nil {
			c.goals[goal] = make(map[string]bool)
		}
		c.goals[goal][person] = true
	}
}

// GoalsMet is how many of the members say to have met each goal, where any does.
func (c *Class) GoalsMet() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	met := make(map[string]int, len(c.goals))
	for goal, members := range c.goals {
		met[goal] = len(members)
	}
	return met
}
