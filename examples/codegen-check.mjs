import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

// `npm run codegen:check`: installs the generators where they are missing or older than the lock file, then checks.
// They have a lock file of their own, so that nobody else waits for them.
const here = import.meta.dirname;
const installed = join(here, 'node_modules', '.package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(join(here, 'package-lock.json')).mtimeMs) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: here, stdio: 'inherit' });
}
try {
  execFileSync(process.execPath, [join(here, 'check.mjs')], { cwd: here, stdio: 'inherit' });
} catch {
  // What is wrong has been said.
  process.exitCode = 1;
}
