import type { PGlite } from '@electric-sql/pglite';
import type { Actor } from '../../src/auth/actor.js';
import { authenticateUser } from '../../src/auth/authenticate.js';
import { hashToken } from '../../src/auth/secrets.js';
import { Context, type RequestFacts } from '../../src/request/context.js';
import { FragmentCache } from '../../src/response-cache/fragment-cache.js';
import type { Logger, Services } from '../../src/services/services.js';
import type { OpenDatabase } from '../../src/database/open.js';
import type { Scope } from '../../src/domain/organizations/scopes.js';
import type { NewRow, OrganizationRow, PipelineRow } from '../../src/entities/database.js';
import { type AnyOperation, perform } from '../../src/core/operation.js';
import { loopbackNetworks } from '../../src/domain/loopback-host.js';
import { openOutbound } from '../../src/providers/outbound.js';
import { payloads } from '../../src/rest/payloads.js';
import { openProviders } from '../../src/providers/open-providers.js';
import { openExportPlace, openStorage } from '../../src/storage/open-storage.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import './both-executors.js';
import { TestClock } from './clock.js';
import { freshDatabase, temporaryDirectory } from './database.js';
import { badgeTokenColumns, webhookTokenColumns } from '../../src/resources/pipelines/url-token.js';
import { sharedWorkers } from './workers/pool.js';

export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A person of the world, with an API token that works on every surface. */
export interface Person {
  id: string;
  email: string;
  token: string;
  /** `Authorization` header for REST and GraphQL. */
  authorization: string;
}

/**
 * A database with one organization (`acme`), an administrator, a member, an outsider, and a cluster with the queues
 * `default` and `macos`: what most stories start from. Everything goes through the real tables.
 */
export class World {
  organization!: OrganizationRow;
  admin!: Person;
  member!: Person;
  /** Administrator of another organization (`other`), a stranger to `acme`. */
  outsider!: Person;
  clusterId!: string;
  queues!: { default: string; macos: string };
  /** The registration token of the cluster's agents. */
  readonly agentToken = 'bkct_test_registration_token_of_the_cluster';
  private people = 0;

  private constructor(
    readonly database: OpenDatabase,
    readonly services: Services,
    readonly clock: TestClock,
    private readonly cleanUp: () => void,
  ) {}

  /** `embedded` wraps the embedded database; `startAt` is the initial time of the clock. */
  static async create(
    options: {
      teamsEnabled?: boolean;
      plan?: 'standard' | 'enterprise';
      embedded?: (pglite: PGlite) => PGlite;
      startAt?: Date;
    } = {},
  ): Promise<World> {
    const database = await freshDatabase(options.embedded);
    const directory = temporaryDirectory();
    const clock = new TestClock();
    if (options.startAt) clock.set(options.startAt);
    const outbound = openOutbound({ allow: loopbackNetworks });
    const services: Omit<Services, 'clock'> = {
      db: database.db,
      buildExports: openExportPlace(`file:${directory.path}/exports`, 'BUILD_EXPORT_TO'),
      storage: await openStorage(`file:${directory.path}/objects`, { dataDir: directory.path }),
      outbound,
      payloads,
      log: silent,
      providers: openProviders({ outbound, clock }),
      workers: sharedWorkers,
      baseUrl: 'http://slipway.test',
      secretKey: { current: 'a-secret-key-of-the-tests-that-is-long-enough', previous: null },
      limits: { graphqlCost: 50_000, requestsPerMinuteOrganization: 0, requestsPerMinuteUser: 0 },
      fragmentCache: new FragmentCache(16 * 1024 * 1024),
      wake: () => undefined,
    };
    const world = new World(database, { ...services, clock }, clock, () => {
      void outbound.close();
      directory.remove();
    });
    await world.populate(options);
    return world;
  }

  /** The same people and clock over another database and storage that hold the same rows, as after a restore. */
  over(database: OpenDatabase, storage: ObjectStorage): World {
    const { dispatch: _, ...services } = this.services;
    const own = { ...services, db: database.db, storage, fragmentCache: new FragmentCache(16 * 1024 * 1024) };
    const world = new World(database, own, this.clock, () => undefined);
    const { organization, admin, member, outsider, clusterId, queues, people } = this;
    return Object.assign(world, { organization, admin, member, outsider, clusterId, queues, people });
  }

  async close(): Promise<void> {
    await this.database.close();
    this.cleanUp();
  }

  /** A system context, for ids, time and reading rows. */
  system(): Context {
    return this.context({ kind: 'system', cause: 'test' });
  }

  context(actor: Actor, facts: Partial<RequestFacts> = {}): Context {
    return new Context(this.services, { actor, surface: 'rest', requestId: 'test', ...facts });
  }

  /** A context of a person as a request would get it: through the token. */
  async as(person: Person, facts: Partial<RequestFacts> = {}): Promise<Context> {
    const actor = await authenticateUser(
      { db: this.services.db, now: this.clock.now(), ipAddress: '127.0.0.1' },
      person.authorization,
    );
    return this.context(actor, facts);
  }

  /** Performs an operation as a person. */
  async perform<O extends AnyOperation>(
    person: Person,
    operation: O,
    input: unknown,
  ): Promise<Awaited<ReturnType<O['run']>>> {
    return (await perform(operation, await this.as(person), input)) as Awaited<ReturnType<O['run']>>;
  }

  /** Inserts a row with an id and a creation time; returns the id. */
  async insert<
    T extends
      | 'organizations'
      | 'users'
      | 'organization_members'
      | 'teams'
      | 'team_members'
      | 'team_pipelines'
      | 'team_suites'
      | 'suites'
      | 'test_plans'
      | 'pipeline_templates'
      | 'clusters'
      | 'cluster_queues'
      | 'agent_tokens'
      | 'api_tokens',
  >(table: T, row: Omit<NewRow<T>, 'id' | 'createdAt'>): Promise<string> {
    const id = this.system().newId();
    await this.services.db
      .insertInto(table)
      .values({ id, createdAt: this.clock.now(), ...row } as never)
      .execute();
    return id;
  }

  /** A pipeline of `acme` with this YAML; fields as in the table. */
  async pipeline(configuration: string, fields: Partial<NewRow<'pipelines'>> = {}): Promise<PipelineRow> {
    const id = this.system().newId();
    const slug = fields.slug ?? `pipeline-${id.slice(-12)}`;
    return this.services.db
      .insertInto('pipelines')
      .values({
        id,
        organizationId: this.organization.id,
        slug,
        name: slug,
        repository: 'https://github.com/acme/app.git',
        clusterId: this.clusterId,
        defaultBranch: 'main',
        configuration,
        providerId: 'github',
        ...webhookTokenColumns(this.services, id),
        ...badgeTokenColumns(this.services, id),
        createdAt: this.clock.now(),
        updatedAt: this.clock.now(),
        ...fields,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /**
   * A new user with a token of the given scopes (default: all there are) for the given organizations (default: all).
   */
  async person(
    options: {
      organizationId?: string;
      role?: 'admin' | 'member';
      scopes?: readonly Scope[];
      tokenOrganizations?: string[];
    } = {},
  ): Promise<Person> {
    this.people += 1;
    const email = `person-${this.people}@example.com`;
    const id = await this.insert('users', { email, name: `Person ${this.people}` });
    if (options.organizationId) {
      await this.insert('organization_members', {
        organizationId: options.organizationId,
        userId: id,
        role: options.role ?? 'member',
      });
    }
    return this.personWithToken(id, email, options);
  }

  /** Another token of an existing person. */
  async personWithToken(
    id: string,
    email: string,
    options: { scopes?: readonly Scope[]; tokenOrganizations?: string[] } = {},
  ): Promise<Person> {
    this.people += 1;
    const token = `bkua_test_token_number_${this.people}_of_this_world`;
    const { scopes } = await import('../../src/domain/organizations/scopes.js');
    const tokenId = await this.insert('api_tokens', {
      userId: id,
      description: `token ${this.people}`,
      tokenHash: hashToken(token),
      scopes: [...(options.scopes ?? scopes)],
      allOrganizations: options.tokenOrganizations === undefined,
    });
    for (const organizationId of options.tokenOrganizations ?? []) {
      await this.services.db
        .insertInto('api_token_organizations')
        .values({ apiTokenId: tokenId, organizationId })
        .execute();
    }
    return { id, email, token, authorization: `Bearer ${token}` };
  }

  private async populate(options: { teamsEnabled?: boolean; plan?: 'standard' | 'enterprise' }): Promise<void> {
    const { db } = this.services;
    const id = await this.insert('organizations', {
      slug: 'acme',
      name: 'Acme Inc',
      plan: options.plan ?? 'standard',
      teamsEnabled: options.teamsEnabled ?? false,
    });
    const otherId = await this.insert('organizations', { slug: 'other', name: 'Other Ltd' });
    this.clusterId = await this.insert('clusters', { organizationId: id, name: 'Default cluster' });
    this.queues = {
      default: await this.insert('cluster_queues', { organizationId: id, clusterId: this.clusterId, key: 'default' }),
      macos: await this.insert('cluster_queues', { organizationId: id, clusterId: this.clusterId, key: 'macos' }),
    };
    await db
      .updateTable('clusters')
      .set({ defaultQueueId: this.queues.default })
      .where('id', '=', this.clusterId)
      .execute();
    await db.updateTable('organizations').set({ defaultClusterId: this.clusterId }).where('id', '=', id).execute();
    await this.insert('agent_tokens', {
      organizationId: id,
      clusterId: this.clusterId,
      description: 'agents',
      tokenHash: hashToken(this.agentToken),
    });
    this.organization = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    this.admin = await this.person({ organizationId: id, role: 'admin' });
    this.member = await this.person({ organizationId: id, role: 'member' });
    this.outsider = await this.person({ organizationId: otherId, role: 'admin' });
  }
}
