. ./slipway.sh
call "$SLIPWAY_URL/v2/access-token" | json 'reply.scopes.includes("read_builds")'
call -o body -D - "$API/builds" | tr -d '\r' | grep -i '^x-accepted-oauth-scopes:' | cut -d ' ' -f 2-
call_graphql '{ viewer { user { email } } }' '{}' | json 'reply.data.viewer.user.email'
