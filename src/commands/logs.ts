import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError, Option } from 'commander';
import { jobListStates } from '../domain/builds/job-list-states.js';
import { type LogSearchPlace, logSearchPlaces } from '../domain/builds/logs/search/search-places.js';
import {
  type FoundLogLine,
  operatorSocket,
  type OperatorSearch,
  type SearchReplyLine,
} from '../services/operator-socket.js';
import { endWith } from './end-with.js';
import { note, write } from './output.js';

interface SearchOptions {
  in: LogSearchPlace;
  cluster?: string;
  organization?: string;
  pipeline?: string;
  branch?: string;
  state?: string[];
  since?: Date;
  regexp?: boolean;
  json?: boolean;
}

/** `slipway logs search`: finds lines in the logs of all jobs. */
export function logsCommand(): Command {
  const search = new Command('search')
    .description('Find lines in the logs of jobs, of the newest build first. Exits with 1 where none is found.')
    .argument('[pattern]', 'text of the lines, in any case of its letters; needed without --cluster')
    .addOption(
      new Option('--in <where>', 'look through whole logs, or through the lines kept of failed jobs')
        .choices(logSearchPlaces)
        .default('logs'),
    )
    .option('--cluster <hash>', 'only failed jobs with this hash of their failure, as --json prints it')
    .option('--organization <slug>', 'only logs of an organization')
    .option('--pipeline <slug>', 'only logs of a pipeline')
    .option('--branch <branch>', 'only logs of builds of a branch; * matches any text')
    .option('--state <list>', 'only logs of jobs in these states, with commas between, such as failed', readStates)
    .option('--since <age>', 'only logs of jobs that are not older, such as 30m, 12h or 7d', readAge)
    .option('--regexp', 'take the pattern as a regular expression (RE2)')
    .option('--json', 'print each line found as a JSON object, one a line')
    .action(searchLogs);
  return new Command('logs').description('Logs of jobs.').addCommand(search);
}

async function searchLogs(
  q: string | undefined,
  { json = false, since, state, regexp = false, ...where }: SearchOptions,
) {
  if (q === undefined && where.cluster === undefined) throw new Error('a text to find is needed, or --cluster');
  const search: OperatorSearch = {
    ...where,
    q: q ?? '',
    regexp,
    shownStates: state,
    createdFrom: since?.toISOString(),
  };
  const { readConfigurationOfCommand } = await import('./read-configuration.js');
  const { askServer } = await import('./backup-of-server.js');
  const { databaseUrl, dataDir } = await readConfigurationOfCommand();
  // The embedded database is open in the server alone.
  const isServed = !databaseUrl && (await askServer(dataDir)) !== null;
  const count = isServed ? await searchOfServer(dataDir, search, json) : await searchOfDatabase(search, json);
  if (count > 0) return;
  await note('no line was found');
  endWith(1);
}

async function searchOfDatabase(search: OperatorSearch, json: boolean): Promise<number> {
  const { withUnchangedInstallation } = await import('./with-installation.js');
  const { searchAsOperator } = await import('../server/search-as-operator.js');
  return withUnchangedInstallation(async ({ services }) => {
    let count = 0;
    for await (const matches of searchAsOperator(services, search)) {
      count += matches.length;
      await printFound(matches, json);
    }
    return count;
  });
}

async function searchOfServer(dataDir: string, search: OperatorSearch, json: boolean): Promise<number> {
  const { askOperatorSocket } = await import('./ask-operator-socket.js');
  const response = await askOperatorSocket(operatorSocket(dataDir), 'POST', '/logs/search', JSON.stringify(search));
  let count = 0;
  for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
    const reply = JSON.parse(line) as SearchReplyLine;
    if ('error' in reply) throw new Error(reply.error);
    if ('complete' in reply) return count;
    count += reply.matches.length;
    await printFound(reply.matches, json);
  }
  throw new Error('the running server broke the search off: its log says why');
}

async function printFound(matches: readonly FoundLogLine[], json: boolean): Promise<void> {
  const lines = matches.map((each) => (json ? `${JSON.stringify(each)}\n` : `${each.url}\n  ${each.text}\n`));
  if (lines.length > 0) await write(process.stdout, lines.join(''));
}

function readStates(value: string): string[] {
  const states = value.split(',').map((state) => state.trim());
  const unknown = states.find((state) => !(jobListStates as readonly string[]).includes(state));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no state ${unknown}. States are: ${jobListStates.join(', ')}.`);
  return states;
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function readAge(value: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(value) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It must be an age such as 30m, 12h, 7d or 4w.');
  return new Date(Date.now() - Number(count) * (unitMs[unit] ?? 0));
}
