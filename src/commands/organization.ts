import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { asOperator } from './as-operator.js';
import { note, print } from './output.js';
import { WrongUsage } from './wrong-usage.js';

interface DeleteOptions {
  yes?: boolean;
  json?: boolean;
}

/** `slipway organization delete`: no surface has it, so that nobody can but who has the installation. */
export function organizationCommand(): Command {
  const remove = new Command('delete')
    .description('Delete an organization with its pipelines, builds, suites, clusters and agents, for good.')
    .argument('<slug>', 'slug of the organization')
    .option('--yes', 'do not ask for the slug once more')
    .option('--json', 'print what was deleted as JSON')
    .addHelpText(
      'after',
      '\nIt is gone at once; a running server, or the next one, purges its rows and bytes in the background. ' +
        'Users stay.',
    )
    .action(deleteOrganizationOfSlug);
  return new Command('organization').description('Organizations of the installation.').addCommand(remove);
}

async function deleteOrganizationOfSlug(slug: string, options: DeleteOptions): Promise<void> {
  if (!options.yes) await confirm(slug);
  const { deleteOrganization } = await import('../operations/organizations/delete.js');
  const { organization, pipelines, suites, clusters } = await asOperator(
    'slipway organization delete',
    deleteOrganization,
    { organization: { slug } },
  );
  await print(
    options.json,
    { id: organization.id, slug, pipelines, suites, clusters },
    `deleted the organization ${slug} with its pipelines (${pipelines}), suites (${suites}) and clusters (${clusters})`,
  );
}

/** Throws {@link WrongUsage} unless somebody at a terminal types the slug. */
async function confirm(slug: string): Promise<void> {
  if (!process.stdin.isTTY) throw new WrongUsage('nobody can be asked: pass --yes to delete the organization');
  await note(`This deletes the organization ${slug} with everything in it, for good.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if ((await lines.question('Type its slug to go on: ')) !== slug) throw new WrongUsage('nothing was deleted');
  } finally {
    lines.close();
  }
}
