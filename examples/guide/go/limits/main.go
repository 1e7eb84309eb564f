package main

import (
	"fmt"

	. "example.com/guide/slipway"
)

func main() {
	reply := Call("GET", Organization+"/pipelines", nil)
	for _, name := range []string{"Limit", "Remaining"} {
		if reply.Header.Get("RateLimit-User-"+name) != "" {
			fmt.Println(name)
		}
	}
	points := Call("POST", URL+"/graphql", map[string]any{"query": "{ viewer { id } }"})
	if points.Header.Get("RateLimit-Complexity-Actual") != "" {
		fmt.Println("Complexity-Actual")
	}
}
