import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const isOwn = (url) => url?.startsWith('file:') && !url.includes('/node_modules/');

/** Sources name each other by the name of what is built: `x.js` stands for `x.ts` beside it. */
export async function resolve(specifier, context, next) {
  if (isOwn(context.parentURL) && specifier.startsWith('.') && specifier.endsWith('.js')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isOwn(url) || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, configFile: '.swcrc' });
  return { format: 'module', source: code, shortCircuit: true };
}
