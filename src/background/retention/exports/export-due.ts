import { deliverabilityTest, isSamePlace } from '../../../domain/retention/build-export.js';
import { limits } from '../../../domain/limits/limits.js';
import type { BuildExportPlace, Services } from '../../../services/services.js';
import { probeStorage } from '../../../storage/probe.js';
import type { Pass } from '../pass/pass-state.js';
import type { AgingPipeline } from '../pass/policies.js';
import { exportBuild } from './export-build.js';
import { knownExports, noteFailure } from './export-rows.js';

const answersWithinMs = 10_000;
const renewEveryMs = 5_000;
/** Characters of a reason that is kept. */
const reasonLength = 500;

/** What a turn of exports came to. */
export interface ExportTurn {
  /** Builds that are exported, each with the number of its last event before that: what came later is not in it. */
  exported: ReadonlyMap<string, number>;
  failed: readonly string[];
  /** Whether nothing can be exported at present: no build of the rest of the pass is tried. */
  isOut: boolean;
}

/**
 * Exports builds that are about to be deleted, one after the other, until the pass `isOver`. One that fails is noted,
 * unless it is the place that takes nothing at present.
 */
export async function exportDue(
  services: Services,
  pipeline: AgingPipeline,
  ids: readonly string[],
  pass: Pick<Pass, 'isOver' | 'renew' | 'signal'>,
): Promise<ExportTurn> {
  const exported = new Map<string, number>();
  const failed: string[] = [];
  const { organization, slug } = pipeline;
  const out = (reason: string): ExportTurn => {
    services.log.warn(
      { organization, pipeline: slug, reason },
      'builds cannot be exported at present, so retention deletes none that are to be exported first',
    );
    return { exported, failed, isOut: true };
  };
  const place = placeOf(services, pipeline);
  if (typeof place === 'string') return out(place);
  const known = await knownExports(services, ids);
  const renewal = setInterval(() => void pass.renew().catch(() => undefined), renewEveryMs);
  try {
    for (const id of ids) {
      if (exported.size + failed.length > 0 && pass.isOver()) break;
      const build = await services.db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirst();
      if (!build) continue;
      const reason = known.exported.has(id)
        ? null
        : await failureOf(pass.signal, (signal) => exportBuild(services, place, build, signal));
      if (reason === null) {
        exported.set(id, build.eventSequence);
        continue;
      }
      if (pass.signal?.aborted) break;
      const health = await probeStorage(place.storage, answersWithinMs, deliverabilityTest(pipeline.organizationId));
      if (!health.usable) return out(health.reason);
      failed.push(id);
      const { attempts, isLast } = await noteFailure(services, build, reason);
      services.log[isLast ? 'error' : 'warn'](
        { organization, pipeline: slug, build: build.number, attempts, reason },
        isLast
          ? 'a build could not be exported and stays: slipway retention run tries again'
          : 'a build could not be exported and stays for now',
      );
    }
  } finally {
    clearInterval(renewal);
  }
  return { exported, failed, isOut: false };
}

/** Where a pipeline's builds go; else why they cannot. */
function placeOf(
  { buildExports }: Pick<Services, 'buildExports'>,
  { buildExport }: AgingPipeline,
): BuildExportPlace | string {
  if (!buildExports) return 'BUILD_EXPORT_TO is not set';
  if (buildExport && isSamePlace(buildExports, buildExport)) return buildExports;
  return `the organization exports to ${buildExport?.location ?? 'nowhere'}, which is not where BUILD_EXPORT_TO leads`;
}

/** Does work within its time; returns why it failed, null if it did not. */
async function failureOf(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<string | null> {
  const late = AbortSignal.timeout(limits.exportMinutes * 60_000);
  const either = signal ? AbortSignal.any([signal, late]) : late;
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error(`it was not done within ${limits.exportMinutes} minutes`));
    either.addEventListener('abort', stop, { once: true });
  });
  stopped.catch(() => undefined);
  try {
    await Promise.race([work(either), stopped]);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, reasonLength);
  }
}
