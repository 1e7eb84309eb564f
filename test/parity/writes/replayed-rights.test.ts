import { createHash } from 'node:crypto';
import express, { type Express } from 'express';
import { restSurface } from '../../../src/rest/router.js';
import { routes } from '../../../src/rest/routes.js';
import { neededBodies, oneOfEverything, type PathValues } from '../../support/one-of-everything.js';
import { requestsTo } from '../../support/requests.js';
import { type Person, World } from '../../support/world.js';

/** Writes that this world refuses the first time, with the reason; a refused write is not stored for repetition. */
const refusedHere: Readonly<Record<string, string>> = {
  'access-token.revoke': 'revokes the token of the request, which is refused from then on',
  'build.cancel': 'its only job is canceled by then',
  'build.retry-failed-jobs': 'no job failed',
  'culprit-search.cancel': 'the search has ended',
  'culprit-search.create': 'no job failed',
  'cluster.delete': 'the default cluster stays',
  'job.log.delete': 'the job is not over',
  'job.retry': 'no job failed',
  'job.unblock': 'the job is no block step',
  'notification-service.disable': 'a disabled service is not pinged',
  'notification-delivery.redeliver': 'the delivery is still being tried',
  'organization-member.delete': 'the member has to stay for the other writes',
  'pipeline.create-webhook': 'no provider answers',
  'pipeline.delete-webhook': 'there is none',
  'pipeline.unarchive': 'the pipeline is not archived',
  'pipeline.archive': 'an archived pipeline takes none of the other writes',
  'provider-connection.create': 'there is one already',
  'queue.delete': 'the default queue stays',
  'team-member.create': 'names nobody',
  'team-pipeline.create': 'names nothing',
  'team-suite.create': 'names nothing',
};

const ends = /\.(delete|revoke|revoke-access|cancel|stop)$/;
/** Resources that contain others are deleted last. */
const containers = ['team.delete', 'suite.delete', 'pipeline.delete'];
const late = (name: string) => (ends.test(name) ? 1 + Math.max(0, 1 + containers.indexOf(name)) : 0);
const writes = routes
  .filter(
    ({ operation: { kind, name, access }, path }) =>
      kind === 'command' &&
      access !== 'internal' &&
      !(name in refusedHere) &&
      !path.includes('/suite/') &&
      !path.endsWith('/teams/enable'),
  )
  .sort((one, other) => late(one.operation.name) - late(other.operation.name));

describe('a write repeated with its Idempotency-Key', () => {
  let world: World;
  let app: Express;
  let caller: Person;
  let here: PathValues;
  const seen = new Set<string>();
  let bodies: Readonly<Record<string, object>>;
  const refusals: string[] = [];

  beforeAll(async () => {
    world = await World.create({ plan: 'enterprise' });
    here = await oneOfEverything(world, 'steps: [{ command: make }]');
    await world.services.db.updateTable('organizations').set({ teamsEnabled: true }).execute();
    bodies = {
      ...neededBodies,
      'job.reprioritize': { priority: 3 },
      'execution.update-tags': { executions: [{ id: here('')['execution'], tags: { 'mut.a': 'b' } }] },
      'cluster-maintainer.create': { team: here('')['team'] },
    };
    caller = await world.person({ organizationId: world.organization.id, role: 'admin' });
    app = express().use('/v2', restSurface(world.services).router);
  }, 60_000);
  afterAll(() => world.close());

  const role = (to: 'admin' | 'member') =>
    world.services.db.updateTable('organization_members').set({ role: to }).where('userId', '=', caller.id).execute();
  const reach = (allOrganizations: boolean) =>
    world.services.db.updateTable('api_tokens').set({ allOrganizations }).where('userId', '=', caller.id).execute();
  const scopes = (all: string[]) =>
    world.services.db
      .updateTable('api_tokens')
      .set({ scopes: all as never })
      .where('userId', '=', caller.id)
      .execute();

  test.each(
    writes.map((route) => [`${route.operation.name} (${route.method.toUpperCase()} ${route.path})`, route] as const),
  )("repeating %s is allowed or refused by the caller's present rights", async (name, route) => {
    const { method, path, operation } = route;
    const values = here(path);
    const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? 'none');
    const key = createHash('sha256').update(name).digest('hex');
    const send = async () => {
      const { status, text } = await requestsTo(app)
        [method as 'post'](`/v2${filled}`)
        .set('Authorization', caller.authorization)
        .set('Idempotency-Key', key)
        .send(bodies[operation.name] ?? {});
      return { status, text };
    };
    const first = await send();
    // A resource that an earlier route of the same operation deleted is refused, and the refusal is not stored.
    if (first.status >= 400) {
      refusals.push(`${operation.name}: ${first.status} ${first.text}`);
      return;
    }
    seen.add(operation.name);
    expect(await send()).toEqual(first);
    const token = await world.services.db
      .selectFrom('api_tokens')
      .select('scopes')
      .where('userId', '=', caller.id)
      .executeTakeFirstOrThrow();
    await scopes([]);
    expect((await send()).status).toBe(operation.scope === null ? first.status : 403);
    await scopes([...token.scopes]);
    await reach(false);
    expect((await send()).status).toBe(404);
    await reach(true);
    await role('member');
    const demoted = (await send()).status;
    if (['admin', 'maintain'].includes(operation.access)) expect(demoted).toBe(403);
    else if (['build', 'manage', 'visible'].includes(operation.access) && operation.name !== 'pipeline.delete')
      expect(demoted).toBe(404);
    await role('admin');
    expect(await send()).toEqual(first);
  });

  test('every other write operation was carried out in these tests', () => {
    const names = new Set(writes.map(({ operation }) => operation.name));
    expect(
      [...names]
        .filter((name) => !seen.has(name))
        .flatMap((name) => refusals.filter((each) => each.startsWith(`${name}:`))),
    ).toEqual([]);
  });
});
