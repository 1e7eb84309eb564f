import { createHash } from 'node:crypto';
import { limits } from '../../../src/domain/limits/limits.js';
import { isTerminal } from '../../../src/domain/builds/job-state.js';
import type { Row } from '../../../src/entities/database.js';
import { runChecks } from '../../../src/resources/installation/check/run-checks.js';
import { logStore, logView } from '../../../src/resources/builds/logs/log-store.js';
import { readNextEvents } from '../../../src/event-stream/read-events.js';
import { renderLog } from '../../../src/storage/logs/forms.js';
import { readLog } from '../../../src/storage/logs/read-log.js';
import type { Services } from '../../../src/services/services.js';
import { sweepWholeStorage } from '../../support/sweep-storage.js';
import type { BuildFacts } from './facts.js';
import type { SentChunk, UserCall } from './ledger.js';
import type { Surroundings } from '../surroundings.js';

/** What the database and the storage say against what was answered outside; empty where all is well. */
export async function brokenWord(around: Surroundings, facts: readonly BuildFacts[]): Promise<string[]> {
  const { ledger } = around;
  return [
    ...ledger.complaints,
    ...sharedAttempts(ledger.owners),
    ...wrongBuilds(ledger.calls, facts),
    ...lostReports(around, facts),
    ...(await wrongUploads(around, facts)),
    ...(await wrongAudit(around)),
    ...(await wrongAnnotations(around)),
    ...(await wrongLogs(around, facts)),
    ...(await wrongObjects(around)),
    ...(await wrongDeliveries(around)),
    ...(await findings(around)),
  ];
}

/** What the product's own check says of it, which has rules of its own for most of the above. */
async function findings({ world }: Surroundings): Promise<string[]> {
  const lines: string[] = [];
  for await (const { promise, subject, is, expected } of runChecks(world.services, { repairs: false }))
    lines.push(`check: ${promise} ${subject}: is ${is}; should be ${expected}`);
  return lines;
}

/** I1. */
function sharedAttempts(owners: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...owners].flatMap(([attempt, agents]) =>
    agents.size > 1 ? [`I1 attempt ${attempt} has the owners ${[...agents].join(' and ')}`] : [],
  );
}

/** How often the effect of a call may be there. */
function expected({ outcome }: UserCall): readonly number[] {
  if (outcome === 'unknown') return [0, 1];
  return outcome === 'done' ? [1] : [0];
}

/** I2 and I11: what was acknowledged is there once, what was refused is not. */
function wrongBuilds(calls: readonly UserCall[], facts: readonly BuildFacts[]): string[] {
  const builds = facts.map(({ build }) => build);
  return calls.flatMap((call) => {
    const wrong: string[] = [];
    if (call.operation === 'build.create') {
      const made = builds.filter(
        ({ message, source, rebuiltFromId }) => message === call.text && source === 'api' && rebuiltFromId === null,
      );
      if (!expected(call).includes(made.length))
        wrong.push(`I2 ${call.outcome} build.create under ${call.key} made ${made.length} builds`);
    }
    if (
      call.outcome === 'done' &&
      (call.operation === 'build.create' || call.operation === 'build.rebuild') &&
      !builds.some(({ id }) => id === call.resultId)
    ) {
      wrong.push(`I2 ${call.operation} answered with build ${call.resultId}, which is not there`);
    }
    return wrong;
  });
}

/** I2 and I11: an acknowledged upload is there, and its steps once; a later upload may have replaced some of them. */
async function wrongUploads({ world, ledger }: Surroundings, facts: readonly BuildFacts[]): Promise<string[]> {
  const builds = facts.map(({ build }) => build.id);
  if (builds.length === 0) return [];
  const rows = await world.services.db.selectFrom('step_uploads').selectAll().where('buildId', 'in', builds).execute();
  const answers = ledger.uploads.flatMap(({ job, uuid, state }) =>
    rows.some((row) => row.jobId === job && row.uuid === uuid && row.state === state)
      ? []
      : [`I2 upload ${uuid} of job ${job} was ${state} and is not so`],
  );
  const counts = facts.flatMap(({ build, steps }) => {
    const applied = rows.filter(({ buildId, state }) => buildId === build.id && state === 'applied');
    const uploaded = steps.filter(({ uploadedByJobId }) => uploadedByJobId !== null).length;
    const most = applied.reduce((sum, { stepsCount }) => sum + stepsCount, 0);
    const positions = new Set(steps.map(({ position }) => position)).size;
    return [
      ...(uploaded > most || (uploaded < most && !applied.some(({ replace }) => replace))
        ? [`I2 build ${build.id} has ${uploaded} uploaded steps of ${most}`]
        : []),
      ...(applied.length === build.uploadCount ? [] : [`I10 build ${build.id} counts ${build.uploadCount} uploads`]),
      ...(positions === steps.length ? [] : [`build ${build.id} has two steps at one position`]),
    ];
  });
  return [...answers, ...counts];
}

/** I2: an acknowledged start or end is what the job says for ever. */
function lostReports({ ledger }: Surroundings, facts: readonly BuildFacts[]): string[] {
  const jobs = new Map(facts.flatMap((each) => each.jobs).map((job) => [job.id, job]));
  return ledger.reports.flatMap(({ job: id, attempt, exitStatus }) => {
    const job = jobs.get(id);
    if (!job || job.attempt !== attempt)
      return [`I2 attempt ${attempt} of job ${id} was reported with success, the job is at ${job?.attempt}`];
    // A job may end without a start: one that was canceled while its agent had only accepted it.
    if (exitStatus === null) return job.startedAt ? [] : [`I2 job ${id} was started with success and has not started`];
    return isTerminal(job.state) && job.exitStatus === exitStatus
      ? []
      : [`I2 job ${id} was finished with ${exitStatus} and is ${job.state} with ${job.exitStatus}`];
  });
}

/** I18, and I11 for commands that leave nothing else behind. */
async function wrongAudit({ world, ledger }: Surroundings): Promise<string[]> {
  const rows = await world.services.db.selectFrom('audit_events').select(['requestId', 'operation']).execute();
  const known = new Set(ledger.calls.flatMap(({ requestIds }) => requestIds));
  const strangers = rows.filter(({ requestId }) => requestId?.startsWith('simulation-') && !known.has(requestId));
  return [
    ...strangers.map(({ operation }) => `I18 ${operation} has an audit row of nobody's`),
    ...ledger.calls.flatMap((call) => {
      const count = rows.filter(
        ({ requestId, operation }) =>
          operation === call.operation && requestId !== null && call.requestIds.includes(requestId),
      ).length;
      return expected(call).includes(count)
        ? []
        : [`I18 ${call.outcome} ${call.operation} under ${call.key} has ${count} audit rows`];
    }),
  ];
}

/** I15, and that what was added to an annotation is in it once (I11). */
async function wrongAnnotations({ world, ledger }: Surroundings): Promise<string[]> {
  const rows = await world.services.db
    .selectFrom('annotations')
    .select(['id', 'buildId', 'jobId', 'context', 'body'])
    .execute();
  const places = rows.map(({ buildId, jobId, context }) => `${jobId ?? buildId} ${context}`);
  const doubled = places.filter((place, index) => places.indexOf(place) !== index);
  return [
    ...doubled.map((place) => `I15 two annotations of ${place}`),
    ...ledger.calls.flatMap((call) => {
      if (call.operation !== 'annotation.create' || call.text === null) return [];
      const { text } = call;
      const count = rows.reduce((sum, { body }) => sum + body.split(text).length - 1, 0);
      return expected(call).includes(count)
        ? []
        : [`I11 what ${call.outcome} annotation.create under ${call.key} adds is there ${count} times`];
    }),
  ];
}

/** I7: the log holds every acknowledged chunk once, in order, and nothing that was not sent; sizes agree (I12). */
async function wrongLogs(around: Surroundings, facts: readonly BuildFacts[]): Promise<string[]> {
  const { services } = around.world;
  const wrong: string[] = [];
  for (const job of facts.flatMap((each) => each.jobs)) {
    const sent = around.ledger.chunks.get(job.id);
    if (!sent) continue;
    const store = logStore(services, job.organizationId);
    const parts: Uint8Array[] = [];
    for await (const part of readLog(store, logView(job))) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    // A running job's log ends at its first gap, whatever lies behind it.
    const finished = isTerminal(job.state);
    const inLog = sent.filter((chunk) => text.includes(chunk.text));
    if (inLog.map((chunk) => chunk.text).join('') !== text)
      wrong.push(`I7 the log of job ${job.id} is ${JSON.stringify(text)}`);
    for (const chunk of sent)
      if (finished && chunk.acknowledged && !inLog.includes(chunk))
        wrong.push(`I7 chunk ${chunk.sequence} of job ${job.id} was acknowledged and is missing`);
    if (!finished) continue;
    if (job.logSize !== text.length)
      wrong.push(`I7 the log of job ${job.id} has ${text.length} bytes, the job says ${job.logSize}`);
    wrong.push(...(await wrongHtml(services, job.id, text, inLog)));
  }
  return wrong;
}

async function wrongHtml(
  { workers }: Services,
  job: string,
  text: string,
  chunks: readonly SentChunk[],
): Promise<string[]> {
  let html = '';
  for await (const part of renderLog<Uint8Array>([Buffer.from(text)], (state, bytes) =>
    workers.run('log.render', 'simulation', { state, bytes }),
  ))
    html += part;
  return chunks.flatMap((chunk) =>
    html.split(chunk.text.trimEnd()).length >= 2 ? [] : [`I7 the HTML of job ${job} lacks chunk ${chunk.sequence}`],
  );
}

/** I19: rows and objects belong together. What a crash left is moved aside by the product's own sweep, days later. */
async function wrongObjects({ world, storage, seed }: Surroundings): Promise<string[]> {
  const { services, clock } = world;
  clock.advance((limits.orphanDays + 1) * 86_400);
  await sweepWholeStorage(services);
  const rows = await services.db.selectFrom('log_chunks').select(['jobId', 'storedKey', 'size']).execute();
  const usage = await services.db.selectFrom('log_usage').select(['jobId', 'entries', 'bytes']).execute();
  const keys = new Set(rows.map(({ storedKey }) => storedKey));
  return [
    ...rows
      .filter(({ storedKey }) => !storage.objects.has(storedKey))
      .map(({ storedKey }) => `I19 ${storedKey} has a row and no bytes`),
    ...[...storage.objects.keys()]
      .filter((key) => key.startsWith('organizations/') && !keys.has(key))
      .map((key) => `I19 ${key} has bytes and no row (seed ${seed})`),
    ...usage.flatMap(({ jobId, entries, bytes }) => {
      const own = rows.filter((row) => row.jobId === jobId);
      const sum = own.reduce((total, { size }) => total + size, 0);
      return own.length === entries && sum === bytes
        ? []
        : [`I12 the log of job ${jobId} has ${own.length} entries of ${sum} bytes, counted ${entries} of ${bytes}`];
    }),
  ];
}

/** I10: what a receiver is to be told of, it was told of, of each thing in order. */
async function wrongDeliveries({ world, receiver }: Surroundings): Promise<string[]> {
  const deliveries = await world.services.db
    .selectFrom('notification_deliveries')
    .selectAll()
    .orderBy('sequence')
    .orderBy('id')
    .execute();
  const firstAt = new Map<string, number>();
  receiver.received.forEach((id, index) => firstAt.has(id) || firstAt.set(id, index));
  const last = new Map<string, number>();
  return deliveries.flatMap((delivery) => {
    const at = firstAt.get(delivery.id);
    if (delivery.state === 'delivered' && at === undefined)
      return [`I10 delivery ${delivery.id} counts as delivered and never came`];
    if (at === undefined) return [];
    const thing = `${delivery.receiver} ${delivery.orderKey}`;
    const before = last.get(thing) ?? -1;
    last.set(thing, at);
    return at > before ? [] : [`I10 delivery ${delivery.id} came before its forerunner`];
  });
}

/** Once all is over, nothing waits to be told. */
export async function untold({ world }: Surroundings, facts: readonly BuildFacts[]): Promise<string[]> {
  const { db } = world.services;
  const forgottenBefore = world.clock.now().getTime() - (limits.deliveriesKeptDays - 1) * 86_400_000;
  const waiting = await db
    .selectFrom('notification_deliveries')
    .select(['id', 'state', 'lastError'])
    .where('state', '<>', 'delivered')
    .execute();
  const messages = await db.selectFrom('outbox_messages').select(['topic', 'lastError']).execute();
  const told = await db
    .selectFrom('notifications')
    .select(['buildId', 'event'])
    .where('event', '=', 'build.finished')
    .execute();
  // Notifications of a build are deleted after some days.
  const recent = facts.filter(({ events }) => events.every(({ createdAt }) => createdAt.getTime() > forgottenBefore));
  const ends = recent.map(({ build, events }) => ({
    id: build.id,
    count: events.filter((event) => event.subject === 'build' && event.fromState !== event.toState && isEnd(event))
      .length,
  }));
  return [
    ...waiting.map(({ id, state, lastError }) => `I10 delivery ${id} is ${state}: ${lastError}`),
    ...messages.map(({ topic, lastError }) => `I6 a message ${topic} was not delivered: ${lastError}`),
    ...ends.flatMap(({ id, count }) => {
      const notified = told.filter(({ buildId }) => buildId === id).length;
      return notified === count
        ? []
        : [`I10 build ${id} ended ${count} times and build.finished was told ${notified} times`];
    }),
  ];
}

/** A build that blocks is told as finished. */
const isEnd = ({ toState }: Row<'events'>) => ['blocked', 'passed', 'failed', 'canceled'].includes(toState ?? '');

/** Follows all events from one position to the next, as the feed of a server does. */
export class EventFollower {
  private at = 0;
  private readonly seen: string[] = [];
  private reading: Promise<unknown> = Promise.resolve();

  constructor(private readonly around: Surroundings) {}

  /** One reading after the other, as a feed does: two from the same position would see the same events. */
  readOn(limit: number): Promise<number> {
    const read = this.reading.then(() => this.read(limit));
    this.reading = read.catch(() => undefined);
    return read;
  }

  private async read(limit: number): Promise<number> {
    const events = await readNextEvents(this.around.world.services.db, this.at, limit);
    for (const { id, position } of events) {
      this.seen.push(id);
      this.at = position;
    }
    return events.length;
  }

  /** I13: what was followed is what there is, once and in order. */
  async gaps(): Promise<string[]> {
    while ((await this.readOn(500)) > 0);
    const all = await this.around.world.services.db
      .selectFrom('events')
      .select(['id', 'position', 'buildId', 'sequence'])
      .orderBy('position')
      .execute();
    const wrong: string[] = [];
    if (all.some(({ position }) => position === null)) wrong.push('I13 an event has no place in the order');
    if (digest(all.map(({ id }) => id)) !== digest(this.seen))
      wrong.push(`I13 followed ${this.seen.length} events of ${all.length}`);
    const last = new Map<string, number>();
    for (const { buildId, sequence } of all) {
      if (buildId === null) continue;
      if (sequence <= (last.get(buildId) ?? 0))
        wrong.push(`I13 event ${sequence} of build ${buildId} stands behind ${last.get(buildId)}`);
      last.set(buildId, sequence);
    }
    return wrong;
  }
}

const digest = (ids: readonly string[]) => createHash('sha256').update(ids.join()).digest('hex');
