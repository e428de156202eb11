// Package judging owns the judgements of a server's rooms: a room has one at a time, some
// are under way at once, and the others wait in line. What a room's judgement has found stays
// until its next one, or until the room goes. Where rooms outlast the program, so does that. The
// runs of its trials are among the room's recordings.
package judging
