. ./slipway.sh
call -w '\n%{http_code}\n' -X POST "$API/pipelines" -d '{}' |
  node -p 'const [body, status] = require("fs").readFileSync(0, "utf8").split("\n");
    const { message, errors } = JSON.parse(body);
    `${status} ${message}: ${errors.map(({ field, code }) => `${field} ${code}`).join(", ")}`'
call_graphql 'mutation { pipelineCreate(input: { organizationId: "demo", name: "", repository: { url: "" } }) { pipeline { slug } } }' '{}' |
  json 'reply.errors.map(({ extensions }) => `${extensions.code}: ${extensions.fields.map(({ field }) => field).join(", ")}`).join()'
