import { auditEvents } from './audit-rows.js';
import { buildChecks } from './builds/build-checks.js';
import type { Check } from './check.js';
import { concurrencyGroups } from './concurrency-groups.js';
import { doubledRows } from './doubled-rows.js';
import { effects, purges, streamPositions } from './event-checks.js';
import { logSizes } from './log-checks.js';
import { digestsOfObjects, objectsOfRows, objectsWithoutRows } from './object-checks.js';
import { pipelineCounts, pipelineNumbers } from './pipeline-checks.js';
import { danglingReferences } from './reference-check.js';
import { sealedValuesOpen } from './sealed-values.js';
import { suiteRuns } from './suite-runs.js';

/**
 * Everything that is checked, in this order: what belongs to nothing is taken away before the rest is counted, and
 * bytes are read last, since that takes longest.
 */
export const checks: readonly Check[] = [
  doubledRows,
  danglingReferences,
  streamPositions,
  pipelineNumbers,
  buildChecks,
  pipelineCounts,
  concurrencyGroups,
  logSizes,
  suiteRuns,
  effects,
  purges,
  auditEvents,
  sealedValuesOpen,
  ...objectsOfRows,
  objectsWithoutRows,
  ...digestsOfObjects,
];

/** The checks that read the bytes of logs and artifacts. */
export const readingChecks: readonly string[] = digestsOfObjects.map(({ name }) => name);
