package event

import (
	"encoding/json"
	"strconv"
)

// appendJSON appends e to b, byte for byte as encoding/json writes it. A log
// takes many thousand events a second, which is too many for reflection. The
// order is that of the fields of Event; a field at its zero value is left out.
func (e *Event) appendJSON(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"seq":`...), e.Seq, 10)
	b = strconv.AppendInt(append(b, `,"at":`...), e.At, 10)
	b = appendText(b, `,"lane":`, e.Lane)
	b = appendNumber(b, `,"client":`, int64(e.Client))
	b = appendString(append(b, `,"kind":`...), string(e.Kind))
	b = e.appendFrame(b)
	b = e.appendSession(b)
	b = e.appendFault(b)
	return append(b, '}')
}

// appendFrame appends what is known of a frame.
func (e *Event) appendFrame(b []byte) []byte {
	b = appendText(b, `,"op":`, e.Op)
	b = appendText(b, `,"path":`, e.Path)
	b = appendText(b, `,"flags":`, e.Flags)
	b = appendTrue(b, `,"watch":true`, e.Watch)
	b = appendText(b, `,"type":`, e.Type)
	b = appendNumber(b, `,"xid":`, int64(e.Xid))
	b = appendNumber(b, `,"zxid":`, e.Zxid)
	b = appendText(b, `,"err":`, e.Err)
	b = appendNumber(b, `,"latency":`, e.Latency)
	b = appendNumber(b, `,"children":`, int64(e.Children))
	b = appendOps(b, e.Ops)
	b = appendText(b, `,"dir":`, string(e.Dir))
	b = appendNumber(b, `,"frame":`, e.Frame)
	b = appendNumber(b, `,"due":`, e.Due)
	b = appendNumber(b, `,"bytes":`, e.Bytes)
	b = appendText(b, `,"data":`, e.Data)
	return appendStat(b, e.Stat)
}

// appendSession appends what is known of a session, a lock and a resource.
func (e *Event) appendSession(b []byte) []byte {
	b = appendText(b, `,"session":`, e.Session)
	b = appendNumber(b, `,"timeout":`, e.Timeout)
	b = appendNumber(b, `,"token":`, e.Token)
	b = appendText(b, `,"mode":`, e.Mode)
	b = appendNumber(b, `,"thread":`, int64(e.Thread))
	b = appendNumber(b, `,"line":`, int64(e.Line))
	b = appendTrue(b, `,"derived":true`, e.Derived)
	b = appendText(b, `,"predecessor":`, e.Predecessor)
	b = appendNumber(b, `,"read":`, e.Read)
	return appendNumber(b, `,"balance":`, e.Balance)
}

// appendFault appends what is known of a cause, a fault, a check and the network.
func (e *Event) appendFault(b []byte) []byte {
	b = appendText(b, `,"cause":`, e.Cause)
	b = appendNumber(b, `,"by":`, int64(e.By))
	b = appendText(b, `,"fault":`, e.Fault)
	b = appendEffects(b, e.Effects)
	b = appendText(b, `,"server":`, e.Server)
	b = appendNumber(b, `,"for":`, e.For)
	b = appendText(b, `,"when":`, e.When)
	b = appendNumber(b, `,"every":`, e.Every)
	b = appendText(b, `,"check":`, e.Check)
	b = appendText(b, `,"verdict":`, string(e.Verdict))
	b = appendNumber(b, `,"sent":`, e.Sent)
	b = appendNumber(b, `,"delay":`, e.Delay)
	b = appendTrue(b, `,"held":true`, e.Held)
	b = appendText(b, `,"participant":`, string(e.Participant))
	b = appendText(b, `,"name":`, e.Name)
	b = appendCost(b, e.Cost)
	b = appendRare(b, `,"account":`, e.Account)
	b = appendRare(b, `,"queue":`, e.Queue)
	if clients := e.Clients; len(clients) > 0 { // a copy, so that e does not escape to the heap
		b = appendRare(b, `,"clients":`, &clients)
	}
	b = appendNumber(b, `,"wrong":`, e.Wrong)
	b = appendWatched(b, e.Watched)
	if len(e.State) > 0 {
		b = append(append(b, `,"state":`...), e.State...)
	}
	b = appendText(b, `,"why":`, e.Why)
	return appendRare(b, `,"reason":`, e.Reason)
}

// appendRare appends what few events have, after the name of its member; nil is left out.
// What it appends cannot fail to be encoded.
func appendRare[Value any](b []byte, member string, value *Value) []byte {
	if value == nil {
		return b
	}
	text, _ := json.Marshal(value)
	return append(append(b, member...), text...)
}

func appendEffects(b []byte, effects []Effect) []byte {
	for i, effect := range effects {
		if i == 0 {
			b = append(b, `,"effects":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendString(b, string(effect))
	}
	if len(effects) > 0 {
		b = append(b, ']')
	}
	return b
}

func appendOps(b []byte, ops []SubOp) []byte {
	for i, op := range ops {
		if i == 0 {
			b = append(b, `,"ops":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"op":`...), op.Op)
		b = appendText(b, `,"path":`, op.Path)
		b = appendText(b, `,"flags":`, op.Flags)
		b = append(appendText(b, `,"err":`, op.Err), '}')
	}
	if len(ops) > 0 {
		b = append(b, ']')
	}
	return b
}

func appendStat(b []byte, s *Stat) []byte {
	if s == nil {
		return b
	}
	start := len(b) + len(`,"stat":`)
	b = append(b, `,"stat":`...)
	b = appendNumber(b, `,"czxid":`, s.Czxid)
	b = appendNumber(b, `,"mzxid":`, s.Mzxid)
	b = appendNumber(b, `,"pzxid":`, s.Pzxid)
	b = appendNumber(b, `,"ctime":`, s.Ctime)
	b = appendNumber(b, `,"mtime":`, s.Mtime)
	b = appendNumber(b, `,"version":`, int64(s.Version))
	b = appendNumber(b, `,"cversion":`, int64(s.Cversion))
	b = appendText(b, `,"ephemeralOwner":`, s.EphemeralOwner)
	b = appendNumber(b, `,"dataLength":`, int64(s.DataLength))
	b = appendNumber(b, `,"numChildren":`, int64(s.NumChildren))
	return closeObject(b, start)
}

// closeObject ends an object whose members, each with a comma before it, begin at start.
func closeObject(b []byte, start int) []byte {
	if len(b) == start {
		return append(b, "{}"...)
	}
	b[start] = '{' // instead of the first comma
	return append(b, '}')
}

// appendText appends a member that is a string, if there is one.
func appendText(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return appendString(append(b, name...), value)
}

// appendNumber appends a member that is a number, if it is not 0.
func appendNumber(b []byte, name string, value int64) []byte {
	if value == 0 {
		return b
	}
	return strconv.AppendInt(append(b, name...), value, 10)
}

// appendTrue appends a member with its value, which is true, if it is.
func appendTrue(b []byte, member string, value bool) []byte {
	if !value {
		return b
	}
	return append(b, member...)
}

// appendString appends a string in quotes. What needs more than quotes is rare.
func appendString(b []byte, s string) []byte {
	if !plain(s) {
		quoted, _ := json.Marshal(s) // of a string it cannot fail
		return append(b, quoted...)
	}
	return append(append(append(b, '"'), s...), '"')
}

// plain says whether encoding/json leaves every byte of s as it is.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c > '~':
			return false
		case c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}
