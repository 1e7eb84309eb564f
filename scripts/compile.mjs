/** Compiles each module by itself, which takes seconds; types are checked by `npm run typecheck`. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { transformSync } from '@swc/core';

/**
 * @param source folder of TypeScript modules, such as `src`
 * @param target folder for the modules and their source maps
 */
export function compile(source, target) {
  for (const name of readdirSync(source, { recursive: true })) {
    // Texts that modules read from beside them.
    if (name.endsWith('.md')) {
      mkdirSync(dirname(join(target, name)), { recursive: true });
      copyFileSync(join(source, name), join(target, name));
      continue;
    }
    // The console is a program for browsers, with a build of its own.
    if (!name.endsWith('.ts') || name.endsWith('.d.ts') || name.startsWith(`console${sep}`)) continue;
    const filename = join(source, name);
    const file = join(target, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    const { code, map } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      configFile: '.swcrc',
      sourceMaps: true,
      sourceFileName: relative(dirname(file), filename).replaceAll(sep, '/'),
      outputPath: file,
      inlineSourcesContent: false,
    });
    writeFileSync(file, `${code}//# sourceMappingURL=${basename(file)}.map\n`);
    writeFileSync(`${file}.map`, map);
  }
}
