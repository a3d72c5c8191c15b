package verify

import (
	"errors"
	"net"
	"syscall"
)

// holdPort keeps two runs from serving on one port at once, where the one could be answered by the
// other's server. An abstract socket is one name in the same network as the port, and goes with the
// process. free is false while another run holds it.
func holdPort(port string) (release func(), free bool) {
	held, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: "@evidence-gate/verify/port/" + port})
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, false
	case err != nil:
		return func() {}, true // no such sockets here
	}
	return func() { held.Close() }, true
}
