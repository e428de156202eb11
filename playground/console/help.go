package console

import (
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

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
