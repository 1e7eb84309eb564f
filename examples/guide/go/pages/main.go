package main

import (
	"fmt"
	"regexp"
	"strings"

	. "example.com/guide/slipway"
)

type build struct{ Number int }

var nextLink = regexp.MustCompile(`<([^>]+)>; rel="next"`)

func show(numbers []int) { fmt.Println(strings.Trim(fmt.Sprint(numbers), "[]")) }

func main() {
	var numbers []int
	for url := Organization + "/pipelines/guide/builds?per_page=2"; url != ""; {
		reply := Call("GET", url, nil)
		for _, each := range Read[[]build](reply) {
			numbers = append(numbers, each.Number)
		}
		url = ""
		if link := nextLink.FindStringSubmatch(reply.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
	show(numbers)

	query := `query ($after: String) { pipeline(slug: "demo/guide") {
		builds(first: 2, after: $after) { pageInfo { hasNextPage endCursor } edges { node { number } } } } }`
	type page struct {
		Pipeline struct {
			Builds struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
				Edges []struct{ Node build }
			}
		}
	}
	numbers = nil
	var after *string
	for more := true; more; {
		builds := GraphQL[page](query, map[string]any{"after": after}).Data.Pipeline.Builds
		for _, edge := range builds.Edges {
			numbers = append(numbers, edge.Node.Number)
		}
		more, after = builds.PageInfo.HasNextPage, builds.PageInfo.EndCursor
	}
	show(numbers)
}
