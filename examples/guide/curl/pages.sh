. ./slipway.sh
next="$API/pipelines/guide/builds?per_page=2" numbers=''
while [ -n "$next" ]; do
  numbers="$numbers $(call -D headers "$next" | json 'reply.map(({ number }) => number).join(" ")')"
  next=$(tr -d '\r' <headers | sed -n 's/^[Ll]ink:.*<\([^>]*\)>; rel="next".*/\1/p')
done
echo $numbers

query='query ($after: String) { pipeline(slug: "demo/guide") {
  builds(first: 2, after: $after) { pageInfo { hasNextPage endCursor } edges { node { number } } } } }'
after=null more=true numbers=''
while [ "$more" = true ]; do
  page=$(call_graphql "$query" "{\"after\": $after}")
  builds() { printf '%s\n' "$page" | json "const { edges, pageInfo } = reply.data.pipeline.builds; $1"; }
  numbers="$numbers $(builds 'edges.map(({ node }) => node.number).join(" ")')"
  more=$(builds 'pageInfo.hasNextPage') after=$(builds 'JSON.stringify(pageInfo.endCursor)')
done
echo $numbers
