package main

import (
	"fmt"
	"slices"

	. "example.com/guide/slipway"
)

func main() {
	token := Read[struct{ Scopes []string }](Call("GET", Root+"/access-token", nil))
	fmt.Println(slices.Contains(token.Scopes, "read_builds"))
	fmt.Println(Call("GET", Organization+"/builds", nil).Header.Get("X-Accepted-OAuth-Scopes"))
	reply := GraphQL[struct{ Viewer struct{ User struct{ Email string } } }]("{ viewer { user { email } } }", nil)
	fmt.Println(reply.Data.Viewer.User.Email)
}
