package markdown

import "strings"

// link records a link whose text starts at a byte of the line.
func (c *collector) link(start int, destination []byte) {
	c.cur.Links = append(c.cur.Links, Span{start, len(c.buf)})
	scheme, host, ok := strings.Cut(string(destination[:min(len(destination), maxScheme)]), "://")
	if ok && strings.Trim(host, "<>.:/?#[ ") != "" && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		c.cur.Web = append(c.cur.Web, Span{start, len(c.buf)})
	}
}

// maxScheme is enough of a destination to tell a web address.
const maxScheme = len("https://") + 1
