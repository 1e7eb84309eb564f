import { existsSync, readFileSync } from 'node:fs';
import { goModules, maven, npm, pypi } from './registries.js';
import type { Workshop } from './workshop.js';

const { dependencies, devDependencies } = JSON.parse(readFileSync('examples/client/package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** Installs the compiler and packages of examples/client/package.json, in the versions it names. */
export async function installNode(workshop: Workshop, packages: readonly string[], type = 'module') {
  workshop.write('package.json', JSON.stringify({ private: true, type }));
  const versions: Record<string, string> = { ...dependencies, ...devDependencies };
  const all = ['typescript', '@types/node', ...packages].map((name) => `${name}@${versions[name]}`);
  await workshop.install(npm, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...all]);
}

/** Compiles main.ts, and what it imports, into the folder `out`. */
export async function compileTypescript(workshop: Workshop, own: object = {}) {
  const options = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'] };
  const compilerOptions = { ...options, outDir: 'out', rootDir: '.', ...own };
  workshop.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['main.ts'] }));
  await workshop.run('npx', ['tsc', '-p', '.']);
}

/** Makes the virtual environment `venv` with these packages. */
export async function installPython(workshop: Workshop, packages: readonly string[]) {
  await workshop.run('python3', ['-m', 'venv', 'venv']);
  await workshop.install(pypi, 'venv/bin/pip', ['install', '--quiet', ...packages]);
}

/** The module of the Go programs, with the client as a folder in it. */
const goModule = 'module example.com/client\n\ngo 1.24\n';

/**
 * Runs a generator that is a Go program, named with its version; its client goes into the folder `slipway`. `newer` are
 * modules of which it needs a later version than it asks for.
 */
export async function generateGo(
  workshop: Workshop,
  tool: string,
  args: readonly string[],
  newer: readonly string[] = [],
) {
  workshop.write('go.mod', goModule);
  workshop.write('slipway/.keep', '');
  await workshop.install(goModules, 'go', ['get', '-tool', tool]);
  if (newer.length > 0) await workshop.install(goModules, 'go', ['get', ...newer]);
  await workshop.install(goModules, 'go', ['tool', tool.replace(/@.*/, ''), ...args]);
}

/** Compiles the program and the client into `program`. */
export async function compileGo(workshop: Workshop) {
  if (!existsSync(workshop.path('go.mod'))) workshop.write('go.mod', goModule);
  await workshop.install(goModules, 'go', ['mod', 'tidy']);
  await workshop.run('go', ['vet', './...']);
  await workshop.run('go', ['build', '-o', 'program', '.']);
}

/** Builds a Maven project without tests and puts what it depends on into target/dependency. */
export async function packageJava(workshop: Workshop, within = '') {
  const skip = ['-Dmaven.test.skip', '-Dmaven.javadoc.skip', '-Dmaven.source.skip', '-DincludeScope=runtime'];
  await workshop.install(maven, 'mvn', ['-q', '-B', 'package', 'dependency:copy-dependencies', ...skip], { within });
}
