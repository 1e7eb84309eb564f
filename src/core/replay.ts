import { standing, type Access } from '../auth/authorize.js';
import type { Context } from '../request/context.js';
import { notFound, Problem } from '../domain/problem.js';
import type { SuiteRow, TeamRow } from '../entities/database.js';
import { visiblePipeline } from './find.js';
import type { Holders } from './idempotency.js';
import { authorizeSubject, type Subject } from './subject.js';
import { findSuite } from './find-suite.js';
import { findTeam } from './find-team.js';

const kinds = ['organization', 'pipeline', 'team', 'suite', 'cluster'] as const satisfies readonly (keyof Holders)[];

/** Ids of the resources that hold a command's output and subject; the output's come first. */
export function holdersOf(things: readonly unknown[]): Holders {
  const holders: Holders = {};
  for (const kind of kinds) {
    for (const thing of things) {
      const id = (thing as Partial<Record<string, { id?: unknown } | null>> | null | undefined)?.[kind]?.id;
      if (typeof id === 'string') holders[kind] ??= id;
    }
  }
  return holders;
}

interface Replayed {
  access: Access;
  input: { safeParse: (raw: unknown) => { success: boolean; data?: unknown } };
  subject: (context: Context, input: never) => Promise<Subject | null>;
  permit: ((context: Context, subject: never) => Promise<void> | undefined | void) | null;
}

/**
 * Checks the current rights of a caller who repeats a command with its idempotency key; throws `not_found` for a hidden
 * subject and `forbidden` for one that the caller may not change. If the subject was deleted, by the command itself or
 * later, the remaining holders of the subject are checked, so that a repeated deletion gets its first reply. `output`
 * is what the command returned the first time; its rows have references that the holders lack, such as the suite of a
 * link between team and suite.
 */
export async function authorizeReplay(
  operation: Replayed,
  context: Context,
  raw: unknown,
  { holders, output }: { holders: Holders; output: unknown },
): Promise<void> {
  const subjects = await visibleHolders(context, holders);
  const subject = await findAgain(operation, context, raw);
  await authorizeSubject(
    context,
    subject ?? subjects,
    subject ? operation.access : accessWithout(operation.access, subjects),
  );
  // `permit` declares the subject of its own operation; the executor holds operations of every type.
  await operation.permit?.(context, { ...(output as object | null), ...subjects, ...subject } as never);
}

/** Nothing of a deleted pipeline is left to hide: membership is the remaining check. */
function accessWithout(access: Access, { pipeline }: Subject): Access {
  return !pipeline && (access === 'build' || access === 'manage' || access === 'visible') ? 'member' : access;
}

/** Finds the subject as the command would now; null if it is hidden or the input is no longer valid. */
async function findAgain(operation: Replayed, context: Context, raw: unknown): Promise<Subject | null> {
  const { success, data } = operation.input.safeParse(raw);
  if (!success) return null;
  try {
    // `data` was parsed by this operation's own input schema.
    return await operation.subject(context, data as never);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

interface HeldSubject extends Subject {
  team?: TeamRow;
  suite?: SuiteRow;
  editable?: boolean;
}

/** Returns the remaining holders of the subject; throws `not_found` where the caller may no longer see one of them. */
async function visibleHolders(context: Context, holders: Holders): Promise<HeldSubject> {
  const { db, load, uncheckedRows, actor } = context;
  const subjects: HeldSubject = {};
  const pipeline = holders.pipeline === undefined ? null : await uncheckedRows.pipeline.load(holders.pipeline);
  if (pipeline) Object.assign(subjects, (await visiblePipeline(context, pipeline)) ?? hidden());
  if (holders.organization !== undefined && !subjects.organization) {
    const role = standing(actor, holders.organization);
    subjects.organization =
      (role === null || role === 'visitor' ? null : await load.organization.load(holders.organization)) ?? hidden();
  }
  if (holders.team !== undefined && (await exists('teams', holders.team)))
    Object.assign(subjects, (await findTeam(context, { id: holders.team })) ?? hidden());
  if (holders.suite !== undefined && (await exists('suites', holders.suite)))
    Object.assign(subjects, (await findSuite(context, { id: holders.suite })) ?? hidden());
  const cluster = holders.cluster === undefined ? null : await load.cluster.load(holders.cluster);
  return cluster ? { ...subjects, cluster } : subjects;

  async function exists(table: 'teams' | 'suites', id: string): Promise<boolean> {
    return (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
  }
}

function hidden(): never {
  throw notFound();
}
