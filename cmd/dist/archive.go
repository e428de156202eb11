package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An entry is a file of an archive.
type entry struct {
	name    string
	mode    fs.FileMode // 0: it is to be read
	content []byte
}

// pack writes an archive beside the path, whose last part is the name of the directory
// that the archive unpacks to: a zip for Windows, else a tar.gz. It returns where.
func pack(path string, asZip bool, entries []entry, made time.Time) (archive string, err error) {
	archive, write := path+".tar.gz", writeTar
	if asZip {
		archive, write = path+".zip", writeZip
	}
	file, err := os.Create(archive)
	if err != nil {
		return "", err
	}
	for i := range entries {
		entries[i].name = filepath.Base(path) + "/" + entries[i].name
		if entries[i].mode == 0 {
			entries[i].mode = 0o644
		}
	}
	return archive, errors.Join(write(file, entries, made), file.Close())
}

func writeTar(w io.Writer, entries []entry, made time.Time) error {
	zipped := gzip.NewWriter(w)
	packed := tar.NewWriter(zipped)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.content)), ModTime: made, Format: tar.FormatPAX}
		if err := packed.WriteHeader(header); err != nil {
			return err
		}
		if _, err := packed.Write(e.content); err != nil {
			return err
		}
	}
	return errors.Join(packed.Close(), zipped.Close())
}

func writeZip(w io.Writer, entries []entry, made time.Time) error {
	packed := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: made}
		header.SetMode(e.mode)
		file, err := packed.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(e.content); err != nil {
			return err
		}
	}
	return packed.Close()
}

// writeSums writes the checksums of files, as sha256sum -c reads them.
func writeSums(path string, files []string) error {
	var lines strings.Builder
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), filepath.Base(name))
	}
	return os.WriteFile(path, []byte(lines.String()), 0o644)
}
