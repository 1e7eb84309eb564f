import { createHash } from 'node:crypto';
import {
  annotationsPerRequest,
  type CheckAnnotation,
  checkState,
  type SentCheck,
  type WantedCheck,
} from '../../../domain/integrations/check-run.js';
import type { ProviderRateLimit } from '../../../domain/integrations/provider-refusal.js';
import {
  type CheckRun,
  type CommitStatus,
  ProviderRefusal,
  type SourceProvider,
} from '../../../services/source-providers.js';
import type { StatusRow } from './take-statuses.js';

const digestOf = (annotations: readonly CheckAnnotation[]) =>
  createHash('sha256')
    .update(JSON.stringify(annotations.map(inOrder)))
    .digest('hex');

/** Its members in one order: the database has an order of its own. */
const inOrder = (annotation: CheckAnnotation) => Object.entries(annotation).sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * The check run that is changed; null where GitHub needs a new one. It adds to annotations and takes none back, and a
 * run that is completed stays so: a run with the same name takes the place of the one before.
 */
function present(sent: SentCheck | null, target: WantedCheck, isCompleted: boolean): SentCheck | null {
  if (!sent || (sent.completed && !isCompleted)) return null;
  return digestOf(target.annotations.slice(0, sent.annotations)) === sent.digest ? sent : null;
}

/**
 * Creates or changes the check run of a build or step, with its annotations in as many requests as they need. What
 * GitHub has is noted on the row after each, so that an attempt after a refusal goes on where this one ended.
 */
export async function publishCheck(
  provider: SourceProvider,
  { repository, commit, outcome, targetUrl, linked }: CommitStatus,
  row: StatusRow,
  target: WantedCheck,
): Promise<{ rateLimit: ProviderRateLimit | null }> {
  const { checks } = provider;
  if (!checks)
    throw new ProviderRefusal('a check run needs a GitHub App', { kind: 'final', status: null, waitMs: null });
  const completed = checkState(outcome).status === 'completed';
  let sent = present(row.checkRun, target, completed);
  for (;;) {
    const from: number = sent?.annotations ?? 0;
    const annotations = target.annotations.slice(from, from + annotationsPerRequest);
    const run: CheckRun = { ...target, repository, commit, outcome, targetUrl, linked, annotations };
    let answer: { id: string; rateLimit: ProviderRateLimit | null };
    try {
      answer = await checks.publish(run, sent?.id ?? null);
    } catch (error) {
      // GitHub deletes the oldest of many runs with one name: a new one takes its place.
      if (!sent || !(error instanceof ProviderRefusal) || error.facts.status !== 404) throw error;
      sent = null;
      continue;
    }
    const { id, rateLimit } = answer;
    const count = from + annotations.length;
    sent = { id, annotations: count, digest: digestOf(target.annotations.slice(0, count)), completed };
    row.checkRun = sent;
    if (count >= target.annotations.length) return { rateLimit };
  }
}
