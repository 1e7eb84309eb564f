import { inTransaction } from '../../../database/transaction.js';
import { addGone, type Gone, nextStage, type PassProgress, type PassStage } from '../../../domain/retention/pass.js';
import { type BuildKind, buildKinds } from '../../../domain/retention/policy.js';
import type { Services } from '../../../services/services.js';
import { type DeletedRows, deleteMeasured, deleteSome, type DoomedRows } from '../../deletions/delete-some.js';
import { ofRuns } from '../../deletions/purge-suite.js';
import type { Pace } from '../../pace.js';
import { ExportingPage } from '../exports/exporting-page.js';
import { deleteDue } from './delete-due.js';
import { pageOfDueBuilds, type SizedBuild } from './due-builds.js';
import { deleteLeftovers } from './leftovers.js';
import {
  agentsAfter,
  emptyGroups,
  failedMessages,
  goneAgents,
  groupsAfter,
  oldAuditEvents,
  oldBefore,
  oldRuns,
} from './old-rows.js';
import type { Pass } from './pass-state.js';
import { nextOrganization, nextPipeline, nextSuite, type Place } from './policies.js';

/** Rows of a build, and of each of its jobs, that a batch reckons with. */
const rowsOfBuild = 10;
const rowsOfJob = 12;
const mostBuilds = 100;
const leftoversAtOnce = 50;
const mostRuns = 50;
const lookedAt = 500;

/** Does the next part of a pass; returns how far it has come. */
export async function step(pass: Pass): Promise<PassProgress> {
  return stages[pass.progress.stage](pass);
}

const stages: Record<PassStage, (pass: Pass) => Promise<PassProgress>> = {
  leftovers: async (pass) => {
    const { services, progress, pace } = pass;
    // Those that this pass leaves it deletes itself: their notes are younger.
    const left = await services.db
      .selectFrom('retention_leftovers')
      .select(['buildId', 'kind', 'organizationId'])
      .orderBy('createdAt')
      .limit(leftoversAtOnce)
      .execute();
    if (left.length === 0) return nextStage(progress);
    const deleted = await pace.timed(() => deleteLeftovers(services, left, pace.rows));
    await pace.rest(pass.signal);
    return note(progress, { ...ofNobody('logs'), items: 0, ...measured(deleted) });
  },

  builds: async (pass) => {
    const { services, progress, pace } = pass;
    const pipeline = await nextPipeline(services, placeOf(progress));
    if (!pipeline) return nextStage(progress);
    const isSame = pipeline.id === progress.cursor && progress.within !== null;
    const oldest = isSame ? { ...progress.oldest } : {};
    const after = isSame ? Number(progress.within) : 0;
    const now = services.clock.now();
    const page = await pace.measure(() => pageOfDueBuilds(services.db, pipeline, after, oldest, now));
    await pace.rest(pass.signal);
    let next: PassProgress = { ...progress, cursor: pipeline.id, within: String(after), oldest };
    const { organization, slug: owner } = pipeline;
    const exporting = await ExportingPage.of(pass, pipeline, page.due);
    for (const kind of buildKinds) {
      const left = page.due.filter(({ id, kinds }) => kinds.includes(kind) && !exporting.isHeld(id));
      while (left.length > 0) {
        const some = batchOf(left, pace.rows);
        const basis = { pipeline, oldest };
        const { ids, exported } = await exporting.before(kind, some);
        let isEnded = true;
        if (ids.length > 0) {
          const batch = await pace.timed(() => deleteDue(services, kind, basis, ids, mostRowsOf(kind, pace), exported));
          const counted = exported ? { exports: batch.items } : {};
          next = note(next, { kind, organization, owner, items: batch.items, ...measured(batch), ...counted });
          isEnded = batch.ended;
        }
        if (isEnded) left.splice(0, some.length);
        if (exporting.isOut) next = { ...next, exportsAreOut: true };
        await pace.rest(pass.signal);
        // What is gone is not found again, so the page may be begun anew.
        if (pass.isOver()) return next;
      }
    }
    const { holds } = exporting;
    if (holds > 0) next = note(next, { kind: 'builds', organization, owner, items: 0, rows: 0, bytes: 0, holds });
    return page.last === null ? { ...next, within: null, oldest: {} } : { ...next, within: String(page.last) };
  },

  runs: async (pass) => {
    const { services, progress, pace } = pass;
    const suite = await nextSuite(services, placeOf(progress));
    if (!suite) return nextStage(progress);
    const isSame = suite.id === progress.cursor;
    const after = isSame ? progress.within || null : null;
    const before = oldBefore(services.clock.now(), suite.days);
    const { ids, last, isOver } = await oldRuns(services.db, suite.id, before, after, mostRuns);
    const { organization, slug: owner } = suite;
    const rows = await pace.timed(() => deleteRuns(services, ids, pace.rows));
    await pace.rest(pass.signal);
    const next = note(progress, { kind: 'runs', organization, owner, items: ids.length, rows, bytes: 0 });
    return { ...next, cursor: suite.id, within: isOver ? null : last };
  },

  audit: async (pass) => {
    const { services, progress } = pass;
    // Events of no organization come first, at a cursor of their own.
    const isFirst = progress.cursor === '' && progress.within === null;
    const place = progress.cursor === '' ? { id: '', included: false } : placeOf(progress);
    const organization = isFirst ? null : await nextOrganization(services, place);
    if (!isFirst && !organization) return nextStage(progress);
    const days = isFirst ? (services.retention?.audit ?? null) : (organization?.days ?? null);
    const cursor = organization?.id ?? '';
    const ended = { ...progress, cursor, within: isFirst ? 'organizations' : null };
    if (days === null) return ended;
    const doomed = oldAuditEvents(organization?.id ?? null, oldBefore(services.clock.now(), days));
    const gone = { ...ofNobody('audit'), organization: organization?.slug ?? null };
    const { progress: next, isMore } = await deleteOld(pass, gone, doomed);
    if (!isMore) return { ...ended, gone: next.gone };
    return isFirst ? next : { ...next, cursor, within: 'more' };
  },

  agents: async (pass) => {
    const { services, progress } = pass;
    const days = services.retention?.agents;
    if (days === undefined) return nextStage(progress);
    const before = oldBefore(services.clock.now(), days);
    const { gone, last, isOver } = await agentsAfter(services.db, progress.within, before, lookedAt);
    const { progress: next } = await deleteOld(pass, ofNobody('agents'), goneAgents(gone, before), gone.length);
    return isOver ? nextStage(next) : { ...next, within: last };
  },

  groups: async (pass) => {
    const { services, progress } = pass;
    const { empty, last, isOver } = await groupsAfter(services.db, progress.within, lookedAt);
    const { progress: next } = await deleteOld(pass, ofNobody('groups'), emptyGroups(empty), empty.length);
    return isOver ? nextStage(next) : { ...next, within: last };
  },

  messages: async (pass) => {
    const doomed = failedMessages(pass.services.clock.now());
    const { progress: next, isMore } = await deleteOld(pass, ofNobody('messages'), doomed);
    return isMore ? next : nextStage(next);
  },

  sizes: async ({ progress }) => nextStage(progress),

  ended: async ({ progress }) => progress,
};

/** The owner that is worked on, or the one after the last. */
const placeOf = ({ cursor, within }: PassProgress): Place => ({ id: cursor, included: within !== null });

const ofNobody = (kind: Gone['kind']) => ({ kind, organization: null, owner: null });
const measured = ({ rows, bytes }: DeletedRows): DeletedRows => ({ rows, bytes });
const note = (progress: PassProgress, gone: Gone): PassProgress => ({
  ...progress,
  gone: addGone(progress.gone, gone),
});

/** A build is best taken whole: only one that is larger than anybody sees is taken in parts. */
const mostRowsOf = (kind: BuildKind, pace: Pace) => (kind === 'builds' ? pace.rows * 4 : pace.rows);

/** The ids of the first builds that have about so many rows; one at least. */
function batchOf(builds: readonly SizedBuild[], most: number): string[] {
  let rows = 0;
  const fitting = builds.slice(0, mostBuilds).filter(({ jobs }, index) => {
    rows += rowsOfBuild + jobs * rowsOfJob;
    return index === 0 || rows <= most;
  });
  return fitting.map(({ id }) => id);
}

/** Deletes some rows of a table; `isMore` if there may be more of them. */
async function deleteOld(
  { services, pace, progress, signal }: Pass,
  gone: Pick<Gone, 'kind' | 'organization' | 'owner'>,
  doomed: DoomedRows,
  atMost = Infinity,
): Promise<{ progress: PassProgress; isMore: boolean }> {
  if (atMost === 0) return { progress, isMore: false };
  const most = pace.rows;
  const { rows } = await pace.timed(() =>
    deleteMeasured(services.db, [doomed], Math.max(most, Math.min(atMost, lookedAt))),
  );
  await pace.rest(signal);
  return { progress: note(progress, { ...gone, items: rows, rows, bytes: 0 }), isMore: rows >= most };
}

/** Deletes runs of a suite with what is below them, in transactions of at most `most` rows; returns their number. */
async function deleteRuns({ db }: Services, ids: readonly string[], most: number): Promise<number> {
  for (let rows = 0; ids.length > 0;) {
    const some = await inTransaction(db, 'retention', async (trx) => {
      await trx.selectFrom('suite_runs').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
      const below = await deleteSome(trx, ofRuns(ids), most);
      if (below >= most) return { rows: below, ended: false };
      const { numDeletedRows } = await trx.deleteFrom('suite_runs').where('id', 'in', ids).executeTakeFirstOrThrow();
      return { rows: below + Number(numDeletedRows), ended: true };
    });
    rows += some.rows;
    if (some.ended) return rows;
  }
  return 0;
}
