package githubtest

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Page sizes: "Using pagination in the REST API".
const (
	defaultPage = 30
	maxPage     = 100
)

func pageNumber(values url.Values, name string, fallback int) int {
	n, err := strconv.Atoi(values.Get(name))
	if err != nil || n < 1 {
		return fallback
	}
	return n
}

// paged cuts a list to the page asked for and makes the Link header.
func paged[T any](c *call, all []T) (page []T, header map[string]string) {
	query := c.request.URL.Query()
	number := pageNumber(query, "page", 1)
	size := min(pageNumber(query, "per_page", defaultPage), maxPage)
	last := max(1, (len(all)+size-1)/size)
	start, end := min((number-1)*size, len(all)), min(number*size, len(all))
	return all[start:end], c.links(number, last)
}

// links writes the Link header in GitHub's order; a list of one page has none.
func (c *call) links(number, last int) map[string]string {
	var links []string
	add := func(page int, rel string) {
		query := c.request.URL.Query()
		query.Set("page", strconv.Itoa(page))
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel="%s"`, c.world.apiURL, c.linkPath(), query.Encode(), rel))
	}
	if number > 1 {
		add(min(number-1, last), "prev")
	}
	if number < last {
		add(number+1, "next")
		add(last, "last")
	}
	if number > 1 {
		add(1, "first")
	}
	if len(links) == 0 {
		return nil
	}
	return map[string]string{"Link": strings.Join(links, ", ")}
}

// linkPath names the repository by its id, as GitHub's Link headers do.
func (c *call) linkPath() string {
	path := c.request.URL.Path
	if c.repository == nil {
		return path
	}
	rest := strings.SplitN(path, "/", 5)
	return fmt.Sprintf("/repositories/%d/%s", c.repository.id, rest[4])
}

// listed answers a page of a list; to makes the JSON of one item.
func listed[T any](c *call, all []T, to func(T) object) response {
	page, header := paged(c, all)
	list := make([]object, 0, len(page))
	for _, item := range page {
		list = append(list, to(item))
	}
	answer := ok(list)
	answer.header = header
	return answer
}

// wrapped answers a page of a list inside an object with the total count.
func wrapped[T any](c *call, name string, all []T, to func(T) object) response {
	answer := listed(c, all, to)
	answer.body = object{"total_count": len(all), name: answer.body}
	return answer
}
