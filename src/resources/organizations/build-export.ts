import { isDeepStrictEqual } from 'node:util';
import type { OrganizationSubject } from '../../core/subject.js';
import { type BuildExport, type ExportStrategy } from '../../domain/retention/build-export.js';
import type { OrganizationRow } from '../../entities/database.js';
import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';

/** The setting of an organization as both surfaces show it, with what may be set. */
export interface ShownBuildExport {
  /** Whether the operator has a place for exports. */
  available: boolean;
  enabled: boolean;
  location: string | null;
  strategyId: ExportStrategy | null;
  supportedStrategies: readonly ExportStrategy[];
}

export function shownBuildExport(
  { buildExports }: Pick<Services, 'buildExports'>,
  { buildExport }: Pick<OrganizationRow, 'buildExport'>,
): ShownBuildExport {
  return {
    available: buildExports !== undefined,
    enabled: buildExport !== null,
    location: buildExport?.location ?? null,
    strategyId: buildExport?.strategyId ?? null,
    supportedStrategies: buildExports ? [buildExports.strategyId] : [],
  };
}

/** Sets where builds of an organization are exported to; exports that failed are tried again by the next pass. */
export async function changeBuildExport(
  context: Context,
  before: OrganizationRow,
  buildExport: BuildExport | null,
): Promise<OrganizationSubject> {
  await context.db
    .deleteFrom('build_exports')
    .where('organizationId', '=', before.id)
    .where('exportedAt', 'is', null)
    .execute();
  if (isDeepStrictEqual(before.buildExport, buildExport)) return { organization: before };
  const organization = await context.db
    .updateTable('organizations')
    .set({ buildExport })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  context.record({
    organizationId: organization.id,
    subject: 'organization',
    subjectId: organization.id,
    type: buildExport ? 'organization.set-build-export' : 'organization.delete-build-export',
    data: { strategy_id: buildExport?.strategyId ?? null, location: buildExport?.location ?? null },
  });
  return { organization };
}
