package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	. "example.com/guide/slipway"
)

const secret = "chosen by you and kept secret"

// isGenuine tells whether Slipway has signed these bytes within the last five minutes.
func isGenuine(header string, body []byte) bool {
	timestamp, signature, _ := strings.Cut(strings.TrimPrefix(header, "timestamp="), ",signature=")
	seconds, err := strconv.ParseFloat(timestamp, 64)
	if err != nil || math.Abs(float64(time.Now().Unix())-seconds) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	given, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}

func main() {
	events := make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		Check(err)
		genuine := isGenuine(request.Header.Get("X-Buildkite-Signature"), body)
		response.WriteHeader(map[bool]int{true: 204, false: 401}[genuine])
		var message struct{ Event string }
		Check(json.Unmarshal(body, &message))
		events <- fmt.Sprint(genuine, " ", message.Event)
	}))
	defer receiver.Close()

	settings := map[string]any{"url": receiver.URL + "/", "token": secret, "token_mode": "signature"}
	body := map[string]any{"provider": "webhook", "description": "Guide", "settings": settings, "scope": "all"}
	service := Read[struct{ ID string }](Call("POST", Organization+"/services", body))
	fmt.Println(<-events)
	Call("DELETE", Organization+"/services/"+service.ID, nil)
}
