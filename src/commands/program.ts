import { Command } from 'commander';
import { buildInfo } from '../server/build-info.js';
import { agentCommand } from './agent.js';
import { applyCommand } from './apply.js';
import { backupCommand } from './backup.js';
import { checkCommand } from './check.js';
import { prepareCommands } from './command-line.js';
import { completionCommand } from './completion.js';
import { configCommand } from './config.js';
import { devCommand } from './dev.js';
import { exportCommand } from './export.js';
import { logsCommand } from './logs.js';
import { mcpCommand } from './mcp.js';
import { migrateCommand } from './migrate.js';
import { moveCommand } from './move.js';
import { organizationCommand } from './organization.js';
import { pipelineCommand } from './pipeline.js';
import { retentionCommand } from './retention.js';
import { restoreCommand } from './restore.js';
import { runCommand } from './run.js';
import { schemaCommand } from './schema.js';
import { setAsideCommand } from './set-aside.js';
import { secretKeyCommand } from './secret-key.js';
import { serveCommand } from './serve.js';
import { adoptStorageCommand, sweepStorageCommand } from './sweep-storage.js';
import { tokenCommand } from './token.js';
import { toolCommand } from './tool.js';
import { userCommand } from './user.js';

/** The `slipway` program with its commands; each command loads its modules only when it runs. */
export function createProgram(): Command {
  const program = new Command('slipway')
    .description('A self-hosted CI control plane: pipelines, builds, jobs, agents and logs over GraphQL and REST v2.')
    .version(versionLine(), '-V, --version')
    .addHelpText(
      'after',
      '\nConfiguration comes from the environment and slipway.config.yaml: see docs/operations.md and ' +
        '`slipway config`.\nExit codes: 0 success, 1 failure, 2 wrong usage.',
    );
  const commands = [
    devCommand(),
    serveCommand(),
    migrateCommand(),
    applyCommand(),
    exportCommand(),
    configCommand(),
    agentCommand(),
    runCommand(),
    pipelineCommand(),
    organizationCommand(),
    userCommand(),
    tokenCommand(),
    secretKeyCommand(),
    backupCommand(),
    restoreCommand(),
    moveCommand(),
    checkCommand(),
    retentionCommand(),
    logsCommand(),
    mcpCommand(),
    sweepStorageCommand(),
    adoptStorageCommand(),
    setAsideCommand(),
    toolCommand(),
    schemaCommand(),
    completionCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  prepareCommands(program);
  return program;
}

/** Version and, where the build knew it, commit: `0.2.0 (1f0c…)`. */
function versionLine(): string {
  const { version, commit } = buildInfo();
  return version + (commit ? ` (${commit.slice(0, 12)})` : '');
}
