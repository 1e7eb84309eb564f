import type { Services } from '../../../services/services.js';
import { isSamePlace } from '../../../domain/retention/build-export.js';
import { addGone, type Gone } from '../../../domain/retention/pass.js';
import { buildKinds } from '../../../domain/retention/policy.js';
import { type DeletedRows, measureRows } from '../../deletions/delete-some.js';
import { ofRuns } from '../../deletions/purge-suite.js';
import { ofBuilds } from '../../deletions/rows-of-builds.js';
import { knownExports } from '../exports/export-rows.js';
import { buildsWith, liveArtifacts, withLogs } from './delete-due.js';
import { type DueBuild, pageOfDueBuilds } from './due-builds.js';
import { rowsOfLiveLogs } from './leftovers.js';
import {
  agentsAfter,
  failedMessages,
  goneAgents,
  groupsAfter,
  oldAuditEvents,
  oldBefore,
  oldRuns,
} from './old-rows.js';
import { type AgingPipeline, nextOrganization, nextPipeline, nextSuite, type Place } from './policies.js';

const buildsAtOnce = 100;
const rowsAtOnce = 500;

/**
 * What a pass would delete now, in rows and bytes by kind and owner; changes nothing. Reads the builds in pages, so
 * that no statement is long.
 *
 * @param organizationId the organization whose policies are meant; without it also what is the installation's
 */
export async function planRetention(services: Services, organizationId?: string): Promise<Gone[]> {
  const builds = await planBuilds(services, organizationId);
  const runs = await planRuns(services, organizationId);
  const audit = await planAudit(services, organizationId);
  const others = organizationId === undefined ? await planInstallation(services) : [];
  return [...builds, ...runs, ...audit, ...others].reduce<Gone[]>(addGone, []);
}

/** Calls `work` for each owner, in the order of ids. */
async function eachOwner<T extends { id: string }>(
  next: (place: Place) => Promise<T | null>,
  organizationId: string | undefined,
  work: (owner: T) => Promise<void>,
): Promise<void> {
  for (let id = ''; ;) {
    const owner = await next({ id, included: false, organizationId });
    if (!owner) return;
    await work(owner);
    id = owner.id;
  }
}

async function planBuilds(services: Services, organizationId: string | undefined): Promise<Gone[]> {
  const { db, clock } = services;
  const gone: Gone[] = [];
  await eachOwner(
    (place) => nextPipeline(services, place),
    organizationId,
    async (pipeline) => {
      const oldest = {};
      for (let after: number | null = 0; after !== null;) {
        const page = await pageOfDueBuilds(db, pipeline, after, oldest, clock.now());
        const { organization, slug: owner } = pipeline;
        const holds = await heldOf(services, pipeline, page.due);
        if (holds.size > 0)
          gone.push({ kind: 'builds', organization, owner, items: 0, rows: 0, bytes: 0, holds: holds.size });
        for (const kind of buildKinds) {
          const ids = page.due.filter(({ id, kinds }) => kinds.includes(kind) && !holds.has(id)).map(({ id }) => id);
          const isExported = kind === 'builds' && pipeline.buildExport !== null;
          for (let start = 0; start < ids.length; start += buildsAtOnce) {
            const some = ids.slice(start, start + buildsAtOnce);
            const exports = isExported ? { exports: some.length } : {};
            gone.push({ kind, organization, owner, ...(await measures[kind](services, some)), ...exports });
          }
        }
        after = page.last;
      }
    },
  );
  return gone;
}

/** Builds that stay because they are to be exported first, which failed before or cannot be done here. */
async function heldOf(
  services: Services,
  pipeline: AgingPipeline,
  due: readonly DueBuild[],
): Promise<ReadonlySet<string>> {
  if (!pipeline.buildExport) return new Set();
  const ids = due.filter(({ kinds }) => kinds.includes('builds')).map(({ id }) => id);
  const hasPlace = services.buildExports !== undefined && isSamePlace(services.buildExports, pipeline.buildExport);
  return hasPlace ? (await knownExports(services, ids)).waiting : new Set(ids);
}

type Measured = DeletedRows & { items: number };

const measures = {
  builds: async ({ db }: Services, ids: readonly string[]): Promise<Measured> => {
    const { rows, bytes } = await measureRows(db, ofBuilds(ids));
    return { items: ids.length, rows: rows + ids.length, bytes };
  },
  logs: async ({ db }: Services, ids: readonly string[]): Promise<Measured> => ({
    items: await withLogs(db, ids),
    ...(await measureRows(db, rowsOfLiveLogs(ids))),
  }),
  artifacts: async ({ db }: Services, ids: readonly string[]): Promise<Measured> => {
    const live = liveArtifacts(ids);
    return { items: await buildsWith(db, live), ...(await measureRows(db, [live])) };
  },
};

async function planRuns(services: Services, organizationId: string | undefined): Promise<Gone[]> {
  const { db, clock } = services;
  const gone: Gone[] = [];
  await eachOwner(
    (place) => nextSuite(services, place),
    organizationId,
    async ({ id, days, organization, slug: owner }) => {
      const before = oldBefore(clock.now(), days);
      for (let after: string | null = null, isOver = false; !isOver;) {
        const page = await oldRuns(db, id, before, after, buildsAtOnce);
        const below = page.ids.length > 0 ? await measureRows(db, ofRuns(page.ids)) : { rows: 0 };
        const items = page.ids.length;
        gone.push({ kind: 'runs', organization, owner, items, rows: below.rows + items, bytes: 0 });
        ({ last: after, isOver } = page);
      }
    },
  );
  return gone;
}

async function planAudit(services: Services, organizationId: string | undefined): Promise<Gone[]> {
  const gone: Gone[] = [];
  const measure = async (id: string | null, organization: string | null, days: number | null) => {
    if (days === null) return;
    const { rows } = await measureRows(services.db, [oldAuditEvents(id, oldBefore(services.clock.now(), days))]);
    gone.push({ kind: 'audit', organization, owner: null, items: rows, rows, bytes: 0 });
  };
  if (organizationId === undefined) await measure(null, null, services.retention?.audit ?? null);
  await eachOwner(
    (place) => nextOrganization(services, place),
    organizationId,
    ({ id, slug, days }) => measure(id, slug, days),
  );
  return gone;
}

async function planInstallation({ db, clock, retention = {} }: Services): Promise<Gone[]> {
  const gone: Gone[] = [];
  const add = (kind: Gone['kind'], rows: number) =>
    gone.push({ kind, organization: null, owner: null, items: rows, rows, bytes: 0 });
  if (retention.agents !== undefined) {
    const before = oldBefore(clock.now(), retention.agents);
    for (let after: string | null = null, isOver = false; !isOver;) {
      const page = await agentsAfter(db, after, before, rowsAtOnce);
      if (page.gone.length > 0) add('agents', (await measureRows(db, [goneAgents(page.gone, before)])).rows);
      ({ last: after, isOver } = page);
    }
  }
  for (let after: string | null = null, isOver = false; !isOver;) {
    const page = await groupsAfter(db, after, rowsAtOnce);
    add('groups', page.empty.length);
    ({ last: after, isOver } = page);
  }
  add('messages', (await measureRows(db, [failedMessages(clock.now())])).rows);
  return gone;
}
