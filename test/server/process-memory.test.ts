import { readdirSync, readFileSync } from 'node:fs';

const fixed = 'a fixed number of keys: names of the program or of the schema';
const ofRequest = 'lives as long as one request, one reply or one statement';
const ofWork = 'lives as long as one piece of work: a round, a build, a document';
const underWay = 'what is under way now, taken out when it ends; what may be under way has limits of its own';
const open = 'open connections, streams and subscriptions, whose number has limits of its own';
const lru = 'bounded in size: the entry whose use is longest ago goes first';
const full = 'takes no more once it is full';

/** Every collection of a class or a module of the server that grows, and what bounds it. */
const bounds: Readonly<Record<string, string>> = {
  'agent-api/stack-rates.ts limiters': fixed,
  'artifact-transfer/archive-turns.ts turns': underWay,
  'auth/sealed.ts derived': full,
  'auth/secret-keys.ts ids': full,
  'auth/token-writes.ts noted': lru,
  'background/integrations/notifications/deliver-notifications.ts ending': underWay,
  'background/integrations/notifications/deliver-notifications.ts receivers': underWay,
  'background/integrations/notifications/deliver-notifications.ts sending': underWay,
  'background/integrations/notifications/shared-payloads.ts payloads': underWay,
  'background/work/gate.ts underWay': underWay,
  'background/work/work-claims.ts ended': underWay,
  'background/work/work-claims.ts open': underWay,
  'background/work/work-claims.ts suspects':
    'units that are set aside or suspected: rows of a table that operators empty',
  'commands/run/job-slots.ts failures': ofWork,
  'core/query-batches.ts batches': ofRequest,
  'core/paging.ts longLists': lru,
  'engine/notifications/notify-receivers.ts places': ofWork,
  'mcp/tool-server.ts listed': fixed,
  'providers/github/app.ts minted': lru,
  'resources/agents/allowed-address.ts recorded': lru,
  'database/embedded/driver.ts beginnings': fixed,
  'database/embedded/driver.ts prepared': lru,
  'database/embedded/protocol.ts parsers': fixed,
  'database/postgres-driver.ts namesOfRepeated': full,
  'database/postgres-driver.ts uses': full,
  'database/read-memory.ts queue': underWay,
  'database/read-sets.ts insiders': lru,
  'database/read-sets.ts names': full,
  'database/row-conversion.ts storedNames': full,
  'database/statement-batches.ts waiting': ofRequest,
  'database/write-statement.ts names': full,
  'dispatch/agent-dispatch.ts queues': open,
  'dispatch/agent-dispatch.ts rules': 'queues of the last second',
  'dispatch/agent-dispatch.ts streams': open,
  'dispatch/wake-ups.ts agents': 'what a few milliseconds bring: cleared when it is sent',
  'dispatch/wake-ups.ts builds': 'what a few milliseconds bring: cleared when it is sent',
  'dispatch/wake-ups.ts queues': 'what a few milliseconds bring: cleared when it is sent',
  'dispatch/last-seen.ts streaming': open,
  'dispatch/last-seen.ts pings': 'registered agents of the last seconds: stored in batches',
  'dispatch/last-seen.ts storing': 'registered agents of the last seconds: stored in batches',
  'dispatch/queue-passes.ts asked': open,
  'dispatch/queue-passes.ts waiting': open,
  'dispatch/queue-passes.ts waitingSince': open,
  'domain/builds/archive-names.ts files': ofWork,
  'domain/builds/archive-names.ts folders': ofWork,
  'domain/builds/archive-names.ts numbers': ofWork,
  'domain/builds/critical-path/critical-path.ts byStep': ofWork,
  'domain/builds/critical-path/critical-path.ts nodeOf': ofWork,
  'domain/builds/dependency-graph.ts byId': ofWork,
  'domain/builds/dependency-graph.ts byKey': ofWork,
  'domain/builds/dependency-graph.ts children': ofWork,
  'domain/builds/dependency-graph.ts own': ofWork,
  'domain/builds/dependency-graph.ts uploads': ofWork,
  'domain/builds/dependency-graph.ts whole': ofWork,
  'domain/builds/explanations/group-explanation.ts waitingBuilds': ofWork,
  'domain/builds/explanations/held-by.ts jobs': ofWork,
  'domain/builds/explanations/held-by.ts known': ofWork,
  'domain/builds/explanations/held-by.ts nodeOf': ofWork,
  'domain/builds/schedule.ts current': ofWork,
  'domain/pipelines/conditions/effort.ts results': ofWork,
  'domain/pipelines/steps/attributes/attributes.ts known': ofWork,
  'domain/limits/raised-limits.ts raised': fixed,
  'engine/new-builds/definition-memory.ts results': lru,
  'engine/new-builds/parse-definition.ts underway': underWay,
  'engine/notifications/queue-notifications.ts builds': ofWork,
  'engine/notifications/queue-notifications.ts contexts': ofWork,
  'engine/notifications/queue-notifications.ts omitted': ofWork,
  'event-stream/feed.ts queues': open,
  'event-stream/log-watch.ts followers': open,
  'event-stream/log-watch.ts known': open,
  'graphql/execution/collected-errors.ts places': ofRequest,
  'graphql/execution/executor.ts plans': lru,
  'graphql/execution/resolvers.ts declaredByName': fixed,
  'graphql/execution/resolvers.ts fields': fixed,
  'graphql/execution/resolvers.ts instances': fixed,
  'graphql/execution/resolvers.ts typesOf': fixed,
  'graphql/limits/turns.ts users': underWay,
  'graphql/server/document-memory.ts documents': lru,
  'graphql/subscriptions/shared-work.ts byKey': open,
  'graphql/subscriptions/subscription-count.ts byUser': open,
  'http/body-budget.ts large': underWay,
  'http/reply-queue.ts waiters': underWay,
  'http/slow-readers.ts sockets': open,
  'http/unsent-bytes.ts sending': underWay,
  'provisioning/read-yaml.ts keys': ofWork,
  'provisioning/read-yaml.ts references': ofWork,
  'provisioning/read-yaml.ts unreadable': ofWork,
  'provisioning/read-yaml.ts values': ofWork,
  'request/shared-rows.ts beside': ofRequest,
  'request/shared-rows.ts builds': ofRequest,
  'request/shared-rows.ts jobs': ofRequest,
  'request/shared-rows.ts parts': ofRequest,
  'request/source-versions.ts known': ofRequest,
  'request/source-versions.ts statements': full,
  'resources/builds/annotations/body-html.ts underway': underWay,
  'resources/builds/logs/chunk-inserts.ts coming': underWay,
  'resources/installation/backup/verify.ts objects': ofWork,
  'resources/installation/backup/verify.ts pieces': ofWork,
  'resources/installation/rate-limits/bounded-limiter.ts keys': lru,
  'resources/installation/rate-limits/point-budgets.ts spenders': lru,
  'response-cache/fragment-cache.ts countsByKind': fixed,
  'response-cache/fragment-cache.ts parts': lru,
  'response-cache/response-cache.ts asked': lru,
  'response-cache/response-cache.ts checking': underWay,
  'response-cache/response-cache.ts replies': lru,
  'rest/parts/part.ts kinds': fixed,
  'rest/parts/reply-parts.ts candidates': ofRequest,
  'rest/parts/reply-parts.ts ready': ofRequest,
  'rest/requests/build-query.ts shownStates': fixed,
  'rest/requests/rate-limit.ts leases': lru,
  'rest/requests/rate-limit.ts memberships': lru,
  'server/gate.ts inFlight': open,
  'server/processes/member.ts collections': fixed,
  'server/processes/member.ts wakes': fixed,
  'server/processes/supervisor.ts collections': fixed,
  'server/processes/supervisor.ts members': fixed,
  'server/processes/supervisor.ts restarts': fixed,
  'services/memory-uses.ts uses': fixed,
  'services/tallies.ts byQueue': full,
  'services/tallies.ts counts': fixed,
  'storage/shared-sync.ts next': underWay,
  'storage/shared-sync.ts running': underWay,
  'workers/fair-queue.ts lines': underWay,
};

/** Fields of classes, and variables of modules, that hold a collection that is empty at first. */
function collectionsIn(source: string): string[] {
  const made = String.raw`new (?:Map|Set|LRUCache)(?:<.*>)?\((?:\)|\{|$)`;
  const patterns = [
    new RegExp(String.raw`^(?:export )?(?:const|let) (\w+)(?:: [^=\n]*)? = ${made}`, 'gm'),
    new RegExp(String.raw`^  (?:(?:private|protected|public|static|readonly) )*#?(\w+)(?:: [^=(\n]*)? = ${made}`, 'gm'),
    new RegExp(String.raw`^ +this\.(\w+) = ${made}`, 'gm'),
  ];
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = '']) => name));
}

const isOfServer = (name: string) => name.endsWith('.ts') && !/^(agent|console)\//.test(name);

const collections = (readdirSync('src', { recursive: true }) as string[])
  .filter(isOfServer)
  .flatMap((name) => collectionsIn(readFileSync(`src/${name}`, 'utf8')).map((each) => `${name} ${each}`));

test('every collection that outlives a statement says what bounds it', () => {
  const all = [...new Set(collections)].sort();
  expect(all.filter((each) => !(each in bounds))).toEqual([]);
  expect(Object.keys(bounds).filter((each) => !all.includes(each))).toEqual([]);
});
