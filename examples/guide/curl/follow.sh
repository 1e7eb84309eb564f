. ./slipway.sh
call -X POST "$API/pipelines/guide/builds" -d '{"commit": "HEAD", "branch": "main"}' >build.json
build=$(json 'reply.id' <build.json) job=$(json 'reply.jobs[0].id' <build.json)

# subscribe NAME ID FIELDS: a server-sent event for each message; the lines that begin with "data: {" have the data.
subscribe() { call_graphql "subscription { $1(id: \"$2\") { $3 } }" '{}' -N -H 'Accept: text/event-stream'; }

# The log ends with its job.
subscribe jobLog "$job" 'content cursor' | while read -r line; do
  case $line in 'data: {'*) printf '%s\n' "${line#data: }" | json 'reply.data.jobLog.content' | grep -o 'hello$' || true ;; esac
done | tail -n 1
# The stream of a build stays open: the reader leaves it when the build has finished.
subscribe build "$build" 'cursor event { type } build { state }' 2>/dev/null | while read -r line; do
  case $line in 'data: {'*'"state":"PASSED"'*) echo PASSED && break ;; esac
done
