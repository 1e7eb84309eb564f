package main

import (
	"fmt"

	. "example.com/guide/slipway"
)

func main() {
	first := Call("GET", Organization+"/pipelines/guide/builds/1", nil)
	second := Call("GET", Organization+"/pipelines/guide/builds/1", nil, "If-None-Match", first.Header.Get("ETag"))
	fmt.Println(second.StatusCode)
}
