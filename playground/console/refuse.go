package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// refusals are the commands that have no place in a room, and why.
var refusals = map[string]string{
	"reconfig":  "reconfig would change the servers, which all rooms share; a console has its own room alone",
	"setquota":  quotaRefusal,
	"delquota":  quotaRefusal,
	"listquota": quotaRefusal,
}

// Quotas are znodes below /zookeeper/quota, which is outside of every lane.
const quotaRefusal = "a quota is kept below /zookeeper, which is outside of this room; what a run may have is bounded by the playground's own limits"

// A guard says which commands a console refuses.
type guard struct {
	// keep are the znodes that simulated clients need.
	keep []string
	// warned is the command that was refused last because it deletes one of these; a
	// person who types it again means it.
	warned string
}

// refuse is that of zkcli.Config.
func (g *guard) refuse(args []string) string {
	line := strings.Join(args, " ")
	warned := g.warned
	g.warned = ""
	name := args[0]
	switch {
	case refusals[name] != "":
		return refusals[name]
	case name == "connect" && len(args) > 1:
		return "this console belongs to its room and connects to nothing else; connect alone opens a new session here"
	case name == "addauth" && slices.ContainsFunc(args[1:], ofOperators):
		return "addauth super would ask for the rights of an operator of all rooms"
	case deletes(name) && line != warned && slices.ContainsFunc(args[1:], g.needed):
		g.warned = line
		return fmt.Sprintf("%s takes away what the clients of this lane queue up in; enter the same line again if you mean it", name)
	}
	return ""
}

// ofOperators reports whether a word of an addauth is about the superuser.
func ofOperators(word string) bool { return word == "super" || strings.HasPrefix(word, "super:") }

func deletes(name string) bool { return slices.Contains([]string{"delete", "deleteall", "rmr"}, name) }

// needed says whether a path is, or has below it, what the clients need.
func (g *guard) needed(path string) bool {
	return slices.ContainsFunc(g.keep, func(kept string) bool {
		return path == "/" || path == kept || strings.HasPrefix(kept, path+"/")
	})
}

// unknown answers what is no command of zkCli's. To zkCli help is none either; here it
// sends the list of commands as a frame; the page adds what each is for.
func (c *Console) unknown(args []string) string {
	usages, why := help(args)
	if why == "" {
		c.config.Out.Put(Frame{Help: usages})
	}
	return why
}

// help returns the usages for a line that begins with help, or why there are none.
func help(args []string) (usages []string, why string) {
	switch {
	case !slices.Contains([]string{"help", "?"}, args[0]):
		return nil, notFound(args[0])
	case len(args) > 1 && refusals[args[1]] != "":
		return nil, refusals[args[1]]
	case len(args) > 1 && zkcli.Usage(args[1]) == "":
		return nil, notFound(args[1])
	case len(args) > 1:
		return []string{zkcli.Usage(args[1])}, ""
	}
	for _, name := range zkcli.Commands() {
		if refusals[name] == "" {
			usages = append(usages, zkcli.Usage(name))
		}
	}
	return usages, ""
}

func notFound(word string) string { return fmt.Sprintf("Command not found: %s (type help)", word) }
