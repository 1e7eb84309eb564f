import { Command } from 'commander';
import { jobCommandWord } from '../agent/job/job-program.js';
import { processIo } from '../agent/job-commands/command-io.js';
import { runJobCommand } from '../agent/job-commands/program.js';
import { agentStartCommand } from './agent.js';
import { prepareCommands, runCommandLine } from './command-line.js';
import { toolCommand } from './tool.js';

/** The one file that holds the bundled agent with its packages. */
export interface AgentFile {
  path: string;
  version: string;
}

/**
 * Runs the agent from the one file that the server hands out (`/agent/slipway-agent.mjs`): `start` as `slipway agent
 * start`. scripts/bundle-agent.mjs makes the file with this as its entry, so nothing that is imported from here may
 * read files of the package. Returns the exit code.
 */
export async function runStandaloneAgent(argv: readonly string[], { path, version }: AgentFile): Promise<number> {
  const [, , word, ...rest] = argv;
  if (word === jobCommandWord) return runJobCommand(rest, processIo(version));
  const program = new Command('slipway-agent')
    .description("Slipway's agent: runs jobs on this machine. It needs Node.js 20.19 or newer, git and a shell.")
    .version(version, '-V, --version')
    .addCommand(
      agentStartCommand({
        version,
        commandProgram: [process.execPath, '--no-warnings', path, jobCommandWord],
        agentFile: path,
      }),
    )
    .addCommand(toolCommand());
  prepareCommands(program);
  return runCommandLine(program, argv, describe);
}

/** The message of a system error, such as an unwritable folder; other errors with their stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? error.message : (error.stack ?? error.message);
}
