/**
 * What counts as used. `npm run lint` asks twice: `knip --production` counts only what the product, its build and its benches
 * import (patterns that end in `!`), so that an export which only tests import is reported; `knip` counts tests too and
 * looks for files, packages and types that nothing uses.
 *
 * A rule that only tests run is no rule of the product: it is called where the product decides, or deleted with its tests.
 * A function that only drives the product in tests belongs in `test/support`.
 */

/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    // Beside src/main.ts, src/console/main.tsx and the configuration files of Vite and Vitest, which knip finds by itself.
    'src/workers/entry.ts!',
    'src/agent/job-commands/main.ts!',
    'src/commands/standalone-agent.ts!',
    // Found by reading their folder (src/migrations/files.ts).
    'src/migrations/2*.ts!',
    // For the command line of MikroORM.
    'mikro-orm.config.ts',
    // The paths of all pages, which scripts/build-console.mjs asks it for.
    'src/console/app/routes.ts!',
    'scripts/*.mjs!',
    'bench/*.mjs!',
    // Found by reading their folders, or started by their paths.
    'bench/{attacks,floors,paths,peers}/*.mjs!',
    'bench/harness/agents.mjs!',
    'test/**/*.{test,story}.ts',
    'test/**/main.ts',
    'test/conformance/report.mjs',
    // Named to the test runner by .ci/run.
    'test/support/retried-tests.ts',
    'test/console/{measure,screenshots}.ts',
  ],
  project: [
    'src/**/*.{ts,tsx,mjs}!',
    '!src/console/__generated__/**',
    'scripts/**/*.{mjs,mts}!',
    'bench/**/*.mjs!',
    'lint/**',
    'test/**/*.{ts,js,mjs}',
    '*.{js,ts}',
    // Types of a module beside it, which the compiler finds by its name.
    '!**/*.d.{ts,mts}',
  ],
  // Programs that benches compare us with: their packages are in a manifest of their own.
  ignore: ['bench/peers/**'],
  ignoreDependencies: [
    // Imported by a name that the compiler cannot see, because its types need a browser's (src/graphql/graphiql/page.ts).
    '@graphql-yoga/render-graphiql',
    // Files that are served, found by the path of the package (src/web/reference.ts).
    'swagger-ui-dist',
    // Imported by Express, which is in the chunks and so brings no packages of its own (scripts/bundle-program.mjs).
    'iconv-lite',
  ],
  // Programs of the operating system, which tests look for before they start them.
  ignoreBinaries: [
    ...['unshare', 'setpriv', 'fish', 'age', 'promtool', 'go', 'openssl', 'rg'],
    ...['systemd-notify', 'systemd-analyze', 'systemd-socket-activate'],
  ],
  // An export that its own file uses is alive; tests may look at it more closely.
  ignoreExportsUsedInFile: true,
};
