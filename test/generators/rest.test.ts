import { DemoServer } from './demo-server.js';
import { stepTimeoutMs, tools, Workshop } from './workshop.js';

/** A generator of clients: its steps in a folder with `openapi.json` and the program of examples/client. */
interface Generator {
  name: string;
  needs: readonly (keyof typeof tools)[];
  /** Generates and compiles a client; returns the command that runs the program, and its first arguments. */
  build: (workshop: Workshop) => Promise<readonly [command: string, ...args: string[]]>;
}

const openapiGenerator = '7.17.0';
/** The module of the Go programs, with the client as a folder in it. */
const goModule = 'module example.com/client\n\ngo 1.24\n';

/** Clients in Go and Java would refuse replies with properties that their document lacks. */
const takesNewFields = 'disallowAdditionalPropertiesIfNotPresent=false';

/** Runs openapi-generator-cli, taken from Maven Central, with the document of the workshop. */
async function generate(workshop: Workshop, generator: string, output: string, properties: readonly string[] = []) {
  const artifact = `org.openapitools:openapi-generator-cli:${openapiGenerator}`;
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  await workshop.run('mvn', ['-q', '-B', copy, `-Dartifact=${artifact}`, '-DoutputDirectory=tools']);
  const own = properties.length > 0 ? ['--additional-properties', properties.join(',')] : [];
  const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const jar = `tools/openapi-generator-cli-${openapiGenerator}.jar`;
  const input = ['-i', 'openapi.json', '-g', generator, '-o', output, '--global-property', parts];
  await workshop.run('java', ['-Xmx1g', '-jar', jar, 'generate', ...input, ...own]);
}

async function typescript(workshop: Workshop, packages: readonly string[]) {
  workshop.write('package.json', '{ "private": true, "type": "module" }');
  const all = ['typescript@5.9.3', '@types/node@22.19.1', ...packages];
  await workshop.run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...all]);
}

async function compileTypescript(workshop: Workshop) {
  const options = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'out',
  };
  workshop.write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...options, rootDir: '.' }, include: ['main.ts'] }),
  );
  await workshop.run('npx', ['tsc', '-p', '.']);
}

async function python(workshop: Workshop, packages: readonly string[]) {
  await workshop.run('python3', ['-m', 'venv', 'venv']);
  await workshop.run('venv/bin/pip', ['install', '--quiet', ...packages]);
}

const generators: Generator[] = [
  {
    name: 'openapi-typescript',
    needs: [],
    build: async (workshop) => {
      workshop.takeExample('openapi-typescript');
      await typescript(workshop, ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0']);
      await workshop.run('npx', ['openapi-typescript', 'openapi.json', '-o', 'slipway.ts']);
      await compileTypescript(workshop);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'openapi-python-client',
    needs: ['python'],
    build: async (workshop) => {
      workshop.takeExample('openapi-python-client');
      await python(workshop, ['openapi-python-client', 'mypy']);
      const arguments_ = ['--path', 'openapi.json', '--meta', 'none', '--output-path', 'slipway'];
      await workshop.run('venv/bin/openapi-python-client', ['generate', ...arguments_]);
      await workshop.run('venv/bin/python', ['-m', 'compileall', '-q', 'slipway']);
      await workshop.run('venv/bin/mypy', ['--follow-imports', 'silent', 'main.py']);
      return ['venv/bin/python', 'main.py'];
    },
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    build: async (workshop) => {
      workshop.takeExample('oapi-codegen');
      workshop.write('go.mod', goModule);
      workshop.write('slipway/.keep', '');
      const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
      const output = ['-package', 'slipway', '-o', 'slipway/client.go'];
      await workshop.run('go', ['run', tool, '-generate', 'types,client', ...output, 'openapi.json']);
      await workshop.run('go', ['mod', 'tidy']);
      await workshop.run('go', ['build', '-o', 'program', '.']);
      return ['./program'];
    },
  },
  {
    name: 'openapi-generator typescript-fetch',
    needs: ['java', 'maven'],
    build: async (workshop) => {
      workshop.takeExample('typescript-fetch');
      await generate(workshop, 'typescript-fetch', 'slipway', ['importFileExtension=.js']);
      await typescript(workshop, []);
      await compileTypescript(workshop);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'openapi-generator python',
    needs: ['java', 'maven', 'python'],
    build: async (workshop) => {
      workshop.takeExample('python');
      await generate(workshop, 'python', 'generated', ['packageName=slipway']);
      await python(workshop, ['./generated']);
      await workshop.run('venv/bin/python', ['-m', 'compileall', '-q', 'generated/slipway']);
      return ['venv/bin/python', 'main.py'];
    },
  },
  {
    name: 'openapi-generator go',
    needs: ['java', 'maven', 'go'],
    build: async (workshop) => {
      workshop.takeExample('go');
      await generate(workshop, 'go', 'slipway', [
        'packageName=slipway',
        'withGoMod=false',
        'useOneOfDiscriminatorLookup=true',
        takesNewFields,
      ]);
      workshop.write('go.mod', goModule);
      await workshop.run('go', ['mod', 'tidy']);
      await workshop.run('go', ['vet', './slipway']);
      await workshop.run('go', ['build', '-o', 'program', '.']);
      return ['./program'];
    },
  },
  {
    name: 'openapi-generator java',
    needs: ['java', 'maven'],
    build: async (workshop) => {
      workshop.takeExample('java');
      const packages = ['invokerPackage=dev.slipway', 'apiPackage=dev.slipway.api', 'modelPackage=dev.slipway.model'];
      await generate(workshop, 'java', 'generated', ['library=okhttp-gson', takesNewFields, ...packages]);
      const skip = ['-Dmaven.test.skip', '-Dmaven.javadoc.skip', '-Dmaven.source.skip', '-DincludeScope=runtime'];
      const copy = 'dependency:copy-dependencies';
      await workshop.run('mvn', ['-q', '-B', 'package', copy, ...skip], { within: 'generated' });
      const classes = 'generated/target/classes:generated/target/dependency/*';
      await workshop.run('javac', ['-cp', classes, '-d', '.', 'Main.java']);
      return ['java', '-cp', `.:${classes}`, 'Main'];
    },
  },
];

let server: DemoServer;
beforeAll(async () => {
  server = await DemoServer.start();
}, stepTimeoutMs);
afterAll(() => server.stop());

describe('clients that are generated from openapi.json', () => {
  for (const { name, needs, build } of generators) {
    const missing = needs.filter((tool) => !tools[tool]);
    const title = missing.length > 0 ? `${name} (needs ${missing.join(', ')})` : name;
    test.skipIf(missing.length > 0)(
      `${title} generates a client that compiles, creates a pipeline and reads a passed build`,
      async () => {
        const workshop = new Workshop(server.environment);
        try {
          await server.saveDocument(workshop.path('openapi.json'));
          const [command, ...args] = await build(workshop);
          const pipeline = name.replaceAll(' ', '-').toLowerCase();
          const printed = await workshop.run(command, [...args, pipeline, server.passed]);
          expect(printed).toBe(`${pipeline} passed 0`);
          await server.call('GET', `/organizations/demo/pipelines/${pipeline}`);
        } finally {
          workshop.remove();
        }
      },
      3 * stepTimeoutMs,
    );
  }
});
