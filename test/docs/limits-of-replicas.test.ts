import { readdirSync, readFileSync } from 'node:fs';

/** Every file of the server that refuses, queues or forgets what is too much, with its row in the table of the page. */
const rows: Readonly<Record<string, string | null>> = {
  // Only presents the refusal of others.
  'agent-api/problems.ts': null,
  'agent-api/stack-rates.ts': 'rates of stacks',
  'agent-api/streamed-pings.ts': 'streams of pings',
  'artifact-transfer/archive-turns.ts': 'archives of artifacts at a time',
  'auth/passwords.ts': 'passwords checked at a time',
  'auth/token-writes.ts': 'what is kept in memory',
  'background/deletions/purge-pipeline.ts': 'work at a time',
  'background/integrations/commit-statuses/send-statuses.ts': 'work at a time',
  'background/integrations/process-deliveries.ts': 'work at a time',
  'background/outbox/outbox-handlers.ts': 'work at a time',
  'background/outbox/outbox.ts': 'work at a time',
  'background/retention/pass/leftovers.ts': 'work at a time',
  // Only knows a refusal of Slack's own.
  'channels/slack/slack-workspace.ts': null,
  'core/paging.ts': 'what is kept in memory',
  'database/lanes.ts': 'database connections',
  'database/read-memory.ts': 'bytes of requests and replies',
  'database/read-replica.ts': 'database connections',
  'database/read-sets.ts': 'what is kept in memory',
  'database/request-reads.ts': 'database connections',
  'dispatch/agent-dispatch.ts': 'streams of pings',
  'engine/new-builds/definition-memory.ts': 'what is kept in memory',
  'graphql/execution/executor.ts': 'what is kept in memory',
  'graphql/limits/turns.ts': 'GraphQL operations at a time',
  'graphql/server/document-memory.ts': 'what is kept in memory',
  'graphql/subscriptions/subscription-count.ts': 'subscriptions at a time',
  'graphql/subscriptions/websocket.ts': 'subscriptions at a time',
  'http/body-budget.ts': 'bytes of requests and replies',
  'http/unsent-bytes.ts': 'bytes of requests and replies',
  'operations/builds/jobs/request-repository-token.ts': 'repository tokens of a job',
  'operations/builds/logs/search.ts': 'searches of logs at a time',
  'operations/integrations/webhook-deliveries/receive-for-connection.ts': 'work at a time',
  'operations/pipelines/triggers/deliver.ts': 'pipeline triggers in an hour',
  'providers/event-bridge.ts': 'what is kept in memory',
  'providers/github/app.ts': 'what is kept in memory',
  'resources/agents/allowed-address.ts': 'what is kept in memory',
  'resources/builds/failures/load-failures.ts': 'work at a time',
  'resources/builds/jobs/job-call-batches.ts': 'work at a time',
  'resources/builds/logs/log-cache.ts': 'what is kept in memory',
  'resources/installation/rate-limits/bounded-limiter.ts': 'rates of stacks',
  'resources/installation/rate-limits/point-budgets.ts': 'GraphQL points',
  'resources/organizations/oauth/grant.ts': 'programs that ask for access',
  'resources/organizations/oauth/oauth-brake.ts': 'programs that ask for access',
  'resources/organizations/sessions/attempt-counter.ts': 'attempts to sign in',
  'resources/organizations/sessions/sign-in-brake.ts': 'attempts to sign in',
  'response-cache/fragment-cache.ts': 'what is kept in memory',
  'response-cache/response-cache.ts': 'what is kept in memory',
  'rest/requests/rate-limit.ts': 'requests to /v2',
  'server/installation.ts': 'database connections',
};

/** Programs of their own and pure rules. */
const isOfServer = (name: string) => name.endsWith('.ts') && !/^(?:agent|console|commands|domain)\//.test(name);
const limits = [
  /'rate_limited'/,
  /new (?:BoundedLimiter|RateLimiter\w*)\b/,
  /\bpLimit\(/,
  /\bnew LRUCache\b/,
  /new DatabaseUnavailableError\('waited'\)/,
  /'Too many /,
];

const page = readFileSync('docs/operations.md', 'utf8');
const section = page.slice(page.indexOf('\n## Replicas'), page.indexOf('\n## Database connections'));
const table = [...section.matchAll(/^\| ([^|]+?) \| (installation|process) \| ([^|]+) \|$/gm)].map(
  ([, what = '', by = '', why = '']) => ({ what: what.replace(/ \(.*\)$/, ''), by, why }),
);

test('every limit and memory of the server is in the table of what is counted by the installation or a process', () => {
  const files = (readdirSync('src', { recursive: true }) as string[])
    .filter(isOfServer)
    .filter((name) => limits.some((pattern) => pattern.test(readFileSync(`src/${name}`, 'utf8'))));
  expect(files.sort()).toEqual(Object.keys(rows).sort());
});

test('the table has a row for each of them, and no other row', () => {
  const named = new Set(Object.values(rows).filter((row) => row !== null));
  expect(table.map(({ what }) => what).sort()).toEqual([...named].sort());
});

test('what the table says is counted by the installation is counted by rows that all processes share', () => {
  const counted = Object.entries(rows).filter(([, row]) =>
    table.some(({ what, by }) => what === row && by === 'installation'),
  );
  expect(counted.length).toBeGreaterThanOrEqual(4);
  for (const [name] of counted)
    expect([name, readFileSync(`src/${name}`, 'utf8')]).toEqual([
      name,
      expect.stringMatching(/countRequests|countPoints|RateLimiterPostgres|insertInto\('/),
    ]);
});
