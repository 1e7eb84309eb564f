import { DatabaseUnavailableError } from '../../../database/faults.js';
import { nextTurn } from '../../../event-loop/turns.js';
import type { Services } from '../../../services/services.js';
import type { Check, Finding } from './check.js';
import { checks } from './checks.js';

/** How far a run is. */
export interface CheckProgress {
  check: string;
  /** Things of this check that were looked at. */
  count: number;
  /** What continues an interrupted run from here. */
  cursor: string;
}

export interface CheckOptions {
  repairs: boolean;
  /** Checks this organization alone, and nothing that is the installation's. */
  organizationId?: string | undefined;
  /** Names of checks that are left out. */
  without?: readonly string[];
  /** Cursor of an earlier run. */
  after?: string | undefined;
  progress?: (progress: CheckProgress) => void;
}

/**
 * Goes over everything that the promises say of rows and bytes, some things at a time, and yields what is not as it
 * should be as it comes. Servers may run meanwhile on PostgreSQL: what they change between two looks is no finding.
 * `after` must be {@link isCheckCursor}.
 */
export async function* runChecks(services: Services, options: CheckOptions): AsyncGenerator<Finding> {
  const { repairs, without = [], organizationId = null, progress = () => undefined } = options;
  const start = options.after === undefined ? null : readCursor(options.after);
  const first = start ? checks.findIndex(({ name }) => name === start.check) : 0;
  for (const check of checks.slice(first)) {
    if (without.includes(check.name) || (organizationId !== null && check.ofInstallation)) continue;
    let after = check.name === start?.check ? start.after : null;
    let count = 0;
    do {
      const page = await check.page(services, after, organizationId);
      for (const suspect of page.suspects) yield* await examineAlone(services, check, suspect, repairs);
      count += page.count;
      after = page.next;
      if (after !== null) progress({ check: check.name, count, cursor: `${check.name}:${after}` });
      await nextTurn();
    } while (after !== null);
  }
}

/** One thing that cannot be looked at, or mended, is a finding and stops nothing else. */
async function examineAlone(services: Services, check: Check, suspect: unknown, repairs: boolean): Promise<Finding[]> {
  try {
    return await check.examine(services, suspect, repairs);
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const findings = repairs ? await check.examine(services, suspect, false).catch(() => []) : [];
    if (findings.length > 0)
      return findings.map((finding) => ({ ...finding, action: `could not be mended: ${reason}` }));
    return [
      {
        promise: 'I19',
        subject: `${check.name}: ${JSON.stringify(suspect)}`,
        is: `cannot be looked at: ${reason}`,
        expected: 'readable rows',
        mended: false,
        action: 'look at the row: a column has a value that the program does not know',
      },
    ];
  }
}

/** Whether a text may be a cursor of a run. */
export const isCheckCursor = (text: string): boolean => checks.some(({ name }) => text.startsWith(`${name}:`));

function readCursor(text: string): { check: string; after: string } {
  const colon = text.indexOf(':');
  return { check: text.slice(0, colon), after: text.slice(colon + 1) };
}
