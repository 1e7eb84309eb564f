. ./slipway.sh
key=$(node -p 'crypto.randomUUID()')
for attempt in 1 2; do
  call -X POST "$API/pipelines/guide/builds" -H "Idempotency-Key: $key" -d '{"commit": "HEAD", "branch": "main"}' | json 'reply.number'
done

pipeline=$(call "$API/pipelines/guide" | json 'reply.graphql_id')
start='mutation ($pipeline: ID!) { buildCreate(input: { pipelineID: $pipeline, commit: "HEAD", branch: "main" }) { build { number } } }'
key=$(node -p 'crypto.randomUUID()')
for attempt in 1 2; do
  call_graphql "$start" "{\"pipeline\": \"$pipeline\"}" -H "Idempotency-Key: $key" | json 'reply.data.buildCreate.build.number'
done
