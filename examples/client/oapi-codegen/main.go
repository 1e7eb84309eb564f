// go get -tool github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2; go tool oapi-codegen -generate types,client -package slipway -o slipway/client.go openapi.json
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/client/slipway"
)

func main() {
	ctx, org, name, passed := context.Background(), "demo", os.Args[1], os.Args[2]
	client, err := slipway.NewClientWithResponses(os.Getenv("SLIPWAY_URL"),
		slipway.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("SLIPWAY_TOKEN"))
			return nil
		}))
	check(err)

	steps := "steps: []"
	body := slipway.PipelineCreateRequest{Name: name, Repository: "https://git.example.com/demo/example.git", Configuration: &steps}
	created, err := client.PipelineCreateWithResponse(ctx, org, nil, body)
	check(err)

	build, err := client.BuildGetWithResponse(ctx, org, passed, 1, nil)
	check(err)
	job, err := (*build.JSON200.Jobs)[0].AsScriptJob()
	check(err)
	fmt.Println(created.JSON201.Slug, build.JSON200.State, *job.ExitStatus)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
