package main

import (
	"crypto/rand"
	"fmt"

	. "example.com/guide/slipway"
)

func newKey() string {
	bytes := make([]byte, 16)
	_, err := rand.Read(bytes)
	Check(err)
	return fmt.Sprintf("%x", bytes)
}

func main() {
	pipeline, key := Organization+"/pipelines/guide", newKey()
	for range 2 {
		body := map[string]any{"commit": "HEAD", "branch": "main"}
		build := Read[struct{ Number int }](Call("POST", pipeline+"/builds", body, "Idempotency-Key", key))
		fmt.Println(build.Number)
	}

	found := Read[struct {
		GraphqlID string `json:"graphql_id"`
	}](Call("GET", pipeline, nil))
	start := `mutation ($pipeline: ID!) {
		buildCreate(input: { pipelineID: $pipeline, commit: "HEAD", branch: "main" }) { build { number } } }`
	variables, key := map[string]any{"pipeline": found.GraphqlID}, newKey()
	for range 2 {
		reply := GraphQL[struct {
			BuildCreate struct{ Build struct{ Number int } }
		}](start, variables, "Idempotency-Key", key)
		fmt.Println(reply.Data.BuildCreate.Build.Number)
	}
}
