// go get -tool github.com/Khan/genqlient@v0.8.1
// go get golang.org/x/tools@v0.38.0; go tool genqlient
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/client/slipway"
	"github.com/Khan/genqlient/graphql"
)

type withToken struct{}

func (withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SLIPWAY_TOKEN"))
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	ctx, org, name, passed := context.Background(), "demo", os.Args[1], os.Args[2]
	client := graphql.NewClient(os.Getenv("SLIPWAY_URL")+"/graphql", &http.Client{Transport: withToken{}})
	read, err := slipway.PassedBuild(ctx, client, org, org+"/"+passed+"/1")
	check(err)

	created, err := slipway.CreatePipeline(ctx, client, slipway.PipelineCreateInput{
		OrganizationId: read.Organization.Id,
		Name:           name,
		Repository:     slipway.PipelineRepositoryInput{Url: "https://git.example.com/demo/example.git"},
		Steps:          &slipway.PipelineStepsInput{Yaml: "steps: []"},
	})
	check(err)
	job := (*read.Build.Jobs.Edges[0].Node).(*slipway.PassedBuildBuildJobsJobConnectionEdgesJobEdgeNodeJobTypeCommand)
	fmt.Println(created.PipelineCreate.Pipeline.Slug, read.Build.State, *job.ExitStatus)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
