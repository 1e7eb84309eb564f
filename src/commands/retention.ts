import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Gone, RetentionReport } from '../domain/retention/pass.js';
import type { Services } from '../services/services.js';
import { organizationId } from './organization-id.js';
import { note, print } from './output.js';
import { readableBytes } from './report-progress.js';

/** A server gives the pass back after each round; one that was killed keeps it for a minute. */
const patienceMs = 3 * 60_000;
const reportEveryMs = 10_000;

/** `slipway retention`: what policies of age and count delete. */
export function retentionCommand(): Command {
  const command = new Command('retention').description('What the policies of retention delete, and when.');
  command
    .command('plan')
    .description('Print what the policies would delete now, by kind and pipeline. Changes nothing.')
    .option('--organization <slug>', 'only what belongs to an organization')
    .option('--json', 'print it as JSON')
    .action(plan);
  command
    .command('run')
    .description('Delete now what the policies let go, as servers do every hour, and count the sizes anew.')
    .option('--json', 'print what was deleted as JSON')
    .action(run);
  return command;
}

async function plan(options: { organization?: string; json?: boolean }): Promise<void> {
  const { withUnchangedInstallation } = await import('./with-installation.js');
  const { planRetention } = await import('../background/retention/pass/plan.js');
  const gone = await withUnchangedInstallation(async ({ services }) => {
    const { organization: slug } = options;
    return planRetention(services, slug === undefined ? undefined : await organizationId(services, slug));
  });
  await print(options.json, { would_delete: gone.map(inWords) }, table(gone, 'nothing would be deleted'));
}

async function run(options: { json?: boolean }): Promise<void> {
  const { withInstallation } = await import('./with-installation.js');
  const { gone } = await withInstallation(async ({ services }) => {
    const report = await wholePass(services);
    await countAnew(services);
    return report;
  });
  await print(options.json, { deleted: gone.map(inWords) }, table(gone, 'nothing was to be deleted'));
}

async function wholePass(services: Services): Promise<RetentionReport> {
  const { Retention } = await import('../background/retention/pass/pass.js');
  const { newHolder, releaseLease } = await import('../core/lease.js');
  const { passLease } = await import('../background/retention/pass/pass-lease.js');
  const { forgetFailures } = await import('../background/retention/exports/export-rows.js');
  const retention = new Retention();
  await forgetFailures(services.db);
  const holder = newHolder();
  const wait = waiting('deletes');
  try {
    for (let anew = true; ;) {
      const round = await retention.advance(services, { holder, anew });
      if (typeof round === 'object') return round;
      if (round === 'busy') await wait();
      else anew = false;
    }
  } finally {
    await releaseLease(services, passLease, holder);
  }
}

/** Counts all sizes, so that they show what is left; says every ten seconds how far it is. */
async function countAnew(services: Services): Promise<void> {
  const { SizeCount } = await import('../background/retention/sizes/size-count.js');
  const { newHolder } = await import('../core/lease.js');
  const count = new SizeCount();
  const holder = newHolder();
  const since = services.clock.now();
  const wait = waiting('counts sizes');
  let saidAt = performance.now();
  try {
    for (let anew = true; ;) {
      const round = await count.advance(services, { holder, since, anew });
      if (round === 'ended') return;
      if (round === 'busy') await wait();
      else anew = false;
      if (typeof round === 'object' && performance.now() - saidAt >= reportEveryMs) {
        saidAt = performance.now();
        await note(`counting sizes: ${round.owners} pipelines, suites and organizations so far`);
      }
    }
  } finally {
    await count.release(services, holder);
  }
}

/** Waits a second each time, while another process has the work; throws once it has had it for too long. */
function waiting(does: string): () => Promise<void> {
  let until: number | null = null;
  return async () => {
    if (until === null) await note(`another process ${does}: waiting for it`);
    until ??= performance.now() + patienceMs;
    if (performance.now() > until) throw new Error(`another process goes on: it ${does}`);
    await sleep(1000);
  };
}

/** One line of `--json`. */
const inWords = ({ kind, organization, owner, items, rows, bytes, exports = 0, holds = 0 }: Gone) => ({
  kind,
  organization,
  [kind === 'runs' ? 'suite' : 'pipeline']: owner,
  items,
  rows,
  bytes,
  ...(kind === 'builds' ? { exports, holds } : {}),
});

function table(gone: readonly Gone[], nothing: string): string {
  if (gone.length === 0) return nothing;
  return gone
    .map(({ kind, organization, owner, items, rows, bytes, exports = 0, holds = 0 }) => {
      const where = [organization, owner].filter((part) => part !== null).join('/') || 'installation';
      const first = exports > 0 ? `\t${exports} exported first` : '';
      const stay = holds > 0 ? `\t${holds} more stay until they are exported` : '';
      return `${kind}\t${where}\t${items} ${kind}\t${rows} rows\t${readableBytes(bytes)}${first}${stay}`;
    })
    .join('\n');
}
