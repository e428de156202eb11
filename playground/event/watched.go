package event

import "strconv"

// A Watched is a watch of a client, as the server has it.
type Watched struct {
	// ID numbers the watches of a lane from 1; 0 on watch.caused, which may be about several.
	ID int64 `json:"id,omitempty"`
	// On is what it is on: "data", which the creation and deletion of the znode are of, too, or
	// "children"; those that stay when they fire are "persistent", or "recursive" with all that
	// is below the znode.
	On string `json:"on,omitempty"`
	// Absent says that there was no such znode when it was set.
	Absent bool `json:"absent,omitempty"`
	// Request is, on watch.set, the number of the event by which it was requested.
	Request int64 `json:"request,omitempty"`
	// Arrived says that the client has learnt at once what happened; else watch.arrived tells it.
	Arrived bool `json:"arrived,omitempty"`
	// Change is the number of the event that tells the change by which it has fired, 0 while that
	// is not known.
	Change int64 `json:"change,omitempty"`
	// Fired are, on watch.caused, the watches that have fired by Change.
	Fired []int64 `json:"fired,omitempty"`
	// End is, on watch.gone, "removed" by the client, or what the watch went with: "connection",
	// "session", "crash" of the client's process, or "left", the guest whose it was.
	End string `json:"end,omitempty"`
}

func appendWatched(b []byte, w *Watched) []byte {
	if w == nil {
		return b
	}
	start := len(b) + len(`,"watched":`)
	b = append(b, `,"watched":`...)
	b = appendNumber(b, `,"id":`, w.ID)
	b = appendText(b, `,"on":`, w.On)
	b = appendTrue(b, `,"absent":true`, w.Absent)
	b = appendNumber(b, `,"request":`, w.Request)
	b = appendTrue(b, `,"arrived":true`, w.Arrived)
	b = appendNumber(b, `,"change":`, w.Change)
	b = appendIDs(b, w.Fired)
	b = appendText(b, `,"end":`, w.End)
	return closeObject(b, start)
}

func appendIDs(b []byte, ids []int64) []byte {
	for i, id := range ids {
		if i == 0 {
			b = append(b, `,"fired":[`...)
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	if len(ids) > 0 {
		b = append(b, ']')
	}
	return b
}
