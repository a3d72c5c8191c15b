package verify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// probe is a URL of this machine that a server answers on.
type probe struct {
	url       string
	port      string
	addresses []string
}

// hosts are the names that a probe may have, with what they are: nobody is asked.
var hosts = map[string][]string{
	"localhost": {"127.0.0.1", "::1"},
	"127.0.0.1": {"127.0.0.1"},
	"::1":       {"::1"},
}

const (
	dialTimeout     = time.Second
	answerTimeout   = 5 * time.Second // of a server that accepts and says nothing
	mostHeaderBytes = 64 << 10
)

// parseProbe takes http on this machine only (design section 12). Its errors do not repeat the text, in
// which a variable may have put a secret.
func parseProbe(text string) (*probe, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("it is no URL")
	}
	addresses, known := hosts[u.Hostname()]
	port := u.Port()
	if port == "" {
		port = "80"
	}
	number, err := strconv.Atoi(port)
	switch {
	case u.Scheme != "http" || !known || u.User != nil:
		return nil, errors.New("it is no http URL on localhost, 127.0.0.1 or ::1, such as http://127.0.0.1:8080/healthz")
	case err != nil || number < 1 || number > 65535:
		return nil, errors.New("it has no port between 1 and 65535")
	}
	p := &probe{url: text, port: strconv.Itoa(number)}
	for _, address := range addresses {
		p.addresses = append(p.addresses, net.JoinHostPort(address, p.port))
	}
	return p, nil
}

func (p *probe) dial(ctx context.Context) (net.Conn, error) {
	var refused error
	for _, address := range p.addresses {
		c, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", address)
		if err == nil {
			return c, nil
		}
		refused = errors.Join(refused, err)
	}
	return nil, refused
}

// open says whether something accepts connections on the port.
func (p *probe) open(ctx context.Context) bool {
	c, err := p.dial(ctx)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// ask asks the server once. Every status under 500 is an answer; otherwise why says what came instead.
// The connection is made here and not by an http.Client: neither proxies nor redirects have a part in
// it, and what a server says out of turn is in nobody's log.
func (p *probe) ask(ctx context.Context) (answered bool, why string) {
	c, err := p.dial(ctx)
	if err != nil {
		return false, "nothing accepts connections there"
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(answerTimeout))
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })()
	status, err := p.status(ctx, c)
	var late net.Error
	switch {
	case err == nil:
		return status < 500, fmt.Sprintf("the status was %d", status)
	case errors.As(err, &late) && late.Timeout():
		return false, fmt.Sprintf("nothing came within %s of the request", answerTimeout)
	}
	return false, "what came is no answer in HTTP"
}

// status sends the request and reads the head of the answer; the body is left unread.
func (p *probe) status(ctx context.Context, c net.Conn) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return 0, err
	}
	request.Close = true
	if err := request.Write(c); err != nil {
		return 0, err
	}
	head := bufio.NewReader(io.LimitReader(c, mostHeaderBytes))
	for {
		response, err := http.ReadResponse(head, request)
		if err != nil {
			return 0, err
		}
		if response.StatusCode >= 200 { // those before only announce one
			return response.StatusCode, nil
		}
	}
}
