// openapi-generator-cli generate -i $SLIPWAY_URL/v2/openapi.json -g go --additional-properties packageName=slipway,withGoMod=false,useOneOfDiscriminatorLookup=true,disallowAdditionalPropertiesIfNotPresent=false -o slipway
package main

import (
	"context"
	"fmt"
	"os"

	"example.com/client/slipway"
)

func main() {
	org, name, passed := "demo", os.Args[1], os.Args[2]
	configuration := slipway.NewConfiguration()
	configuration.Servers = slipway.ServerConfigurations{{URL: os.Getenv("SLIPWAY_URL")}}
	client := slipway.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), slipway.ContextAccessToken, os.Getenv("SLIPWAY_TOKEN"))

	body := slipway.NewPipelineCreateRequest(name, "https://git.example.com/demo/example.git")
	body.SetConfiguration("steps: []")
	pipeline, _, err := client.PipelineAPI.PipelineCreate(ctx, org).PipelineCreateRequest(*body).Execute()
	check(err)
	build, _, err := client.BuildAPI.BuildGet(ctx, org, passed, 1).Execute()
	check(err)
	fmt.Println(pipeline.Slug, build.State, build.Jobs[0].ScriptJob.GetExitStatus())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
