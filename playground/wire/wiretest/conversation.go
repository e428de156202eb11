package wiretest

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// Root is the path below which all of the recorded conversation is.
const Root = "/zktest/TestEveryOperation-1"

// conversation has a frame a line. TestEveryOperation of package wire records it anew.
//
//go:embed conversation.txt
var conversation string

// A Line of the conversation is one frame, without its length.
type Line struct {
	Request bool // else the server's
	Payload []byte
}

// String is the line as it is recorded.
func (l Line) String() string {
	side := "<"
	if l.Request {
		side = ">"
	}
	return fmt.Sprintf("%s %x\n", side, l.Payload)
}

// Recorded returns the conversation. Its frames are the caller's.
func Recorded(tb testing.TB) (lines []Line) {
	tb.Helper()
	for text := range strings.Lines(conversation) {
		side, digits, _ := strings.Cut(strings.TrimSpace(text), " ")
		payload, err := hex.DecodeString(digits)
		if err != nil {
			tb.Fatal(err)
		}
		lines = append(lines, Line{Request: side == ">", Payload: payload})
	}
	return lines
}
