// Package goal says whether the log of a run shows what a lesson asks its reader to
// bring about, and if it does not, why not yet.
//
//	fence of a lesson -> Parse -> Goal -> page, as JSON -> static/js/model/goal.js
//	                                  \-> Judge, in tests on a real server
//
// A [Goal] is data: steps, each a [Pattern] of one event, and mistakes. The words that an
// author may use for events stand in one table, in happening.go; [Parse] translates them
// into fields of events, refuses what it does not know, and says what there is. So the
// page learns no word of an author's and cannot disagree about one.
//
// Two judges read that data, [Judge] here and judge in static/js/model/goal.js: the page
// has to judge without a server, also recordings, and CI has to see each solution pass
// and each wrong attempt fail on a real one. What both do is little, to compare fields
// and to remember which steps are done; testdata/cases.json says for logs, some of them
// recorded on a real server, what they must find, and a test of each reads it.
//
// What passes, and what does not:
//
//   - Detours pass. Every way through the log is followed, so that what was done in
//     vain, or for another znode, is not in the way.
//   - Luck does not. A step is the reader's own, unless it says otherwise: done by a
//     console or a guest of the run; the page knows which consoles are this reader's, and
//     counts no other. What happens once the run is told to end, as when
//     every session is closed, counts for nobody.
//   - Not enough evidence is a verdict of its own, [CannotTell]: a log whose beginning is
//     missing, a frame that could not be read, a server that cannot be seen.
package goal
