import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { outsideTransaction } from '../../database/transaction.js';
import { forbidden, invalidField } from '../../domain/problem.js';
import { buildExport, deliverabilityTest, isSamePlace } from '../../domain/retention/build-export.js';
import { changeBuildExport } from '../../resources/organizations/build-export.js';
import { probeStorage } from '../../storage/probe.js';

/** Long enough for a bucket far away. */
const answersWithinMs = 3_000;

/**
 * Has builds of an organization exported before retention deletes them, to the place that the operator of the
 * installation has for it. Exports that failed are tried again.
 */
export const setBuildExport = defineOperation({
  name: 'organization.set-build-export',
  summary: 'Has builds of an organization exported before retention deletes them.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: buildExport.extend({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  permit: ({ services }) => {
    if (!services.buildExports)
      throw forbidden('Build exports are not available: the operator of this installation has set no place for them');
  },
  run: async (context, { strategyId, location }, { organization: before }: OrganizationSubject) => {
    const place = context.services.buildExports;
    if (!place || place.strategyId !== strategyId)
      throw invalidField('strategyId', `is not available here: it must be ${place?.strategyId}`);
    if (!isSamePlace(place, { strategyId, location }))
      throw invalidField('location', `is not the place that exports may go to here: it must be ${place.location}`);
    const health = await outsideTransaction(`the probe of the exports of ${before.id}`, () =>
      probeStorage(place.storage, answersWithinMs, deliverabilityTest(before.id)),
    );
    if (!health.usable) {
      context.services.log.warn({ err: health.error, reason: health.reason }, 'builds cannot be exported at present');
      throw invalidField('location', 'cannot be written to and read at present');
    }
    return changeBuildExport(context, before, { strategyId, location });
  },
});
