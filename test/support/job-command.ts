import { runJobCommand } from '../../src/agent/job-commands/program.js';
import { packageVersion } from '../../src/package/version.js';

export interface CommandEnd {
  code: number;
  out: string;
  err: string;
}

/** Runs a `buildkite-agent` command line in this process, with waits between retries a thousandth of the real ones. */
export async function runCommandLine(
  args: readonly string[],
  env: Record<string, string> = {},
  { stdin, cwd = process.cwd() }: { stdin?: string; cwd?: string } = {},
): Promise<CommandEnd> {
  const end: CommandEnd = { code: 0, out: '', err: '' };
  end.code = await runJobCommand(args, {
    version: packageVersion(),
    env,
    cwd,
    stdinIsReadable: stdin !== undefined,
    readStdin: async () => stdin ?? '',
    out: (text) => void (end.out += text),
    err: (text) => void (end.err += text),
    retryScale: 0.001,
  });
  return end;
}
