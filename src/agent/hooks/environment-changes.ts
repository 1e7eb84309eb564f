/** What a hook did to its environment. */
export interface EnvironmentChanges {
  added: Record<string, string>;
  changed: Record<string, string>;
  removed: string[];
}

/** Variables that every shell sets for itself, and those that say which hook runs. */
const ofTheShell = /^(_|SHLVL|PWD|OLDPWD|BUILDKITE_HOOK_(PHASE|PATH|SCOPE))$/;

/** Compares an environment before a hook with that after it. */
export function environmentChanges(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): EnvironmentChanges {
  const changes: EnvironmentChanges = { added: {}, changed: {}, removed: [] };
  for (const [name, value] of Object.entries(after)) {
    if (ofTheShell.test(name) || value === before[name]) continue;
    changes[Object.hasOwn(before, name) ? 'changed' : 'added'][name] = value;
  }
  changes.removed = Object.keys(before).filter((name) => !ofTheShell.test(name) && !Object.hasOwn(after, name));
  return changes;
}

/** What the wrapper of a hook wrote: the folder it ended in and its environment, each entry ended by a NUL. */
export function readDump(bytes: Buffer): { cwd: string; env: Record<string, string> } | undefined {
  const [cwd, ...entries] = bytes.toString('utf8').split('\0');
  // The last entry is whole only if it was ended too.
  if (cwd === undefined || cwd === '' || entries.pop() !== '') return undefined;
  const env = entries.map((entry): [string, string] => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return { cwd, env: Object.fromEntries(env) };
}
