import type { PGlite } from '@electric-sql/pglite';
import { World } from '../../support/world.js';
import { Faults } from '../faults.js';
import { SimulatedServer } from './server.js';

/** Tables whose rows every seed starts from. */
const worldTables = [
  'slipway_migrations',
  'listening_clocks',
  'event_streams',
  'organizations',
  'organization_members',
  'users',
  'clusters',
  'cluster_queues',
  'agent_tokens',
  'api_tokens',
];
const firstMoment = Date.parse('2026-01-05T03:04:05.000Z');
const fourWeeksMs = 28 * 86_400_000;
/** Deleted rows stay in the files of their tables until then, and every statement passes over them. */
const vacuumEvery = 25;

/** A world on an embedded database with faults, lent to one seed after the other. */
export class SimulatedInstallation {
  private seeds = 0;

  private constructor(
    readonly world: World,
    readonly faults: Faults,
    private readonly pglite: PGlite,
    private readonly server: SimulatedServer,
  ) {}

  static async create(): Promise<SimulatedInstallation> {
    const faults = new Faults();
    const opened: PGlite[] = [];
    const embedded = (pglite: PGlite) => {
      opened.push(pglite);
      return pglite;
    };
    const world = await World.create({ embedded, startAt: new Date(firstMoment) });
    const [pglite] = opened;
    if (!pglite) throw new Error('seeds need the embedded database: unset TEST_DATABASE_URL');
    return new SimulatedInstallation(world, faults, pglite, new SimulatedServer(pglite, faults));
  }

  /**
   * Deletes the rows of the seed before. The clock goes on to the same moment of a later four weeks: ids are made in
   * order of time by one process, so no seed may begin before another ended.
   */
  async begin(): Promise<void> {
    const { pglite, world } = this;
    if (this.seeds > 0) {
      const { rows } = await pglite.query<{ name: string }>(
        `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
           and relname <> all ($1::text[]) and pg_relation_size(oid) > 0`,
        [worldTables],
      );
      // Without triggers, and so in any order.
      const deletions = rows.map(({ name }) => `delete from ${name};`).join('');
      const clock = 'update listening_clocks set listened_ms = 0, looked_at = null, shifted_ms = 0, shifted_by_ms = 0;';
      const stream = 'update event_streams set last_position = 0, forgotten_position = 0;';
      await pglite.exec(`begin; set local session_replication_role = replica; ${deletions} ${clock} ${stream} commit`);
      if (this.seeds % vacuumEvery === 0) await pglite.exec('vacuum');
    }
    this.seeds += 1;
    this.restart();
    const passed = world.clock.now().getTime() - firstMoment;
    world.clock.set(new Date(firstMoment + fourWeeksMs * Math.ceil(passed / fourWeeksMs)));
  }

  /** A new process takes the place of the one before. */
  restart(): void {
    this.world.services.db = this.server.connect();
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
