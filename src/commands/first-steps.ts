export interface FirstSteps {
  baseUrl: string;
  organization: string;
  clusterId: string;
  /** The API token, or null where it was shown before: the commands then take it from `$SLIPWAY_TOKEN`. */
  apiToken: string | null;
  /** Address that opens the console signed in, once, on this machine. */
  signInUrl: string;
  /** Number of the next build of the pipeline "Hello"; null where there is no such pipeline yet. */
  nextHello: number | null;
}

/** No repository and no git are needed: the demo pipeline skips the checkout. */
const configuration = `env:
  BUILDKITE_SKIP_CHECKOUT: "true"
steps:
  - label: "Hello"
    command: echo "Hello from Slipway"
`;

export const helloSlug = 'hello';

interface Step {
  does: string;
  command: string;
}

const pipelinesUrl = ({ baseUrl, organization }: FirstSteps) => `${baseUrl}/v2/organizations/${organization}/pipelines`;

const authorizationOf = ({ apiToken }: FirstSteps) =>
  `-H ${apiToken ? quote(`Authorization: Bearer ${apiToken}`) : '"Authorization: Bearer $SLIPWAY_TOKEN"'}`;

/** `body`: a word for the shell. */
const postTo = (steps: FirstSteps, url: string, body: string) =>
  `curl -sS -X POST ${url} ${authorizationOf(steps)} -H 'Content-Type: application/json' -d ${body}`;

/** Removes the marks of time that agents put before each line, which terminals show as rubbish. */
const stripTimes = `sed "s/$(printf '\\033')_bk;t=[0-9]*$(printf '\\007')//g"`;

/**
 * Commands for a build of "Hello", one per line, to paste into a shell; the first creates its pipeline, unless it is
 * there.
 */
export function firstCommands(steps: FirstSteps): Step[] {
  const { clusterId, nextHello } = steps;
  const builds = `${pipelinesUrl(steps)}/${helloSlug}/builds`;
  const build = `${builds}/${nextHello ?? 1}`;
  const authorization = authorizationOf(steps);
  const post = (url: string, body: object) => postTo(steps, url, quote(JSON.stringify(body)));
  const pipeline = {
    name: 'Hello',
    repository: 'https://git.example.com/demo/hello.git',
    cluster_id: clusterId,
    configuration,
  };
  const logUrl =
    `$(curl -sS ${build} ${authorization} | node -p 'JSON.parse(require("fs").readFileSync(0, ` +
    `"utf8")).jobs[0].raw_log_url')`;
  const create = { does: 'Create a pipeline', command: post(pipelinesUrl(steps), pipeline) };
  return [
    ...(nextHello === null ? [create] : []),
    {
      does: 'Create a build; the bundled agent runs it',
      command: post(builds, { commit: 'HEAD', branch: 'main', message: 'First build' }),
    },
    { does: 'See how it goes', command: `sleep 3; curl -sS ${build} ${authorization}` },
    { does: 'Read the log of its job', command: `curl -sS "${logUrl}" ${authorization} | ${stripTimes}` },
  ];
}

/** Slug of the folder that a shell stands in. */
const folderSlug = `$(basename "$PWD" | tr A-Z a-z | tr -cs a-z0-9 - | sed 's/^-*//;s/-*$//')`;

/** The pipeline file of the repository decides what runs. */
const uploading = 'steps:\\n  - label: Upload\\n    command: buildkite-agent pipeline upload\\n';

/** Two commands that build the repository that the shell stands in, at its last commit. */
export function repositoryCommands(steps: FirstSteps): Step[] {
  const url = pipelinesUrl(steps);
  const fields = [
    ['name', folderSlug],
    ['slug', folderSlug],
    ['repository', '$PWD'],
    ['cluster_id', steps.clusterId],
    ['configuration', uploading],
  ];
  const pipeline = `"{${fields.map(([name, value]) => `\\"${name}\\":\\"${value}\\"`).join(',')}}"`;
  const build = `"{\\"commit\\":\\"HEAD\\",\\"branch\\":\\"$(git branch --show-current)\\"}"`;
  return [
    {
      does:
        'Build a repository of yours: in its folder, create its pipeline once (it runs the pipeline file of ' +
        'the repository)',
      command: postTo(steps, url, pipeline),
    },
    {
      does: 'and build its last commit, as often as you like',
      command: postTo(steps, `"${url}/${folderSlug}/builds"`, build),
    },
  ];
}

/** A word for POSIX shells; nothing inside single quotes is special but the single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Output of `slipway dev` once everything runs. */
export function welcome(steps: FirstSteps, dataDir: string): string {
  const { baseUrl, apiToken, signInUrl } = steps;
  const token = apiToken
    ? `API token  ${apiToken}\n           (shown this once; kept as a hash. Another one: npm start -- --new-token)`
    : 'API token  was shown at the first start. Another one: npm start -- --new-token\n           The commands ' +
      'below take it from the environment: export SLIPWAY_TOKEN=...';
  const commands = [...firstCommands(steps), ...repositoryCommands(steps)].map(
    ({ does, command }) => `# ${does}\n${command}\n`,
  );
  return `
Slipway is running.

Console    ${baseUrl}/
Sign in    ${signInUrl}
           (once, within five minutes, in a browser on this machine; every start prints another)
REST       ${baseUrl}/v2
GraphQL    ${baseUrl}/graphql
Agents     ${baseUrl}/v3
Data       ${dataDir} (embedded database, logs)
${token}

Paste these into another shell:

${commands.join('\n')}
Private repositories, webhooks, secrets and more agents: docs/your-repository.md

Ctrl-C stops it.
`;
}
