import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compile } from '../../scripts/compile.mjs';

let built: string | undefined;

/** A folder of the checkout, so that packages resolve, for what is built from the present state of src and scripts. */
export function folderOf(kind: 'modules' | 'program'): string {
  if (!built) {
    const hash = createHash('sha256');
    for (const name of sources()) hash.update(name).update(readFileSync(join('src', name)));
    for (const name of readdirSync('scripts').sort()) hash.update(readFileSync(join('scripts', name)));
    built = hash.digest('hex').slice(0, 16);
  }
  return join(process.cwd(), 'tmp', `${kind}-${built}`);
}

const sources = () =>
  (readdirSync('src', { recursive: true }) as string[]).filter((name) => /\.(ts|md)$/.test(name)).sort();

/** Makes a folder once; where several workers do so at a time, what they make is the same. */
export function once(folder: string, make: (own: string) => void): string {
  if (existsSync(folder)) return folder;
  const own = `${folder}.${process.pid}`;
  make(own);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
  removeOld(folder);
  return folder;
}

/** Removes what states of the checkout that are more than a day old left beside `folder`. */
function removeOld(folder: string): void {
  const [kind = ''] = basename(folder).split('-');
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (name.startsWith(`${kind}-`) && age > 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

/** Compiles each module of src by itself; returns their folder. Tests load them, and the program is built from them. */
export function compiledModules(): string {
  const folder = once(folderOf('modules'), (own) => {
    compile('src', join(own, 'dist'));
    writeFileSync(join(own, 'package.json'), readFileSync('package.json'));
  });
  return join(folder, 'dist');
}
