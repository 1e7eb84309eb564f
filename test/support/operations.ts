import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyOperation } from '../../src/core/operation.js';

const folder = join(process.cwd(), 'src', 'operations');

function isOperation(value: unknown): value is AnyOperation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'kind' in value &&
    'subject' in value &&
    'run' in value
  );
}

const modules = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts')).sort();

/** Every operation of the product: the exports of the files under `src/operations`. */
export const operations: readonly AnyOperation[] = (
  await Promise.all(
    modules.map(async (name) =>
      Object.values((await import(pathToFileURL(join(folder, name)).href)) as Record<string, unknown>).filter(
        isOperation,
      ),
    ),
  )
).flat();
