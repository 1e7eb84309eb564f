import { text as readText } from 'node:stream/consumers';
import { sql } from 'kysely';
import { artifactKey } from '../../src/core/build-folder.js';
import { limits } from '../../src/domain/limits/limits.js';
import type { OpenDatabase } from '../../src/database/open.js';
import type { Db } from '../../src/entities/database.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import { assignPositions } from '../../src/event-stream/assign-positions.js';
import { sharedAttempts } from '../replicas/evidence.js';
import type { AgentWork } from '../replicas/protocol-agent.js';
import { readFacts } from '../simulation/checks/facts.js';
import { sweepWholeStorage } from '../support/sweep-storage.js';
import { silent } from '../support/world.js';
import { violations } from '../simulation/checks/invariants.js';
import { wrongCounts } from '../simulation/checks/wrong-counts.js';
import type { TortureLedger } from './ledger.js';

const buildsAtOnce = 100;

/**
 * The whole database against the promises and against what was acknowledged, once the servers have stopped; empty where
 * all is well.
 */
export async function recountAll(
  { db }: OpenDatabase,
  storage: ObjectStorage,
  ledger: TortureLedger,
  work: AgentWork,
): Promise<string[]> {
  const wrong = sharedAttempts(work).map((token) => `I1 two agents own ${token.slice(0, 50)}`);
  const pipelines = await db.selectFrom('pipelines').select('id').execute();
  const facts = await readFacts(
    db,
    pipelines.map(({ id }) => id),
  );
  for (let start = 0; start < facts.length; start += buildsAtOnce)
    wrong.push(...violations(facts.slice(start, start + buildsAtOnce)));
  const byMessage = new Map<string, typeof facts>();
  for (const each of facts)
    byMessage.set(each.build.message ?? '', [...(byMessage.get(each.build.message ?? '') ?? []), each]);
  for (const { id, number, message } of ledger.builds) {
    const made = byMessage.get(message) ?? [];
    if (made.length !== 1 || made[0]?.build.id !== id || made[0].build.number !== number)
      wrong.push(`I2 I11 build ${number} (${message}) was acknowledged and is there ${made.length} times`);
  }
  for (const message of ledger.refused)
    if (byMessage.has(message)) wrong.push(`I2 a build that was refused is there: ${message}`);
  const numbers = facts.map(({ build }) => `${build.pipelineId} ${build.number}`);
  if (new Set(numbers).size !== numbers.length) wrong.push('I3 a number was given twice');
  for (const { build } of facts)
    if (build.finishedAt === null) wrong.push(`I6 build ${build.number} is ${build.state}`);
  wrong.push(
    ...(await wrongNotes(db, ledger)),
    ...(await wrongTeams(db, ledger)),
    ...(await wrongRows(db)),
    ...(await wrongCounts(db)),
    ...(await wrongObjects(db, storage, work)),
  );
  return wrong;
}

/** I18: one audit row for the creation of each team and one for its deletion. I2: what was deleted is gone. */
async function wrongTeams(db: Db, { teams }: TortureLedger): Promise<string[]> {
  const left = await db.selectFrom('teams').select('name').where('name', 'like', 'writer-%').execute();
  const audits = await db
    .selectFrom('audit_events')
    .select(['operation', 'subjectName'])
    .where('operation', 'in', ['team.create', 'team.delete'])
    .execute();
  const counts = new Map<string, number>();
  for (const { operation, subjectName } of audits) {
    const change = `${operation} of ${subjectName}`;
    counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  const expected = teams.flatMap((name) => [`team.create of ${name}`, `team.delete of ${name}`]);
  return [
    ...left.map(({ name }) => `I2 team ${name} was deleted and is there`),
    ...expected.flatMap((change) =>
      counts.get(change) === 1 ? [] : [`I18 ${change} has ${counts.get(change) ?? 0} audit rows`],
    ),
    ...(counts.size === expected.length
      ? []
      : [`I18 ${counts.size} changes of teams have audit rows, ${expected.length} were made`]),
  ];
}

/**
 * I19, days later: the product's own sweep has moved aside what kills left behind, every object has its row and every
 * row its object. I2: every artifact that was acknowledged is whole.
 */
async function wrongObjects(db: Db, storage: ObjectStorage, { artifacts }: AgentWork): Promise<string[]> {
  const wrong: string[] = [];
  const clock = {
    now: () => new Date(Date.now() + (limits.orphanDays + 1) * 86_400_000),
    monotonic: () => performance.now(),
  };
  const { missing } = await sweepWholeStorage({ db, storage, clock, log: silent });
  for (const [kind, count] of Object.entries(missing))
    if (count > 0) wrong.push(`I19 ${count} rows of ${kind} have no bytes`);
  const chunks = await db.selectFrom('log_chunks').select('storedKey').execute();
  const files = await db.selectFrom('artifacts').selectAll().where('state', 'in', ['new', 'finished']).execute();
  const owned = new Set([...chunks.map(({ storedKey }) => storedKey), ...files.map(artifactKey)]);
  for await (const { key } of storage.list('organizations/'))
    if (!owned.has(key)) wrong.push(`I19 ${key} has bytes and no row`);
  const byId = new Map(files.map((file) => [file.id, file]));
  for (const { id, text } of artifacts) {
    const file = byId.get(id);
    const bytes = file?.state === 'finished' ? await storage.get(artifactKey(file)) : null;
    if (bytes === null || (await readText(bytes)) !== text)
      wrong.push(`I2 artifact ${id} was acknowledged and is ${file?.state ?? 'gone'}`);
  }
  return wrong;
}

async function wrongNotes(db: Db, { notes }: TortureLedger): Promise<string[]> {
  const rows = await db.selectFrom('annotations').select(['buildId', 'body']).execute();
  const bodies = new Map<string, string>();
  for (const { buildId, body } of rows) bodies.set(buildId, (bodies.get(buildId) ?? '') + body);
  return notes.flatMap(({ build, text }) => {
    const count = (bodies.get(build) ?? '').split(text).length - 1;
    return count === 1 ? [] : [`I2 I11 what was added to an annotation of ${build} is there ${count} times: ${text}`];
  });
}

/** Statements that find rows where a promise is broken. */
const questions: Record<string, ReturnType<typeof sql>> = {
  'I10 events of a build are not numbered from one to its counter': sql`
    select b.id from builds b left join events e on e.build_id = b.id group by b.id
    having count(e.id) <> b.event_sequence or max(e.sequence) <> b.event_sequence or count(distinct e.sequence) <> b.event_sequence`,
  'I1 an attempt was assigned or accepted twice, or ended twice': sql`
    select j.id from jobs j join events e on e.job_id = j.id where j.type = 'command' group by j.id
    having count(*) filter (where e.type = 'job.assign') <> j.attempt or count(*) filter (where e.type = 'job.accept') > j.attempt
      or count(*) filter (where e.type in ('job.pass', 'job.fail')) > 1`,
  'I3 the next number of a pipeline was given already': sql`select p.id from pipelines p join builds b on b.pipeline_id = p.id group by p.id having max(b.number) >= p.next_build_number`,
  'I8 a concurrency group is above its limit': sql`
    select concurrency_group from jobs where concurrency_group is not null and state in ('scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out')
    group by organization_id, concurrency_group having count(*) > max(concurrency_limit)`,
  'I12 the size of a log is not that of its chunks': sql`
    select u.job_id from log_usage u join jobs j on j.id = u.job_id left join log_chunks c on c.job_id = u.job_id group by u.job_id, u.bytes, u.entries, j.log_size
    having coalesce(sum(c.size), 0) <> u.bytes or count(c.job_id) <> u.entries or j.log_size <> u.bytes`,
  'I13 two events have one place, or one of a build has it before its forerunner': sql`
    select e.id from events e join events other on other.build_id = e.build_id and other.sequence < e.sequence where other.position >= e.position`,
  'I13 an event has no place': sql`select id from events where position is null`,
  'I14 a job is retried twice': sql`select retry_source_id from jobs where retry_source_id is not null group by retry_source_id having count(*) > 1`,
  'I15 two annotations of one context': sql`select build_id from annotations group by build_id, job_id, context having count(*) > 1`,
  'I18 a build has not one audit row': sql`
    select b.id from builds b left join audit_events a on a.subject_id = b.id and a.operation = 'build.create' where b.source = 'api' group by b.id having count(a.id) <> 1`,
  'I20 a job ended before it began': sql`select id from jobs where finished_at < started_at or started_at < created_at`,
};

async function wrongRows(db: Db): Promise<string[]> {
  while (await assignPositions({ db }));
  const wrong: string[] = [];
  for (const [promise, question] of Object.entries(questions)) {
    const { rows } = await question.execute(db);
    if (rows.length > 0) wrong.push(`${promise}: ${rows.length} times, such as ${JSON.stringify(rows[0])}`);
  }
  return wrong;
}
