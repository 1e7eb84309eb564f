import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import ts from 'typescript';

/**
 * The file that an import names: `./a.js` stands for `a.ts`, and the bundler of the console also finds `a.ts` or `a.tsx`
 * for `./a`. Anything else, such as a style sheet, is returned as it is.
 */
function sourceOf(src, path) {
  const candidates = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx'), `${path}.ts`, `${path}.tsx`];
  return candidates.find((name) => /\.tsx?$/.test(name) && existsSync(join(src, name))) ?? candidates[0];
}

/** Paths below `src` of the files that a file imports, types and later imports (`import()`) included, as the compiler reads them. */
export function importsOf(src, name) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(src, name), 'utf8'), true, true);
  return importedFiles
    .map((file) => file.fileName)
    .filter((file) => file.startsWith('.'))
    .map((file) => sourceOf(src, relative(src, normalize(join(src, dirname(name), file)))));
}

/** Every circle of imports below `src`: the files in the order of their imports, the first one again at the end. */
export function importCircles(src) {
  const files = readdirSync(src, { recursive: true }).filter(
    // What the Relay compiler writes imports itself in circles, of types alone.
    (name) => /\.tsx?$/.test(name) && !name.split(sep).includes('__generated__'),
  );
  const graph = new Map(files.map((name) => [name, importsOf(src, name)]));
  const finished = new Set();
  const circles = [];
  const visit = (name, path) => {
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name]);
      return;
    }
    if (finished.has(name)) return;
    for (const imported of graph.get(name) ?? []) visit(imported, [...path, name]);
    finished.add(name);
  };
  for (const name of files) visit(name, []);
  return circles;
}

let circlesOfSource;

/** ESLint rule: reports a circle of imports at the file where the circle begins. */
export const noCircles = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const src = join(context.cwd, 'src');
    circlesOfSource ??= importCircles(src);
    const name = relative(src, context.filename);
    return {
      Program(node) {
        for (const circle of circlesOfSource) {
          if (circle[0] === name) context.report({ node, message: `Imports form a circle: ${circle.join(' -> ')}` });
        }
      },
    };
  },
};
