import { readFileSync } from 'node:fs';
import type { ConsoleWorld } from './console-world.js';

/** A page of the console: its address and the text of its first heading. */
export interface ConsolePage {
  name: string;
  path: string;
  heading: string | RegExp;
}

/** Addresses that lead on to the page of another. */
const redirects = [
  '/organizations',
  '/$organization/$pipeline/builds',
  '/organizations/$organization/clusters/$cluster/queues/$queue/agents/$agent',
];

/** Paths of the console's routes that none of these pages shows, as its build wrote them down. */
export function unseenPaths(pages: readonly ConsolePage[]): string[] {
  const paths = JSON.parse(readFileSync('dist/console/pages.json', 'utf8')) as string[];
  const isOf = (path: string, { path: shown }: ConsolePage) =>
    new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`).test(shown.replace(/[?#].*/, ''));
  return paths.filter((path) => !redirects.includes(path) && !pages.some((page) => isOf(path, page)));
}

/** Lists of an organization that are in no table here: whatever heading they have. */
const otherLists = (pages: readonly ConsolePage[]): ConsolePage[] =>
  unseenPaths(pages)
    .map((path) => path.replace('/$organization', '/demo'))
    .filter((path) => !path.includes('$'))
    .map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1), path, heading: /./ }));

const steps = `env: {BUILDKITE_SKIP_CHECKOUT: "true"}
steps:
  - label: Lint
    key: lint
    command: |
      echo "--- Install"; echo "\\e[32mdone\\e[0m"
      echo "+++ Results"; echo "all is well"
      mkdir -p report/units && echo "all is well" > report/units/lint.txt && echo "<p>fine</p>" > report/index.html
      buildkite-agent artifact upload "report/**/*" >/dev/null 2>&1
      buildkite-agent meta-data set lint "no findings"
  - label: Test
    key: test
    depends_on: lint
    parallelism: 3
    command: 'echo "+++ Part \$\$BUILDKITE_PARALLEL_JOB"; echo "passed"; buildkite-agent annotate "**12 tests** passed" --style success --context tests'
  - block: Release
    key: release
    depends_on: test
    prompt: Goes to everybody.
    fields: [{text: Notes, key: notes}]
  - {label: Deploy, depends_on: release, command: echo deployed}
`;

const collected = JSON.stringify([
  {
    id: '01930000-0000-7000-8000-000000000001',
    scope: 'Cart',
    name: 'adds a thing',
    location: 'cart_test.rb:4',
    result: 'passed',
    history: { duration: 0.02 },
  },
  {
    id: '01930000-0000-7000-8000-000000000002',
    scope: 'Cart',
    name: 'pays',
    location: 'cart_test.rb:9',
    result: 'failed',
    failure_reason: 'expected 3, got 4',
    history: { duration: 1.4 },
  },
]);

/** Puts one of everything into the world, waits until its build is blocked, and names every page that there is then. */
export async function everyPage(world: ConsoleWorld): Promise<ConsolePage[]> {
  const { cluster_id: cluster } = world.demo;
  await world.api('POST', '/pipelines', {
    name: 'Shop',
    description: 'What customers see',
    repository: 'https://git.example.com/demo/shop.git',
    cluster_id: cluster,
    configuration: steps,
    tags: ['web'],
  });
  await world.api('POST', '/pipelines/shop/builds', { commit: 'HEAD', branch: 'main', message: 'A cart that counts' });
  await world.api('POST', '/pipelines/shop/schedules', { cronline: '0 4 * * 1-5', label: 'Every night' });
  const queues = await world.api<{ id: string; key: string }[]>('GET', `/clusters/${cluster}/queues`);
  const agents = await world.api<{ id: string; name: string }[]>('GET', '/agents');
  const members = await world.api<{ id: string; name: string }[]>('GET', '/members');
  const team = await world.api<{ slug: string }>('POST', '/teams', {
    name: 'Builders',
    description: 'They build',
    privacy: 'visible',
    is_default_team: false,
    default_member_role: 'member',
  });
  const service = await world.api<{ id: string }>('POST', '/services', {
    provider: 'webhook',
    description: 'Chat',
    settings: { url: `${world.demo.url}/nowhere`, events: ['build.finished'] },
  });
  const template = await world.api<{ uuid: string; name: string }>('POST', '/pipeline-templates', {
    name: 'Upload the steps',
    description: 'Every repository keeps its own',
    configuration: 'steps:\n  - label: ":pipeline: Upload"\n    command: buildkite-agent pipeline upload\n',
    available: true,
  });
  const suite = await world.suite('Unit tests', collected);
  const workflow = await suite.api<{ id: string }>('POST', '/workflows', {
    name: 'Slow tests',
    monitor: { type: 'duration', window: 1, alarm: 1, recover: 0.5 },
    alarm_actions: [
      { type: 'webhook', url: `${world.demo.url}/nowhere` },
      { type: 'slack', channel: '#nowhere' },
    ],
  });
  await suite.upload('second', JSON.parse(collected) as object[]);
  await world.untilBlocked('/pipelines/shop/builds/1');
  // Figures are those of builds that have ended.
  await world.api('POST', '/pipelines', {
    name: 'Handbook',
    repository: 'git@github.com:acme/handbook.git',
    cluster_id: cluster,
    configuration: 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{label: Links, key: links, command: sleep 1}]',
  });
  await world.api('POST', '/pipelines/handbook/builds', { commit: 'HEAD', branch: 'main', message: 'A new chapter' });
  await world.untilPassed('/pipelines/handbook/builds/1');
  const of = '/organizations/demo';
  const tests = `${of}/analytics/suites/${suite.slug}`;
  const page = (name: string, path: string, heading: string): ConsolePage => ({ name, path, heading });
  const pages = [
    page('home', '/', 'Home'),
    page('pipelines', '/demo', 'Pipelines'),
    page('new-pipeline', `${of}/pipelines/new`, 'New pipeline'),
    page('pipeline', '/demo/shop', 'Shop'),
    page('build', '/demo/shop/builds/1', 'A cart that counts'),
    page('build-graph', '/demo/shop/builds/1?view=graph', 'A cart that counts'),
    page('build-waterfall', '/demo/shop/builds/1?view=waterfall', 'A cart that counts'),
    page('build-annotations', '/demo/shop/builds/1?tab=annotations', 'A cart that counts'),
    page('build-artifacts', '/demo/shop/builds/1?tab=artifacts', 'A cart that counts'),
    page('build-meta-data', '/demo/shop/builds/1?tab=metaData', 'A cart that counts'),
    page('build-environment', '/demo/shop/builds/1?tab=environment', 'A cart that counts'),
    page('build-events', '/demo/shop/builds/1?tab=events', 'A cart that counts'),
    page('job', `/demo/shop/builds/1#${await world.firstJob('/pipelines/shop/builds/1')}`, 'A cart that counts'),
    page('settings', '/demo/shop/settings', 'Settings of Shop'),
    page('provider', '/demo/shop/settings?tab=provider', 'Settings of Shop'),
    page('schedules', '/demo/shop/settings?tab=schedules', 'Settings of Shop'),
    page('triggers', '/demo/shop/settings?tab=triggers', 'Settings of Shop'),
    page('webhooks', '/demo/shop/settings?tab=webhooks', 'Settings of Shop'),
    page('badge', '/demo/shop/settings?tab=badge', 'Settings of Shop'),
    page('agents', `${of}/agents`, 'Agents'),
    page('agent', `${of}/agents/${agents[0]?.id}`, agents[0]?.name ?? ''),
    page('clusters', `${of}/clusters`, 'Clusters'),
    page('cluster', `${of}/clusters/${cluster}`, 'Default cluster'),
    page('queue', `${of}/clusters/${cluster}/queues/${queues[0]?.id}`, queues[0]?.key ?? ''),
    page('suites', `${of}/analytics/suites`, 'Test suites'),
    page('suite', tests, 'Unit tests'),
    page('suite-tests', `${tests}?tab=tests`, 'Unit tests'),
    page('suite-tests-slowest', `${tests}?tab=tests&by=slowest`, 'Unit tests'),
    page('suite-workflows', `${tests}?tab=workflows`, 'Unit tests'),
    page('workflow', `${tests}/workflows/${workflow.id}`, 'Slow tests'),
    page('run', `${tests}/runs/${suite.run}`, 'A cart that counts'),
    page('test', `${tests}/tests/${suite.test}`, suite.testName),
    page('teams', `${of}/teams`, 'Teams'),
    page('team', `${of}/teams/${team.slug}`, 'Builders'),
    page('members', `${of}/users`, 'Members'),
    page('member', `${of}/users/${members[0]?.id}`, members[0]?.name ?? ''),
    page('templates', `${of}/pipeline-templates`, 'Pipeline templates'),
    page('template', `${of}/pipeline-templates/${template.uuid}`, template.name),
    page('notification-services', `${of}/notification-services`, 'Notification services'),
    page('notification-service', `${of}/notification-services/${service.id}`, 'Chat'),
    page('rules', `${of}/rules`, 'Rules'),
    page('api-tokens', `${of}/api-tokens`, 'API tokens'),
    page('audit-log', `${of}/audit-log`, 'Audit log'),
    page('organization', of, 'Demo'),
    page('account', '/account', 'Your account'),
    page('sessions', '/account?tab=sessions', 'Your account'),
  ];
  return [...pages, ...otherLists(pages)];
}
