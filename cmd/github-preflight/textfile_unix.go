//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and group of another one. It reports whether it has them.
func keepOwner(file *os.File, of fs.FileInfo) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	want, known := of.Sys().(*syscall.Stat_t)
	is, alike := info.Sys().(*syscall.Stat_t)
	if !known || !alike || is.Uid == want.Uid && is.Gid == want.Gid {
		return true
	}
	return file.Chown(int(want.Uid), int(want.Gid)) == nil
}
