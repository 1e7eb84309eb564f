package slipway

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"time"
)

var (
	URL          = os.Getenv("SLIPWAY_URL")
	Root         = URL + "/v2"
	Organization = Root + "/organizations/demo"
)

// Call sends a request and returns the reply; it tries again up to five times after 429 and 503, when Retry-After says.
func Call(method, url string, body any, headers ...string) *http.Response {
	data, err := json.Marshal(body)
	Check(err)
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, url, bytes.NewReader(data))
		Check(err)
		if body == nil {
			request.Body, request.ContentLength = nil, 0
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SLIPWAY_TOKEN"))
		request.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		reply, err := http.DefaultClient.Do(request)
		Check(err)
		if reply.StatusCode != 429 && reply.StatusCode != 503 || attempt > 5 {
			return reply
		}
		reply.Body.Close()
		seconds, err := strconv.Atoi(reply.Header.Get("Retry-After"))
		if err != nil {
			seconds = attempt
		}
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

// Read decodes the JSON of a reply.
func Read[T any](reply *http.Response) (value T) {
	defer reply.Body.Close()
	Check(json.NewDecoder(reply.Body).Decode(&value))
	return value
}

// Reply of GraphQL: it has Data, Errors or both.
type Reply[T any] struct {
	Data   T
	Errors []struct {
		Message    string
		Extensions struct {
			Code   string
			Fields []struct{ Field, Code string }
		}
	}
}

// GraphQL sends an operation.
func GraphQL[T any](query string, variables map[string]any, headers ...string) Reply[T] {
	body := map[string]any{"query": query, "variables": variables}
	return Read[Reply[T]](Call("POST", URL+"/graphql", body, headers...))
}

func Check(err error) {
	if err != nil {
		panic(err)
	}
}
