import { sql } from 'kysely';
import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { addSizes, type SizeKind, type Sizes } from '../../domain/retention/sizes.js';
import type { Services } from '../../services/services.js';
import type { Room } from '../../storage/disk-room.js';
import type { OrganizationRow } from '../../entities/database.js';

/** A pipeline or suite with its sizes. */
export interface OwnerSizes {
  id: string;
  slug: string;
  countedAt: Date;
  sizes: Sizes;
}

/** Room on the disk of logs and artifacts, now. */
export interface DiskSpace extends Room {
  /** `DISK_RESERVE`. */
  reserveBytes: number;
}

/** Sizes as the background counted them last. */
export interface OrganizationStorage {
  organization: OrganizationRow;
  /** When the oldest of the figures was counted; null before the first count. */
  countedAt: Date | null;
  /** Sums of everything, by kind. */
  totals: Sizes;
  /** Those with the most bytes, first, at most {@link mostOwners} of each. */
  pipelines: OwnerSizes[];
  suites: OwnerSizes[];
  /** Null where the storage is no disk, or nothing of it is kept free. */
  disk: DiskSpace | null;
}

/** Pipelines and suites that are named; the totals are those of all. */
const mostOwners = 500;

/** Returns how many rows and bytes an organization has, by kind, pipeline and suite, as counted within the last day. */
export const getStorage = defineOperation({
  name: 'organization.storage',
  summary: 'Returns how many rows and bytes an organization has, by kind and pipeline.',
  kind: 'query',
  scope: 'read_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async ({ db, services }, _input, { organization }: OrganizationSubject): Promise<OrganizationStorage> => {
    const { id } = organization;
    const { rows: sums } = await sql<{ kind: SizeKind; rows: number; bytes: number; countedAt: Date }>`
      select s.kind, sum(s.rows)::float8 as rows, sum(s.bytes)::float8 as bytes, min(s.counted_at) as counted_at
      from storage_sizes s
      left join pipelines p on p.id = s.owner_id left join suites u on u.id = s.owner_id
      where s.organization_id = ${id} and (p.id is not null or u.id is not null or s.kind = 'audit')
      group by s.kind order by s.kind`.execute(db);
    const owners = async (table: 'pipelines' | 'suites'): Promise<OwnerSizes[]> => {
      const { rows } = await sql<{ id: string; slug: string; countedAt: Date; sizes: Sizes }>`
        select o.id, o.slug, min(s.counted_at) as counted_at,
          jsonb_object_agg(s.kind, jsonb_build_object('rows', s.rows, 'bytes', s.bytes)) as sizes
        from storage_sizes s join ${sql.table(table)} o on o.id = s.owner_id
        where s.organization_id = ${id} group by o.id, o.slug
        order by sum(s.bytes) desc, o.id limit ${mostOwners}`.execute(db);
      return rows.map((row) => ({
        ...row,
        sizes: addSizes(parsed(row.sizes), {}),
        countedAt: new Date(row.countedAt),
      }));
    };
    const counted = sums.map(({ countedAt }) => new Date(countedAt).getTime());
    return {
      organization,
      countedAt: counted.length > 0 ? new Date(Math.min(...counted)) : null,
      totals: Object.fromEntries(sums.map(({ kind, rows, bytes }) => [kind, { rows, bytes }])),
      pipelines: await owners('pipelines'),
      suites: await owners('suites'),
      disk: await diskOf(services),
    };
  },
});

async function diskOf({ diskRoom }: Pick<Services, 'diskRoom'>): Promise<DiskSpace | null> {
  const room = (await diskRoom?.look()) ?? null;
  return room && diskRoom ? { ...room, reserveBytes: diskRoom.reserveBytes } : null;
}

/** An expression of the database comes as the driver gives it: as text, or read already. */
const parsed = (sizes: Sizes | string): Sizes => (typeof sizes === 'string' ? (JSON.parse(sizes) as Sizes) : sizes);
