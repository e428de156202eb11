package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// keys FILE prints the paths of all values of a JSON file, sorted: .a.b is b in
// the object a, .a[] the elements of the array a.
func keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: keys FILE")
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(decoder.Decode(&value))
	if _, err := decoder.Token(); err != io.EOF {
		ts.Fatalf("something follows the JSON: %v", err)
	}
	paths := make(map[string]bool)
	collectPaths("", value, paths)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintln(ts.Stdout(), path)
	}
}

func collectPaths(path string, value any, paths map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			collectPaths(path+"."+key, member, paths)
		}
	case []any:
		for _, element := range v {
			collectPaths(path+"[]", element, paths)
		}
	default:
		paths[path] = true
	}
}

// unzstd FILE prints what was compressed into it.
func unzstd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unzstd FILE")
	}
	file, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer file.Close()
	decompressor, err := zstd.NewReader(file)
	ts.Check(err)
	defer decompressor.Close()
	_, err = io.Copy(ts.Stdout(), decompressor)
	ts.Check(err)
}

// truncate FILE PERCENT cuts the file down to so much of it.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: truncate FILE PERCENT")
	}
	name := ts.MkAbs(args[0])
	percent, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	info, err := os.Stat(name)
	ts.Check(err)
	ts.Check(os.Truncate(name, info.Size()*percent/100))
}
