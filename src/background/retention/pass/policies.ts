import { sql } from 'kysely';
import type { BuildExport } from '../../../domain/retention/build-export.js';
import {
  deletesNothing,
  type OrganizationRetention,
  type PipelineRetention,
  type ResolvedPolicy,
  daysOf,
  resolvePolicy,
} from '../../../domain/retention/policy.js';
import type { Services } from '../../../services/services.js';

type Installation = Pick<Services, 'db' | 'retention'>;

/** A pipeline whose policy lets something go. */
export interface AgingPipeline {
  id: string;
  slug: string;
  organizationId: string;
  /** Slug of its organization. */
  organization: string;
  defaultBranch: string;
  policy: ResolvedPolicy;
  /** Where its builds are exported to before they go; null if they are not. */
  buildExport: BuildExport | null;
}

const pipelinesAtOnce = 200;

/** Which owner to read: the one with an id, or the next ones after it. */
export interface Place {
  /** The id of the owner, or of the one before. */
  id: string;
  /** Whether the owner itself is meant, if it is still there. */
  included: boolean;
  /** Only owners of this organization. */
  organizationId?: string | undefined;
}

const nil = '00000000-0000-0000-0000-000000000000';

const isAfter = (column: string, { id, included }: Place) =>
  included
    ? sql<boolean>`${sql.ref(column)} >= ${id || nil}::uuid`
    : sql<boolean>`${sql.ref(column)} > ${id || nil}::uuid`;

/** The first pipeline from a place on whose policy lets something go; null after the last. */
export async function nextPipeline({ db, retention = {} }: Installation, from: Place): Promise<AgingPipeline | null> {
  let place = from;
  for (;;) {
    const rows = await db
      .selectFrom('pipelines as p')
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .select(['p.id', 'p.slug', 'p.organizationId', 'p.defaultBranch', 'p.retention'])
      .select(['o.slug as organization', 'o.retention as ofOrganization', 'o.buildExport'])
      .where(isAfter('p.id', place))
      .$if(place.organizationId !== undefined, (query) =>
        query.where('p.organizationId', '=', place.organizationId ?? ''),
      )
      .orderBy('p.id')
      .limit(pipelinesAtOnce)
      .execute();
    for (const { retention: own, ofOrganization, buildExport, ...pipeline } of rows) {
      const policy = resolvePolicy(parsed<PipelineRetention>(own), parsed(ofOrganization), retention);
      if (!deletesNothing(policy)) return { ...pipeline, policy, buildExport: parsed<BuildExport>(buildExport) };
    }
    const last = rows.at(-1);
    if (!last || rows.length < pipelinesAtOnce) return null;
    place = { ...from, id: last.id, included: false };
  }
}

/** A suite whose runs go with time. */
export interface AgingSuite {
  id: string;
  slug: string;
  organization: string;
  days: number;
}

/** The first suite from a place on whose runs go with time; null after the last. */
export async function nextSuite({ db, retention = {} }: Installation, from: Place): Promise<AgingSuite | null> {
  let place = from;
  for (;;) {
    const rows = await db
      .selectFrom('suites as s')
      .innerJoin('organizations as o', 'o.id', 's.organizationId')
      .select(['s.id', 's.slug', 'o.slug as organization', 'o.retention'])
      .where(isAfter('s.id', place))
      .$if(place.organizationId !== undefined, (query) =>
        query.where('s.organizationId', '=', place.organizationId ?? ''),
      )
      .orderBy('s.id')
      .limit(pipelinesAtOnce)
      .execute();
    for (const { retention: own, ...suite } of rows) {
      const days = daysOf('runs', parsed<OrganizationRetention>(own), retention);
      if (days !== null) return { ...suite, days };
    }
    const last = rows.at(-1);
    if (!last || rows.length < pipelinesAtOnce) return null;
    place = { ...from, id: last.id, included: false };
  }
}

/** An organization, with the days for which its audit events are kept; null for ever. */
export interface AuditedOrganization {
  id: string;
  slug: string;
  days: number | null;
}

/** The next organization from a place on; null after the last. */
export async function nextOrganization(
  { db, retention = {} }: Installation,
  from: Place,
): Promise<AuditedOrganization | null> {
  const row = await db
    .selectFrom('organizations')
    .select(['id', 'slug', 'retention'])
    .where(isAfter('id', from))
    .$if(from.organizationId !== undefined, (query) => query.where('id', '=', from.organizationId ?? ''))
    .orderBy('id')
    .executeTakeFirst();
  return row ? { id: row.id, slug: row.slug, days: daysOf('audit', parsed(row.retention), retention) } : null;
}

/** A column under another name comes as the driver gives it: as text, or read already. */
function parsed<T extends PipelineRetention | OrganizationRetention | BuildExport>(value: T | string | null): T | null {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value;
}
