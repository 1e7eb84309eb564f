import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { SweepReport } from '../domain/installation/stored-objects.js';
import type { Services } from '../services/services.js';
import { note, print } from './output.js';

/** A server gives the sweep back after each round; one that was killed keeps it for ten minutes. */
const patienceMs = 11 * 60_000;

/** `slipway sweep-storage`: one whole pass over the storage, now. */
export function sweepStorageCommand(): Command {
  return new Command('sweep-storage')
    .description('Compare stored logs and artifacts with the database, and move aside what no row owns.')
    .option('--unproven', 'also what was stored before the storage was certainly that of this database alone')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      '\nServers do this by themselves. Nothing younger than seven days is touched; what is moved aside is ' +
        'deleted seven days later.',
    )
    .action(sweepStorage);
}

/** `slipway adopt-storage`: makes the storage that of this database. */
export function adoptStorageCommand(): Command {
  return new Command('adopt-storage')
    .description('Make the configured storage that of this database, whichever database used it before.')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      '\nFor a storage that a server refuses to start with. Stop every server of the former database first.' +
        '\nWhat the storage holds is left alone: see slipway sweep-storage --unproven.',
    )
    .action(adopt);
}

async function sweepStorage(options: { unproven?: boolean; json?: boolean }): Promise<void> {
  const { withInstallation } = await import('./with-installation.js');
  const report = await withInstallation(({ services }) => sweepOnce(services, options.unproven ?? false));
  const { missing, quarantined, restored, deleted, inQuarantine, unproven } = report;
  const lost = Object.entries(missing).map(([kind, count]) => `${count} ${kind}`);
  await print(
    options.json,
    report,
    [
      `moved ${quarantined} objects without a row ` +
        `aside, moved ${restored} back, deleted ${deleted}; ${inQuarantine} are still aside`,
      `left ${unproven} objects without a row alone that may be those of another installation`,
      `rows whose bytes are missing: ${lost.join(', ')}`,
    ].join('\n'),
  );
}

async function sweepOnce(services: Services, unproven: boolean): Promise<SweepReport> {
  const { claimStorage } = await import('../resources/installation/storage/claim-storage.js');
  const { sweepRound } = await import('../resources/installation/storage/sweep-storage.js');
  const { newHolder, releaseLease } = await import('../core/lease.js');
  const { sweepLease } = await import('../resources/installation/storage/sweep-lease.js');
  const holder = newHolder();
  await claimStorage(services);
  let waitsUntil: number | null = null;
  let anew = true;
  try {
    for (;;) {
      const round = await sweepRound(services, { holder, anew, unproven });
      if (typeof round === 'object') return round;
      if (round === 'busy') {
        if (waitsUntil === null) await note('another process sweeps: waiting for it');
        waitsUntil ??= performance.now() + patienceMs;
        if (performance.now() > waitsUntil) throw new Error('another process goes on sweeping the storage');
        await sleep(1000);
      } else anew = false;
      if (round === 'foreign') throw new Error('the storage was taken over by another installation');
    }
  } finally {
    await releaseLease(services, sweepLease, holder);
  }
}

async function adopt(options: { json?: boolean }): Promise<void> {
  const { withInstallation } = await import('./with-installation.js');
  const { adoptStorage } = await import('../resources/installation/storage/claim-storage.js');
  const former = await withInstallation(({ services }) => adoptStorage(services));
  await print(
    options.json,
    { adopted: former !== null, former_installation: former === 'unreadable' ? null : former },
    former === null
      ? 'the storage is that of this database'
      : `the storage is that of this ` +
          `database now${former === 'unreadable' ? '' : `; it was that of the installation ${former}`}`,
  );
}
