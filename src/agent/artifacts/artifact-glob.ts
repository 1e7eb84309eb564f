import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** A file to be uploaded. */
export interface FoundFile {
  /**
   * Below the folder of the job, with forward slashes; of a file elsewhere, or named from the root, without the leading
   * one.
   */
  path: string;
  absolutePath: string;
  /** The pattern that found it first. */
  globPath: string;
}

export interface ArtifactSearch {
  home?: string;
  /** Text between patterns; empty: `paths` is one pattern. */
  delimiter?: string;
  /** The patterns are paths: no character has a meaning. */
  literal?: boolean;
  followSymbolicLinks?: boolean;
}

/**
 * Files that match the patterns of `paths`, each once, in the order they are found. Patterns pass over symbolic links;
 * a path without any names one as well as the file.
 */
export async function findArtifacts(
  paths: string,
  folder: string,
  { home = homedir(), delimiter = ';', literal: byName = false, followSymbolicLinks = false }: ArtifactSearch = {},
): Promise<FoundFile[]> {
  const { glob } = await import('tinyglobby');
  const files = new Map<string, FoundFile>();
  for (const pattern of (delimiter === '' ? [paths] : paths.split(delimiter))
    .map((each) => each.trim())
    .filter((each) => each !== '')) {
    const absolutePattern = /^~(?=$|\/)/.test(pattern)
      ? pattern.replace('~', () => (byName ? home : literal(home)))
      : pattern;
    const named = byName || !/[*?[{\\]/.test(absolutePattern);
    const matches = named
      ? [resolve(folder, absolutePattern)]
      : await glob([toGlob(absolutePattern)], {
          cwd: folder,
          absolute: true,
          dot: true,
          expandDirectories: false,
          followSymbolicLinks,
        });
    for (const absolutePath of matches.sort()) {
      if (files.has(absolutePath) || !(await isFile(absolutePath))) continue;
      files.set(absolutePath, {
        path: pathOf(absolutePath, folder, isAbsolute(absolutePattern)),
        absolutePath,
        globPath: pattern,
      });
    }
  }
  return [...files.values()];
}

/** Whether a path is a file; false for a folder and for a file that vanished meanwhile. */
const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() ?? false;

function pathOf(absolutePath: string, folder: string, fromRoot: boolean): string {
  const below = relative(resolve(folder), absolutePath);
  const inside = !fromRoot && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  return (inside ? below : absolutePath.replace(/^\/+/, '')).replaceAll(sep, '/');
}

/** Characters that mean something to the library and nothing here. */
const foreign = new Set(['!', '(', ')', '|', '+', '@']);

/** Escapes characters that have a meaning in patterns of the library. */
const literal = (text: string): string => text.replace(/[\\*?{}[\]!()|+@]/g, '\\$&');

/**
 * Translates a pattern to the syntax of the library: `**` matches any text including slashes, classes have no ranges,
 * and there are no negations, extended patterns or counting braces.
 */
export function toGlob(pattern: string): string {
  let out = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '\\') {
      const next = pattern[(at += 1)] ?? '\\';
      out += literal(next);
    } else if (pattern.startsWith('**', at)) {
      const end = at + (/^\*+/.exec(pattern.slice(at))?.[0].length ?? 2);
      out += anything(pattern[at - 1], pattern[end]);
      at = end - 1;
    } else if (character === '[') {
      const end = pattern.indexOf(']', at + 2);
      out += end < 0 ? '\\[' : characterClass(pattern.slice(at + 1, end));
      at = end < 0 ? at : end;
    } else if (character === '{' && /^\{[^{},]*\.\.[^{},]*\}/.test(pattern.slice(at))) {
      const end = pattern.indexOf('}', at);
      out += literal(pattern.slice(at, end + 1));
      at = end;
    } else out += foreign.has(character) ? `\\${character}` : character;
  }
  return out;
}

/**
 * `**` between two characters: a whole part of the path is the library's own, beside other text it has to be spelled
 * out.
 */
function anything(before: string | undefined, after: string | undefined): string {
  const opens = before === undefined || before === '/' || before === '{' || before === ',';
  const closes = after === undefined || after === '/' || after === '}' || after === ',';
  if (opens) return closes ? '**' : '**/*';
  return closes ? '{*,*/**}' : '{*,*/**/*}';
}

function characterClass(inner: string): string {
  const negated = inner.startsWith('^');
  return `[${negated ? '^' : ''}${inner.slice(negated ? 1 : 0).replace(/[\\\-!^[\]]/g, '\\$&')}]`;
}
