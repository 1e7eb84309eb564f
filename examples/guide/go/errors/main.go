package main

import (
	"fmt"
	"strings"

	. "example.com/guide/slipway"
)

func main() {
	reply := Call("POST", Organization+"/pipelines", map[string]any{})
	refused := Read[struct {
		Message string
		Errors  []struct{ Field, Code string }
	}](reply)
	var fields []string
	for _, each := range refused.Errors {
		fields = append(fields, each.Field+" "+each.Code)
	}
	fmt.Printf("%d %s: %s\n", reply.StatusCode, refused.Message, strings.Join(fields, ", "))

	mutation := `mutation { pipelineCreate(input: { organizationId: "demo", name: "", repository: { url: "" } }) { pipeline { slug } } }`
	for _, each := range GraphQL[any](mutation, nil).Errors {
		var names []string
		for _, field := range each.Extensions.Fields {
			names = append(names, field.Field)
		}
		fmt.Printf("%s: %s\n", each.Extensions.Code, strings.Join(names, ", "))
	}
}
