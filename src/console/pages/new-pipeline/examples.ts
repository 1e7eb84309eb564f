/** A way to begin: the steps of a small pipeline, which need nothing but what the language brings. */
interface Example {
  name: string;
  yaml: string;
}

const steps = (...parts: readonly string[]) => `steps:\n${parts.join('\n  - wait\n')}\n`;
const step = (label: string, commands: readonly string[], more: readonly string[] = []) =>
  [
    `  - label: "${label}"`,
    '    command:',
    ...commands.map((command) => `      - ${command}`),
    ...more.map((line) => `    ${line}`),
  ].join('\n');
const artifacts = (...paths: readonly string[]) => ['artifact_paths:', ...paths.map((path) => `  - "${path}"`)];
/** A job that was lost with its agent is no failure of the code. */
const again = ['retry:', '  automatic:', '    - exit_status: -1', '      limit: 2'];

/** What a new pipeline may begin with; the first is the steps of a file in the repository. */
export const examples: readonly Example[] = [
  {
    name: 'The repository’s own file',
    yaml: 'steps:\n  - label: ":pipeline: Upload"\n    command: buildkite-agent pipeline upload\n',
  },
  {
    name: 'Node.js',
    yaml: steps(
      step('Lint', ['npm ci', 'npm run lint'], again),
      step('Test', ['npm ci', 'npm test'], [...artifacts('coverage/**/*'), ...again]),
    ),
  },
  {
    name: 'Python',
    yaml: steps(
      step(
        'Test',
        [
          'python3 -m venv .venv',
          '.venv/bin/pip install -r requirements.txt',
          '.venv/bin/python -m pytest --junitxml=reports/junit.xml',
        ],
        [...artifacts('reports/*.xml'), ...again],
      ),
    ),
  },
  {
    name: 'Go',
    yaml: steps(
      step('Vet', ['go vet ./...'], again),
      step('Test', ['go test -race ./...'], again),
      step('Build', ['go build -o bin/ ./...'], artifacts('bin/*')),
    ),
  },
  {
    name: 'Java with Gradle',
    yaml: steps(step('Check', ['./gradlew check --no-daemon'], [...artifacts('**/build/reports/**/*'), ...again])),
  },
  {
    name: 'Java with Maven',
    yaml: steps(step('Verify', ['mvn -B verify'], [...artifacts('**/target/surefire-reports/*.xml'), ...again])),
  },
  {
    name: 'Ruby',
    yaml: steps(step('Test', ['bundle install', 'bundle exec rspec'], again)),
  },
  {
    name: 'Rust',
    yaml: steps(
      step('Lint', ['cargo fmt --check', 'cargo clippy -- -D warnings'], again),
      step('Test', ['cargo test'], again),
    ),
  },
  {
    name: '.NET',
    yaml: steps(step('Test', ['dotnet test --logger trx --results-directory reports'], artifacts('reports/*.trx'))),
  },
  {
    name: 'A Docker image',
    yaml: steps(
      step('Build', ['docker build --tag app:$$BUILDKITE_COMMIT .'], again),
      step('Test', ['docker run --rm app:$$BUILDKITE_COMMIT npm test']),
    ),
  },
];

/** The example with these steps; undefined once somebody has changed them. */
export const exampleOf = (yaml: string): Example | undefined => examples.find((example) => example.yaml === yaml);
