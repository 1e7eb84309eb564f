import { readFileSync, statSync } from 'node:fs';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { ConfigError } from '../services/config-error.js';
import type { SettingOrigins } from './config.js';
import { variableNames } from './variables.js';
import { nearestName } from '../domain/nearest-name.js';

/** The file of settings, in the working directory of the process. */
export const configFileName = 'slipway.config.yaml';

const fileBytes = 1024 * 1024;

/** Variables in force, from the environment and from {@link configFileName}. */
export interface Settings {
  /** Input of `readConfig`: the environment, completed from the file. */
  env: Record<string, string | undefined>;
  origins: SettingOrigins;
  /** Name of the file; null if there is none. */
  file: string | null;
}

/**
 * Completes an environment from the file of settings in `directory`; a variable that is set and not empty wins. Throws
 * {@link ConfigError} for a file that cannot be read or is not a map of variables, naming every problem as
 * `file:line:column`.
 */
export function readSettings(env: Record<string, string | undefined>, directory = '.'): Settings {
  const path = directory === '.' ? configFileName : `${directory}/${configFileName}`;
  const text = readIfPresent(path);
  if (text === null) return { env, origins: new Map(), file: null };
  const entries = readEntries(text, path);
  const merged = { ...env };
  const origins = new Map<string, string>();
  for (const { name, value, origin } of entries) {
    if (value === '' || merged[name]) continue;
    merged[name] = value;
    origins.set(name, origin);
  }
  return { env: merged, origins, file: path };
}

function readIfPresent(path: string): string | null {
  try {
    const { size } = statSync(path);
    if (size > fileBytes) throw new ConfigError(`${path}:1:1: has ${size} bytes: at most ${fileBytes} are read`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === undefined) throw error;
    throw new ConfigError(`${path}:1:1: cannot be read (${code})`);
  }
}

interface Entry {
  name: string;
  value: string;
  /** Position of the value, as `file:line:column`. */
  origin: string;
}

function readEntries(text: string, path: string): Entry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const at = (offset = 0) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const problems = document.errors.map((error) => `${at(error.pos[0])}: ${error.message}`);
  const root = document.contents;
  const entries: Entry[] = [];
  if (problems.length === 0 && root !== null && !(isScalar(root) && root.value === null)) {
    if (!isMap(root)) problems.push(`${at(root.range[0])}: must be a map of variables, such as PORT: 3000`);
    else
      for (const { key, value } of root.items as { key: Node; value: Node | null }[]) {
        const name = isScalar(key) ? String(key.value).toUpperCase() : '';
        const unknown = problemOfName(name);
        if (unknown !== null) problems.push(`${at(key.range?.[0])}: ${unknown}`);
        const read = textOf(value);
        const origin = at((value ?? key).range?.[0]);
        if (read === null) problems.push(`${origin}: ${name} must be text, a number, true, false or a list of them`);
        else entries.push({ name, value: read, origin });
      }
  }
  const names = entries.map(({ name }) => name);
  for (const { name, origin } of entries.filter((_, index) => names.indexOf(names[index] ?? '') < index))
    problems.push(`${origin}: ${name} is set twice`);
  if (problems.length > 0)
    throw new ConfigError(`the configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  return entries;
}

/** The file is Slipway's alone, so that a name that only another program could mean is a mistake. */
function problemOfName(name: string): string | null {
  const known = [...variableNames.supported, ...variableNames.unsupported.keys()];
  if (known.includes(name) || /^OTEL_[A-Z_]+$/.test(name)) return null;
  const nearest = nearestName(name, known);
  return `there is no variable ${name || '(not a word)'}${nearest === null ? '' : `; the nearest is ${nearest}`}`;
}

/** A value as an environment variable would hold it: lists are written with commas. */
function textOf(node: Node | null): string | null {
  if (node === null) return '';
  if (isSeq(node)) {
    const items = (node.items as Node[]).map((item) => (isScalar(item) ? textOf(item) : null));
    return items.includes(null) ? null : items.join(',');
  }
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (value === null) return '';
  // As it is written: 007 and 1e3 are not turned into other numbers.
  if (typeof value === 'number' || typeof value === 'boolean') return source ?? String(value);
  return typeof value === 'string' ? value : null;
}
