set -eu
API="$SLIPWAY_URL/v2/organizations/demo"

# Five more tries after 429 and 503, each after as many seconds as Retry-After says.
call() { curl -sS --retry 5 --compressed -H "Authorization: Bearer $SLIPWAY_TOKEN" -H 'Content-Type: application/json' "$@"; }

# call_graphql QUERY VARIABLES [OPTIONS OF CURL]: the variables as JSON.
call_graphql() {
  query=$1 variables=$2
  shift 2
  call "$SLIPWAY_URL/graphql" "$@" -d "$(QUERY=$query VARIABLES=$variables node -p \
    'JSON.stringify({ query: process.env.QUERY, variables: JSON.parse(process.env.VARIABLES) })')"
}

# Prints a value of the JSON that it reads, named reply.
json() { node -p "const reply = JSON.parse(require('fs').readFileSync(0, 'utf8')); $1"; }
