import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/server/config.js';
import { variableNames } from '../../src/server/variables.js';
import { describeUnless } from '../support/skips.js';

const chart = 'deploy/helm/slipway';
const helm = process.env['HELM'] ?? 'helm';
/** Kubernetes' own description of its objects comes with its Go module. */
const kubernetes = 'v1.34.1';

const run = (...args: string[]) =>
  spawnSync(helm, args, { encoding: 'utf8', env: { ...process.env, HELM_KUBEVERSION: '' }, timeout: 30_000 });
const set = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => `--set=${name}=${value}`);

const base = { baseUrl: 'https://ci.example.com', existingSecret: 'slipway', 'storage.url': 's3://slipway/objects' };
const whole = {
  baseUrl: 'https://ci.example.com',
  databaseUrl: 'postgres://slipway@db/slipway',
  secretKey: 'k'.repeat(32),
  provisioning: 'users: []',
  'trustedProxies[0]': '10.0.0.0/8',
  'env.LOG_LEVEL': 'warn',
  'envFrom[0].secretRef.name': 's3-credentials',
  'ingress.enabled': 'true',
  'ingress.className': 'nginx',
  'ingress.tlsSecret': 'tls',
  'metrics.enabled': 'true',
  'metrics.serviceMonitor.enabled': 'true',
  'metrics.serviceMonitor.labels.release': 'prometheus',
  'podLabels.team': 'ci',
  'podAnnotations.note': 'x',
  'image.pullSecrets[0].name': 'registry',
  'service.annotations.note': 'x',
  'storage.volume.storageClass': 'shared',
};

interface Variable {
  name: string;
  value?: string;
}
interface Kubernetes {
  apiVersion: string;
  kind: string;
  spec?: { template?: { spec: { containers: { env: Variable[] }[] } } };
}

function rendered(values: Record<string, string>): Kubernetes[] {
  const { status, stdout, stderr } = run('template', 'ci', chart, '--kube-version=1.34.0', ...set(values));
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Kubernetes);
}

test("the chart's version, and that of its image, is the product's", () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const own = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as { version: string; appVersion: string };
  expect([own.version, own.appVersion]).toEqual([version, version]);
});

const missing = spawnSync(helm, ['version']).status === 0 ? null : 'helm is not installed';

describeUnless(missing, 'the Helm chart', () => {
  test('helm lint finds nothing to mend', () => {
    const { status, stdout } = run('lint', '--strict', chart, '--kube-version=1.34.0', ...set(whole));
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  test.each([
    [{ ...base, baseUrl: '' }, /set baseUrl/],
    [{ baseUrl: base.baseUrl }, /set existingSecret/],
    [{ ...whole, secretKey: 'short' }, /at least 32 characters/],
    [{ ...whole, 'storage.volume.accessModes[0]': 'ReadWriteOnce' }, /several replicas share the storage/],
    [{ ...base, replicas: '0' }, /replicas/],
  ])('values that cannot work are refused: %j', (values, reason) => {
    const { status, stderr } = run('template', 'ci', chart, '--kube-version=1.34.0', ...set(values));
    expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
  });

  test('the variables that it sets are those of the server, and a valid configuration', () => {
    const deployment = rendered(whole).find(({ kind }) => kind === 'Deployment');
    const variables = deployment?.spec?.template?.spec.containers[0]?.env ?? [];
    expect(variables.map(({ name }) => name).filter((name) => !variableNames.supported.includes(name))).toEqual([]);
    const secrets: Record<string, string> = { DATABASE_URL: whole.databaseUrl, SECRET_KEY: whole.secretKey };
    const entries = variables.map(({ name, value }) => [name, value ?? secrets[name]]);
    expect(readConfig(Object.fromEntries(entries) as Record<string, string>).warnings).toEqual([]);
  });

  const download = spawnSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${kubernetes}`], {
    encoding: 'utf8',
  });
  const noSchema =
    download.status === 0 ? null : "there is no Go, or no proxy of its modules, to fetch Kubernetes' schema";
  describeUnless(noSchema, "against Kubernetes' schema", () => {
    interface Definition {
      properties?: object;
      'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
    }
    const folder = (JSON.parse(download.stdout) as { Dir: string }).Dir;
    const { definitions } = JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8')) as {
      definitions: Record<string, Definition>;
    };
    const closed = Object.fromEntries(
      Object.entries(definitions).map(([name, definition]) => [
        name,
        definition.properties ? { ...definition, additionalProperties: false } : definition,
      ]),
    );
    const numberOrText = { anyOf: [{ type: 'string' }, { type: 'integer' }] };
    const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema({ $id: 'kubernetes', definitions: { ...closed, [intOrString]: numberOrText } });

    /** What is wrong with an object; null for a kind that is not Kubernetes' own. */
    function problemsOf(object: Kubernetes): unknown[] | null {
      const [group = '', version] = object.apiVersion.includes('/')
        ? object.apiVersion.split('/')
        : ['', object.apiVersion];
      const name = Object.keys(definitions).find((each) =>
        definitions[each]?.['x-kubernetes-group-version-kind']?.some(
          (kind) => kind.kind === object.kind && kind.group === group && kind.version === version,
        ),
      );
      if (name === undefined) return null;
      ajv.validate(`kubernetes#/definitions/${name}`, object);
      return (ajv.errors ?? []).map(({ instancePath, message, params }) => [
        object.kind,
        instancePath,
        message,
        params,
      ]);
    }

    test.each([
      ['with a bucket', base, 0],
      ['with all that can be set', whole, 1],
    ])('every object is valid %s', (_title, values, foreign) => {
      const problems = rendered(values).map(problemsOf);
      expect(problems.filter((each) => each === null)).toHaveLength(foreign);
      expect(problems.flatMap((each) => each ?? [])).toEqual([]);
    });

    test('a misspelt field is found', () => {
      const [first] = rendered(base).filter(({ kind }) => kind === 'Deployment');
      expect(problemsOf({ ...first, spec: { ...first?.spec, replica: 2 } } as unknown as Kubernetes)).toHaveLength(1);
    });
  });
});
