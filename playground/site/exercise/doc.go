// Package exercise does in a run what a lesson has its reader do: it types lines at a
// console, injects faults, and waits for what is to happen.
//
//	lessons.Act -> Perform -> room.Room -> the run's log -> goal.Judge
//
// So the solution of each exercise, and the attempt that must not pass, can be tried on a
// real server, and recorded for those who have none. It is not how readers act: they have
// the page. It judges nothing; that is package goal.
package exercise
