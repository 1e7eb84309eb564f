import { createBuild } from '../../../src/operations/builds/create.js';
import { pinBuild } from '../../../src/operations/builds/pin.js';
import { unpinBuild } from '../../../src/operations/builds/unpin.js';
import type { BuildRow } from '../../../src/entities/database.js';
import { World } from '../../support/world.js';

let world: World;
let build: BuildRow;
beforeAll(async () => {
  world = await World.create();
  const { id } = await world.pipeline('steps: [{ command: make }]');
  ({ build } = await world.perform(world.admin, createBuild, { pipeline: { id }, useDefaults: true }));
});
afterAll(() => world.close());

const input = (more: object = {}) => ({ build: { id: build.id }, ...more });

test('a pin records who keeps the build, since when and why; another pin takes its place', async () => {
  await world.perform(world.admin, pinBuild, input({ reason: 'First' }));
  world.clock.advance(60);
  const { build: pinned } = await world.perform(world.member, pinBuild, input({ reason: 'Release 1.2' }));
  expect(pinned).toMatchObject({
    pinnedAt: world.clock.now(),
    pinnedById: world.member.id,
    pinReason: 'Release 1.2',
  });
  const audit = await world.services.db
    .selectFrom('audit_events')
    .select(['operation', 'actorId', 'subjectId'])
    .where('operation', '=', 'build.pin')
    .orderBy('id')
    .execute();
  expect(audit.map(({ actorId, subjectId }) => [actorId, subjectId])).toEqual([
    [world.admin.id, build.id],
    [world.member.id, build.id],
  ]);
});

test("without a pin the build is retention's again, and another unpin changes nothing", async () => {
  for (let time = 0; time < 2; time += 1) {
    const { build: changed } = await world.perform(world.member, unpinBuild, input());
    expect(changed).toMatchObject({ pinnedAt: null, pinnedById: null, pinReason: null });
  }
});

test('a reason that is too long is refused, and strangers find no build', async () => {
  await expect(world.perform(world.member, pinBuild, input({ reason: 'x'.repeat(256) }))).rejects.toMatchObject({
    code: 'invalid',
    details: { fields: [{ field: 'reason', code: 'is too long (maximum is 255 characters)' }] },
  });
  for (const operation of [pinBuild, unpinBuild])
    await expect(world.perform(world.outsider, operation, input())).rejects.toMatchObject({ code: 'not_found' });
});
