import { Command } from 'commander';
import { note, print } from './output.js';
import { WrongUsage } from './wrong-usage.js';

/**
 * `slipway set-aside`: background work that is not begun any more because the server ended twice while it was under
 * way.
 */
export function setAsideCommand(): Command {
  const command = new Command('set-aside').description(
    'Background work that is not begun any more because the server ended twice while it was under way.',
  );
  command
    .command('list')
    .description('List what is set aside.')
    .option('--json', 'print the list as JSON')
    .action(list);
  command
    .command('release')
    .description('Begin it again, one or all.')
    .argument('[id]', 'id from the list')
    .option('--all', 'all that is set aside')
    .option('--json', 'print what was released as JSON')
    .action(release);
  return command;
}

async function list(options: { json?: boolean }): Promise<void> {
  const { withInstallation } = await import('./with-installation.js');
  const { listSetAside } = await import('../background/work/set-aside.js');
  const units = await withInstallation(({ services }) => listSetAside(services));
  if (units.length === 0 && !options.json) await note('nothing is set aside');
  await print(options.json, units.map(shown), lines(units));
}

async function release(id: string | undefined, options: { all?: boolean; json?: boolean }): Promise<void> {
  if ((id === undefined) === !options.all) throw new WrongUsage('name one id, or --all');
  const { withInstallation } = await import('./with-installation.js');
  const { releaseSetAside } = await import('../background/work/set-aside.js');
  const units = await withInstallation(({ services }) => releaseSetAside(services, id ?? null));
  if (units.length === 0 && id !== undefined) throw new Error(`nothing with the id ${id} is set aside`);
  await print(options.json, units.map(shown), lines(units));
}

interface Unit {
  id: string;
  task: string;
  unit: string;
  setAsideAt: Date;
}

const shown = ({ id, task, unit, setAsideAt }: Unit) => ({ id, task, unit, set_aside_at: setAsideAt.toISOString() });

const lines = (units: readonly Unit[]) =>
  units.map(({ id, task, unit, setAsideAt }) => `${id}  ${setAsideAt.toISOString()}  ${task}  ${unit}`).join('\n');
