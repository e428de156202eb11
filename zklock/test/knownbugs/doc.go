// Package knownbugs lists the bugs that lock libraries have, or have had, beside the
// tests of ours that fail if one comes up here. It has only tests: that those exist,
// and that they fail when the bug is put back into the code.
//
// Flags set what is done:
//
//	-relapses 3,14   put back these bugs
//	-relapses all    put back each of them, which takes half an hour
package knownbugs
