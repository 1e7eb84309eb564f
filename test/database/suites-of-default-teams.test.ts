import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { sql } from 'kysely';
import { SuitesOfDefaultTeams20261124100000 } from '../../src/migrations/20261124100000-suites-of-default-teams.js';
import { World } from '../support/world.js';

test('default teams get the suites that no team had, where teams are enabled, and keep the order of ids', async () => {
  const world = await World.create({ teamsEnabled: true });
  const { db } = world.services;
  const organizationId = world.organization.id;
  const suite = (slug: string, of = organizationId) =>
    world.insert('suites', { organizationId: of, slug, name: slug, defaultBranch: 'main', tokenHash: slug });
  const team = (slug: string, isDefault: boolean) =>
    world.insert('teams', { organizationId, slug, name: slug, isDefault });
  const [everyone, core] = [await team('everyone', true), await team('core', false)];
  const [free, shared] = [await suite('free'), await suite('shared')];
  const link = { organizationId, teamId: core, suiteId: shared, accessLevel: ['read' as const] };
  await world.insert('team_suites', link);
  // Another organization, without teams.
  const other = await db.selectFrom('organizations').select('id').where('slug', '=', 'other').executeTakeFirstOrThrow();
  await suite('elsewhere', other.id);

  const orm = await world.database.openOrm();
  const migrate = async () => {
    const migration = new SuitesOfDefaultTeams20261124100000(orm.em.getDriver() as AbstractSqlDriver, orm.config);
    migration.up();
    for (const query of migration.getQueries()) await sql.raw(String(query)).execute(db);
  };
  await migrate();
  await migrate();
  const rows = await db.selectFrom('team_suites').selectAll().orderBy('id').execute();
  expect(rows.map(({ teamId, suiteId, accessLevel }) => [teamId, suiteId, accessLevel])).toEqual([
    [core, shared, ['read']],
    [everyone, free, ['read', 'edit']],
  ]);
  expect(rows[1]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
  await world.close();
});
