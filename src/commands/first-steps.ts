export interface FirstSteps {
  baseUrl: string;
  organization: string;
  clusterId: string;
  /** The API token, or null where it was shown before: the commands then take it from `$SLIPWAY_TOKEN`. */
  apiToken: string | null;
}

/** No repository and no git are needed: the demo pipeline skips the checkout. */
const configuration = `env:
  BUILDKITE_SKIP_CHECKOUT: "true"
steps:
  - label: "Hello"
    command: echo "Hello from Slipway"
`;

/** Commands for the first build, one per line, to paste into a shell. */
export function firstCommands({
  baseUrl,
  organization,
  clusterId,
  apiToken,
}: FirstSteps): { does: string; command: string }[] {
  const pipelines = `${baseUrl}/v2/organizations/${organization}/pipelines`;
  const builds = `${pipelines}/hello/builds`;
  const authorization = `-H ${apiToken ? quote(`Authorization: Bearer ${apiToken}`) : '"Authorization: Bearer $SLIPWAY_TOKEN"'}`;
  const post = (url: string, body: object) =>
    `curl -sS -X POST ${url} ${authorization} -H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`;
  const pipeline = {
    name: 'Hello',
    repository: 'https://git.example.com/demo/hello.git',
    cluster_id: clusterId,
    configuration,
  };
  const logUrl = `$(curl -sS ${builds}/1 ${authorization} | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).jobs[0].raw_log_url')`;
  return [
    { does: 'Create a pipeline', command: post(pipelines, pipeline) },
    {
      does: 'Create a build; the bundled agent runs it',
      command: post(builds, { commit: 'HEAD', branch: 'main', message: 'First build' }),
    },
    { does: 'See how it goes', command: `sleep 3; curl -sS ${builds}/1 ${authorization}` },
    { does: 'Read the log of its job', command: `curl -sS "${logUrl}" ${authorization}` },
  ];
}

/** A word for POSIX shells; nothing inside single quotes is special but the single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Output of `slipway dev` once everything runs. */
export function welcome(steps: FirstSteps, dataDir: string): string {
  const { baseUrl, apiToken } = steps;
  const token = apiToken
    ? `API token  ${apiToken}\n           (shown this once; kept as a hash. Another one: npm start -- --new-token)`
    : 'API token  was shown at the first start. Another one: npm start -- --new-token\n           The commands below take it from the environment: export SLIPWAY_TOKEN=...';
  const commands = firstCommands(steps).map(({ does, command }) => `# ${does}\n${command}\n`);
  return `
Slipway is running.

Console    ${baseUrl}/
REST       ${baseUrl}/v2
GraphQL    ${baseUrl}/graphql
Agents     ${baseUrl}/v3
Data       ${dataDir} (embedded database, logs)
${token}

Paste these into another shell:

${commands.join('\n')}
Ctrl-C stops it.
`;
}
