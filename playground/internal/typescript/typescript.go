// Package typescript declares Go types as TypeScript does, so that the page's
// type checker knows what the server sends. It serves tests: each keeps one
// generated file of static/js equal to the Go types that it is made from.
package typescript

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Header is the first line of a generated file.
func Header(folder string) string {
	return fmt.Sprintf("// Generated from %s by `go generate ./%s`. Do not edit.\n", folder, folder)
}

// Union declares a type of which these are all values.
func Union[T ~string](values []T) string {
	lines := make([]string, len(values))
	for i, v := range values {
		lines[i] = fmt.Sprintf("  | %q", string(v))
	}
	return fmt.Sprintf("\nexport type %s =\n%s;\n", reflect.TypeFor[T]().Name(), strings.Join(lines, "\n"))
}

// Interfaces declares the structs of which these are values, as JSON has them.
func Interfaces(values ...any) string {
	var b strings.Builder
	for _, value := range values {
		b.WriteString(declaration(reflect.TypeOf(value)))
	}
	return b.String()
}

func declaration(t reflect.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nexport interface %s {\n", t.Name())
	for _, field := range reflect.VisibleFields(t) {
		if !field.IsExported() || field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		optional := ""
		if options == "omitempty" || options == "omitzero" {
			optional = "?"
		}
		fmt.Fprintf(&b, "  %s%s: %s;\n", name, optional, typeName(field.Type))
	}
	b.WriteString("}\n")
	return b.String()
}

func typeName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	case t == reflect.TypeFor[json.RawMessage]():
		return "unknown"
	case t.PkgPath() != "" && t.Kind() != reflect.Slice:
		return t.Name()
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return typeName(t.Elem()) + "[]"
	case t.Kind() == reflect.Map:
		return fmt.Sprintf("Record<%s, %s>", typeName(t.Key()), typeName(t.Elem()))
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	default:
		return "number"
	}
}
