/**
 * The first steps after `docker compose up` (compose.yaml): makes a pipeline, has an agent pass a build of it, and prints an
 * address that signs the administrator in once. A pipeline with a passed build is left alone.
 *
 * Arguments: the address of a replica and the organization. ADMIN_EMAIL, and the settings of `slipway`, are variables.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const [server, organization] = process.argv.slice(2);
const email = process.env.ADMIN_EMAIL;
const slipway = (...args) =>
  execFileSync(process.env.SLIPWAY ?? 'slipway', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

const patienceMs = 180_000;
const deadline = Date.now() + patienceMs;

const token = slipway(
  ...['token', 'create', '--user', email, '--description', 'first steps', '--organizations', organization],
  ...['--scopes', 'read_pipelines,write_pipelines,read_builds,write_builds'],
  ...['--expires-at', new Date(deadline).toISOString()],
);

async function ask(method, path, body) {
  const reply = await fetch(`${server}/v2/organizations/${organization}/pipelines${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (reply.status === 404) return null;
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${answer.message}`);
  return answer;
}

if (!(await ask('GET', '/hello')))
  await ask('POST', '', {
    name: 'Hello',
    repository: 'https://git.example.com/hello.git',
    configuration:
      'env:\n  BUILDKITE_SKIP_CHECKOUT: "true"\nsteps:\n  - label: "Hello"\n    command: echo "Hello from Slipway"\n',
  });
let [build] = await ask('GET', '/hello/builds?state=passed&per_page=1');
build ??= await ask('POST', '/hello/builds', { commit: 'HEAD', branch: 'main', message: 'First build' });
while (build.state !== 'passed') {
  if (build.finished_at || Date.now() > deadline)
    throw new Error(`build ${build.number} is ${build.state}: see \`docker compose logs agent\``);
  await sleep(500);
  build = await ask('GET', `/hello/builds/${build.number}`);
}
console.log(`Build ${build.number} of the pipeline Hello passed: ${build.web_url}`);
console.log(`Sign in as ${email}, once and within five minutes: ${slipway('user', 'link', '--email', email)}`);
