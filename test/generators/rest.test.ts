import { compileGo, compileTypescript, generateGo, installNode, installPython, packageJava } from './languages.js';
import { type Generator, proveGenerators } from './prove.js';
import { maven } from './registries.js';
import type { Workshop } from './workshop.js';

const openapiGenerator = '7.25.0';

/** Clients in Go and Java would refuse replies with properties that their document lacks. */
const takesNewFields = 'disallowAdditionalPropertiesIfNotPresent=false';

/** Runs openapi-generator-cli with the document of the workshop. */
async function generate(workshop: Workshop, generator: string, output: string, properties: readonly string[] = []) {
  const artifact = `org.openapitools:openapi-generator-cli:${openapiGenerator}`;
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  await workshop.install(maven, 'mvn', ['-q', '-B', copy, `-Dartifact=${artifact}`, '-DoutputDirectory=tools']);
  const own = properties.length > 0 ? ['--additional-properties', properties.join(',')] : [];
  const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const jar = `tools/openapi-generator-cli-${openapiGenerator}.jar`;
  const input = ['-i', 'openapi.json', '-g', generator, '-o', output, '--global-property', parts];
  await workshop.run('java', ['-Xmx1g', '-jar', jar, 'generate', ...input, ...own]);
}

const generators: Generator[] = [
  {
    name: 'openapi-typescript',
    needs: [],
    build: async (workshop) => {
      workshop.takeExample('openapi-typescript');
      await installNode(workshop, ['openapi-typescript', 'openapi-fetch']);
      await workshop.run('npx', ['openapi-typescript', 'openapi.json', '-o', 'slipway.ts']);
      await compileTypescript(workshop);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'openapi-python-client',
    needs: ['Python'],
    build: async (workshop) => {
      workshop.takeExample('openapi-python-client');
      await installPython(workshop, ['openapi-python-client==0.29.1', 'mypy==1.18.2']);
      const options = ['--path', 'openapi.json', '--meta', 'none', '--output-path', 'slipway'];
      await workshop.run('venv/bin/openapi-python-client', ['generate', ...options]);
      await workshop.run('venv/bin/python', ['-m', 'compileall', '-q', 'slipway']);
      await workshop.run('venv/bin/mypy', ['--follow-imports', 'silent', 'main.py']);
      return ['venv/bin/python', 'main.py'];
    },
  },
  {
    name: 'oapi-codegen',
    needs: ['Go'],
    build: async (workshop) => {
      workshop.takeExample('oapi-codegen');
      const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
      const output = ['-package', 'slipway', '-o', 'slipway/client.go'];
      await generateGo(workshop, tool, ['-generate', 'types,client', ...output, 'openapi.json']);
      await compileGo(workshop);
      return ['./program'];
    },
  },
  {
    name: 'openapi-generator typescript-fetch',
    needs: ['Java', 'Maven'],
    build: async (workshop) => {
      workshop.takeExample('typescript-fetch');
      await generate(workshop, 'typescript-fetch', 'slipway', ['importFileExtension=.js']);
      await installNode(workshop, []);
      await compileTypescript(workshop);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'openapi-generator python',
    needs: ['Java', 'Maven', 'Python'],
    build: async (workshop) => {
      workshop.takeExample('python');
      await generate(workshop, 'python', 'generated', ['packageName=slipway']);
      await installPython(workshop, ['./generated']);
      await workshop.run('venv/bin/python', ['-m', 'compileall', '-q', 'generated/slipway']);
      return ['venv/bin/python', 'main.py'];
    },
  },
  {
    name: 'openapi-generator go',
    needs: ['Java', 'Maven', 'Go'],
    build: async (workshop) => {
      workshop.takeExample('go');
      const names = ['packageName=slipway', 'withGoMod=false'];
      await generate(workshop, 'go', 'slipway', [...names, 'useOneOfDiscriminatorLookup=true', takesNewFields]);
      await compileGo(workshop);
      return ['./program'];
    },
  },
  {
    name: 'openapi-generator java',
    needs: ['Java', 'Maven'],
    build: async (workshop) => {
      workshop.takeExample('java');
      const packages = ['invokerPackage=dev.slipway', 'apiPackage=dev.slipway.api', 'modelPackage=dev.slipway.model'];
      await generate(workshop, 'java', 'generated', ['library=okhttp-gson', takesNewFields, ...packages]);
      await packageJava(workshop, 'generated');
      const classes = 'generated/target/classes:generated/target/dependency/*';
      await workshop.run('javac', ['-cp', classes, '-d', '.', 'Main.java']);
      return ['java', '-cp', `.:${classes}`, 'Main'];
    },
  },
];

proveGenerators('openapi.json', generators, 'passed', async (server, workshop) => {
  workshop.write('openapi.json', await server.openapi());
});
