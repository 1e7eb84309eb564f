import type { Context } from '../../../request/context.js';
import type { Services } from '../../../services/services.js';
import { asSystem } from '../../../core/system-transaction.js';

/** Something that is not as it should be. */
export interface Finding {
  /** Number of the promise that is broken (docs/check.md). */
  promise: string;
  /** The thing, with its address. */
  subject: string;
  is: string;
  expected: string;
  /** Whether it is as it should be now. */
  mended: boolean;
  /** What was done, will be done by `--repair`, or is left to the operator. */
  action: string;
}

/** A finding before it is known whether it is mended. */
export interface Problem extends Omit<Finding, 'mended' | 'action'> {
  /** What mends it; null where nothing but the operator can. */
  remedy: string | null;
  /** What the operator does where there is no remedy. */
  advice?: string;
}

/** Some things of a check that were looked at. */
export interface Page<Suspect> {
  /** How many things were looked at. */
  count: number;
  suspects: readonly Suspect[];
  /** Place of the last one in the order of the check; null at the end. */
  next: string | null;
}

/**
 * A part of what is checked. `page` looks at the next things without a lock; what looks wrong may have changed
 * meanwhile, so `examine` looks at it again, under its lock where it has one, and mends it if that is asked for.
 */
export interface Check<Suspect = unknown> {
  name: string;
  /** Whether it is about the installation as a whole, and is left out where one organization is checked. */
  ofInstallation?: true;
  /** @param organizationId only things of this organization are looked at; null for all */
  page(services: Services, after: string | null, organizationId: string | null): Promise<Page<Suspect>>;
  examine(services: Services, suspect: Suspect, repairs: boolean): Promise<Finding[]>;
}

/** A check of any kind of suspects: they never leave their check. */
export const defineCheck = <Suspect>(check: Check<Suspect>): Check => check as Check;

/** Runs an examination in a transaction of its own, in which what it mends is written with its events. */
export function examineLocked<Suspect>(
  examine: (context: Context, suspect: Suspect, repairs: boolean) => Promise<Finding[]>,
): Check<Suspect>['examine'] {
  return (services, suspect, repairs) => asSystem(services, 'check', (context) => examine(context, suspect, repairs));
}

/** The finding of a problem that was, or was not, mended. */
export function findingOf({ remedy, advice, ...problem }: Problem, repairs: boolean): Finding {
  const mended = repairs && remedy !== null;
  const remedyText = mended ? (remedy ?? '') : `--repair: ${remedy}`;
  const action = remedy === null ? (advice ?? '') : remedyText;
  return { ...problem, mended, action };
}

/** The page of rows that were asked for in the order of their ids. */
export function pageOf<Row extends { id: string }, Suspect>(
  rows: readonly Row[],
  most: number,
  suspects: readonly Suspect[],
): Page<Suspect> {
  return { count: rows.length, suspects, next: rows.length < most ? null : (rows.at(-1)?.id ?? null) };
}

/** The things of the organization that is checked; all where it is null. */
export const ofOrganization = <Row extends { organizationId: string | null }>(
  rows: readonly Row[],
  organizationId: string | null,
): Row[] => rows.filter((row) => organizationId === null || row.organizationId === organizationId);

/** The id before all others. */
export const firstId = '00000000-0000-0000-0000-000000000000';
