package sim

// letGo frees the client of whatever holds it up, so that it can end: the run
// is over and there is nothing more to see.
func (c *client) letGo() {
	c.endAfflictions("the run ends")
	c.link.Hurry()
}
