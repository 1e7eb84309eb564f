package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	. "example.com/guide/slipway"
)

// subscribe hands over the messages of a subscription until the server ends it or `take` returns false.
func subscribe[T any](query string, take func(T) bool) {
	body := map[string]any{"query": query}
	stream := Call("POST", URL+"/graphql", body, "Accept", "text/event-stream")
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, isData := strings.CutPrefix(lines.Text(), "data: {")
		if !isData {
			continue
		}
		var message Reply[T]
		Check(json.Unmarshal([]byte("{"+text), &message))
		if len(message.Errors) > 0 {
			panic(message.Errors[0].Extensions.Code)
		}
		if !take(message.Data) {
			return
		}
	}
	Check(lines.Err())
}

func main() {
	body := map[string]any{"commit": "HEAD", "branch": "main"}
	build := Read[struct {
		ID   string
		Jobs []struct{ ID string }
	}](Call("POST", Organization+"/pipelines/guide/builds", body))

	// The log ends with its job.
	log := fmt.Sprintf(`subscription { jobLog(id: %q) { content cursor } }`, build.Jobs[0].ID)
	var printed strings.Builder
	subscribe(log, func(message struct{ JobLog struct{ Content string } }) bool {
		printed.WriteString(message.JobLog.Content)
		return true
	})
	if strings.Contains(printed.String(), "hello") {
		fmt.Println("hello")
	}
	// The stream of a build stays open: the reader leaves it when the build has finished.
	states := fmt.Sprintf(`subscription { build(id: %q) { cursor event { type } build { state } } }`, build.ID)
	subscribe(states, func(message struct{ Build struct{ Build struct{ State string } } }) bool {
		if message.Build.Build.State != "PASSED" {
			return true
		}
		fmt.Println("PASSED")
		return false
	})
}
