import { Command } from 'commander';
import type { CheckProgress } from '../resources/installation/check/run-checks.js';
import type { Finding } from '../resources/installation/check/check.js';
import { note, write } from './output.js';
import { organizationId } from './organization-id.js';
import { reportProgress } from './report-progress.js';
import { WrongUsage } from './wrong-usage.js';

interface Options {
  repair?: boolean;
  json?: boolean;
  bytes: boolean;
  after?: string;
  organization?: string;
}

/** `slipway check`: what is not as the product promises, and mending it. */
export function checkCommand(): Command {
  return new Command('check')
    .description('Compare rows and bytes with what they should be, and say each thing that is not.')
    .option('--repair', 'mend what can be mended')
    .option('--organization <slug>', 'check what belongs to one organization, and nothing else')
    .option('--no-bytes', 'compare sizes only: do not read the bytes of logs and artifacts')
    .option('--after <cursor>', 'go on where an interrupted run was, by the cursor that it printed')
    .option('--json', 'print each finding as a line of JSON')
    .addHelpText(
      'after',
      '\nOn PostgreSQL servers go on meanwhile; with the embedded database stop the server first.' +
        '\nExit codes: 0 nothing found, or all of it mended; 1 findings remain; 2 wrong usage.',
    )
    .action(check);
}

async function check(options: Options): Promise<void> {
  const { isCheckCursor, runChecks } = await import('../resources/installation/check/run-checks.js');
  const { readingChecks } = await import('../resources/installation/check/checks.js');
  const { withPresentInstallation } = await import('./with-installation.js');
  const { repair: repairs = false, after } = options;
  if (after !== undefined && !isCheckCursor(after))
    throw new WrongUsage(`--after ${after}: not a cursor that slipway check has printed`);
  const progress = reportProgress();
  const total = { found: 0, mended: 0 };
  await withPresentInstallation(async ({ services }) => {
    const findings = runChecks(services, {
      repairs,
      organizationId:
        options.organization === undefined ? undefined : await organizationId(services, options.organization),
      after,
      without: options.bytes ? [] : readingChecks,
      progress: (step) => progress(() => describe(step)),
    });
    for await (const finding of findings) {
      total.found += 1;
      if (finding.mended) total.mended += 1;
      await write(process.stdout, `${options.json ? JSON.stringify(finding) : textOf(finding)}\n`);
    }
  });
  const left = total.found - total.mended;
  await note(
    total.found === 0
      ? 'everything is as it should be'
      : `found ${total.found}, mended ${total.mended}, ${left} left${repairs || left === 0 ? '' : ': see --repair'}`,
  );
  if (left > 0) process.exitCode = 1;
}

const describe = ({ check: name, count, cursor }: CheckProgress) =>
  `${name}: looked at ${count} (to go on from here: --after '${cursor}')`;

const textOf = ({ promise, subject, is, expected, mended, action }: Finding) =>
  `${promise} ${subject}: is ${is}; should be ${expected}. ${mended ? 'Mended' : 'Not mended'}: ${action}`;
