import type { Context } from '../../request/context.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { SuiteRow } from '../../entities/database.js';

/** Records the event of a change of a suite. */
export function recordSuite(
  context: Context,
  suite: Pick<SuiteRow, 'id' | 'organizationId'>,
  change: { type: `suite.${string}`; data?: JsonObject },
): void {
  context.record({ organizationId: suite.organizationId, subject: 'suite', subjectId: suite.id, ...change });
}
