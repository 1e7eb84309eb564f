import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { asOperator } from './as-operator.js';
import { note, print } from './output.js';

interface CreateOptions {
  email: string;
  name: string;
  organization: string;
  role: 'admin' | 'member';
  generatePassword?: boolean;
  json?: boolean;
}

interface PasswordOptions {
  email: string;
  generatePassword?: boolean;
  json?: boolean;
}

const aboutPasswords =
  '\nThe password is asked for on a terminal, and otherwise read from standard input, of which it is the first line.' +
  '\nIt is never an argument: those are seen by everybody on the machine.';

/** `slipway user`: accounts for the console. */
export function userCommand(): Command {
  const create = new Command('create')
    .description('Create a user with a password; the first one of an installation creates the organization too.')
    .requiredOption('--email <email>', 'email address, with which they sign in')
    .requiredOption('--name <name>', 'full name')
    .requiredOption('--organization <slug>', 'organization they become a member of')
    .addOption(
      new Option('--role <role>', 'role in the organization').choices(['admin', 'member']).makeOptionMandatory(),
    )
    .option('--generate-password', 'make up a password and print it, once')
    .option('--json', 'print the user as JSON')
    .addHelpText('after', aboutPasswords)
    .action(createUserOfOptions);
  const password = new Command('password')
    .description("Set a user's password, and sign them out everywhere.")
    .requiredOption('--email <email>', 'email address of the user')
    .option('--generate-password', 'make up a password and print it, once')
    .option('--json', 'print the user as JSON')
    .addHelpText('after', aboutPasswords)
    .action(setPasswordOfOptions);
  const link = new Command('link')
    .description('Print an address that signs a user in once, within five minutes, in whatever browser opens it.')
    .requiredOption('--email <email>', 'email address of the user')
    .option('--json', 'print the address as JSON')
    .addHelpText('after', '\nWhoever opens the address first is signed in as the user: hand it to nobody else.')
    .action(linkOfOptions);
  return new Command('user')
    .description('Users of the console.')
    .addCommand(create)
    .addCommand(password)
    .addCommand(link);
}

/** 120 bits, in characters that a terminal selects with a double click. */
const madeUpPassword = (): string => randomBytes(15).toString('base64url');

async function passwordFor({ generatePassword }: { generatePassword?: boolean }): Promise<string> {
  if (generatePassword) return madeUpPassword();
  const { readPassword } = await import('./read-password.js');
  return readPassword();
}

async function createUserOfOptions(options: CreateOptions): Promise<void> {
  const password = await passwordFor(options);
  const { createUser } = await import('../operations/organizations/users/create.js');
  const { email, name, organization, role } = options;
  const created = await asOperator('slipway user create', createUser, { email, name, organization, role, password });
  if (created.first && !options.json) await note(`Organization ${created.organization.slug} was created, too.`);
  await tell(options, password, {
    id: created.user.id,
    email: created.user.email,
    name: created.user.name,
    organization: created.organization.slug,
    role,
  });
}

async function setPasswordOfOptions(options: PasswordOptions): Promise<void> {
  const password = await passwordFor(options);
  const { setUserPassword } = await import('../operations/organizations/users/set-password.js');
  const { user } = await asOperator('slipway user password', setUserPassword, { email: options.email, password });
  await tell(options, password, { id: user.id, email: user.email, name: user.name });
}

async function linkOfOptions({ email, json }: { email: string; json?: boolean }): Promise<void> {
  const { createSignInAddress } = await import('../operations/organizations/sign-in/create-address.js');
  const { url, expiresAt } = await asOperator('slipway user link', createSignInAddress, { email, anywhere: true });
  await print(json, { url, expires_at: expiresAt.toISOString() }, url);
}

/** Prints the user, and the password where it was made up. */
async function tell(
  { generatePassword = false, json }: { generatePassword?: boolean; json?: boolean },
  password: string,
  user: { id: string; email: string; name: string; organization?: string; role?: string },
): Promise<void> {
  if (!generatePassword) return print(json, user, `${user.email} can sign in`);
  if (!json) await note(`The password of ${user.email} is shown this once:`);
  await print(json, { ...user, password }, password);
}
