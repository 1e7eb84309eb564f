import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Path of a hook in a folder of hooks; undefined where there is none. */
export function findHook(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}

/** How a hook is run: by the words of a shell, whose environment afterwards can be read, or as a program of its own. */
export type HookKind = { kind: 'shell'; words: readonly [string, ...string[]] } | { kind: 'program' };

const shells = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh']);
/** First bytes of ELF and Mach-O files. */
const binaries = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

/** Finds out how a hook is run: scripts without a `#!` line are scripts for the shell. */
export async function hookKind(path: string): Promise<HookKind> {
  const file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(512), 0, 512, 0).finally(() => file.close());
  const head = buffer.subarray(0, bytesRead);
  if (binaries.includes(head.toString('hex', 0, 4))) return { kind: 'program' };
  const [, line] = /^#!([^\n]*)/.exec(head.toString('utf8')) ?? [];
  if (line === undefined) return { kind: 'shell', words: [existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'] };
  const [program = '', ...words] = line.trim().split(/\s+/);
  const interpreter = basename(program) === 'env' ? (words.find((word) => !/^-|=/.test(word)) ?? '') : program;
  return shells.has(basename(interpreter)) ? { kind: 'shell', words: [program, ...words] } : { kind: 'program' };
}
