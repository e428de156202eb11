package wire_test

import "github.com/zkplayground/zkplayground/playground/wire/wiretest"

// What stands in most lines of these tests has a short name here.

type openACL = wiretest.OpenACL

func encode(values ...any) []byte { return wiretest.Encode(values...) }

func prefixed(payload []byte) []byte { return wiretest.Prefixed(payload) }
