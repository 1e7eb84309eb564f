import { compileGo, compileTypescript, generateGo, installNode, installPython, packageJava } from './languages.js';
import { type Generator, proveGenerators } from './prove.js';

const generators: Generator[] = [
  {
    name: 'graphql-codegen',
    needs: [],
    build: async (workshop) => {
      workshop.takeExample('graphql-codegen');
      const plugins = ['@graphql-codegen/typescript-operations', '@graphql-codegen/typed-document-node'];
      const packages = ['graphql', '@graphql-typed-document-node/core', '@graphql-codegen/cli', ...plugins];
      await installNode(workshop, packages);
      await workshop.run('npx', ['graphql-codegen', '--config', 'codegen.json']);
      await compileTypescript(workshop);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'graphql-codegen client preset',
    needs: [],
    build: async (workshop) => {
      workshop.takeExample('graphql-codegen-client-preset');
      const packages = ['graphql', '@graphql-typed-document-node/core'];
      await installNode(workshop, [...packages, '@graphql-codegen/cli', '@graphql-codegen/client-preset']);
      await workshop.run('npx', ['graphql-codegen', '--config', 'codegen.json']);
      await compileTypescript(workshop);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'relay-compiler',
    needs: [],
    build: async (workshop) => {
      workshop.takeExample('relay-compiler');
      const packages = ['relay-runtime', '@types/relay-runtime', 'relay-compiler', 'graphql'];
      const transforms = ['babel-plugin-relay', '@babel/plugin-transform-modules-commonjs'];
      await installNode(workshop, [...packages, '@babel/cli', '@babel/core', ...transforms], 'commonjs');
      await workshop.run('npx', ['relay-compiler']);
      await compileTypescript(workshop, { module: 'es2022', moduleResolution: 'bundler' });
      await workshop.run('npx', ['babel', 'out', '--out-dir', 'out', '--plugins', transforms.join(',')]);
      return ['node', 'out/main.js'];
    },
  },
  {
    name: 'genqlient',
    needs: ['Go'],
    build: async (workshop) => {
      workshop.takeExample('genqlient');
      // Its own version of golang.org/x/tools does not compile with Go 1.25 and later.
      await generateGo(workshop, 'github.com/Khan/genqlient@v0.8.1', [], ['golang.org/x/tools@v0.38.0']);
      await compileGo(workshop);
      return ['./program'];
    },
  },
  {
    name: 'ariadne-codegen',
    needs: ['Python'],
    build: async (workshop) => {
      workshop.takeExample('ariadne-codegen');
      await installPython(workshop, ['ariadne-codegen==0.19.0', 'mypy==1.18.2']);
      await workshop.run('venv/bin/ariadne-codegen', []);
      await workshop.run('venv/bin/python', ['-m', 'compileall', '-q', 'slipway']);
      await workshop.run('venv/bin/mypy', ['--follow-imports', 'silent', 'main.py']);
      return ['venv/bin/python', 'main.py'];
    },
  },
  {
    name: 'Apollo Kotlin',
    needs: ['Java', 'Maven'],
    build: async (workshop) => {
      workshop.takeExample('apollo-kotlin');
      await packageJava(workshop);
      return ['java', '-cp', 'target/classes:target/dependency/*', 'MainKt'];
    },
  },
];

proveGenerators('the GraphQL schema', generators, 'PASSED', async (server, workshop) => {
  workshop.write('schema.graphql', await server.schema());
  workshop.takeExample('operations.graphql');
});
