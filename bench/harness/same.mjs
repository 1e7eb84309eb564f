import { isDeepStrictEqual } from 'node:util';

/** Throws with the first paths at which two parsed replies differ. */
export function assertSame(what, ours, other) {
  const differences = [...differing(ours, other, '')].slice(0, 20);
  if (differences.length > 0) throw new Error(`${what}: the replies differ at\n  ${differences.join('\n  ')}`);
}

function* differing(ours, other, path) {
  if (isDeepStrictEqual(ours, other)) return;
  const containers = [ours, other].every((value) => typeof value === 'object' && value !== null);
  if (!containers) {
    yield `${path}: ${shown(ours)} and ${shown(other)}`;
    return;
  }
  for (const key of new Set([...Object.keys(ours), ...Object.keys(other)]))
    yield* differing(ours[key], other[key], `${path}/${key}`);
}

const shown = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 100);
