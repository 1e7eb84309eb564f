import { describeProvenance } from '../../scripts/release-provenance.mjs';
import { componentsOfPackage } from '../../scripts/release-sbom.mjs';

const development = { name: 'cdx:npm:package:development', value: 'true' };
const component = (name: string, ...properties: { name: string; value: string }[]) => ({
  'bom-ref': `${name}@1.0.0`,
  name,
  properties,
});

describe('the SBOM of a release', () => {
  const checkout = {
    metadata: { component: component('folder-of-the-checkout') },
    components: [component('installed'), component('in-a-chunk', development), component('compiler', development)],
    dependencies: [
      { ref: 'folder-of-the-checkout@1.0.0', dependsOn: ['installed@1.0.0', 'compiler@1.0.0', 'in-a-chunk@1.0.0'] },
      { ref: 'compiler@1.0.0', dependsOn: ['installed@1.0.0'] },
      { ref: 'in-a-chunk@1.0.0' },
    ],
  };

  test('names what is installed and what is in the chunks, and not what only builds', () => {
    const sbom = componentsOfPackage(checkout, new Set(['in-a-chunk@1.0.0']));
    expect(sbom.components).toEqual([component('installed'), component('in-a-chunk')]);
    expect(sbom.metadata.component).toMatchObject({ name: 'slipway', type: 'application' });
    expect(sbom.dependencies).toEqual([
      { ref: 'folder-of-the-checkout@1.0.0', dependsOn: ['installed@1.0.0', 'in-a-chunk@1.0.0'] },
      { ref: 'in-a-chunk@1.0.0', dependsOn: [] },
    ]);
  });

  test('is refused where a chunk holds a package that is not installed any more', () => {
    expect(() => componentsOfPackage(checkout, new Set(['in-a-chunk@2.0.0']))).toThrow(/in-a-chunk@2\.0\.0/);
  });
});

test('the provenance of a release names each file with its checksum, and what it was made from', () => {
  const statement = describeProvenance({
    digests: new Map([['slipway-1.2.3.tgz', 'aa']]),
    commit: 'bb',
    repository: null,
    lockDigest: 'cc',
    tools: { node: '24.0.0' },
    times: { startedOn: '2030-01-01T00:00:00Z', finishedOn: '2030-01-01T00:01:00Z' },
  });
  expect(statement.subject).toEqual([{ name: 'slipway-1.2.3.tgz', digest: { sha256: 'aa' } }]);
  expect(statement.predicate.buildDefinition.resolvedDependencies).toEqual([
    { name: 'source', digest: { gitCommit: 'bb' } },
    { name: 'package-lock.json', digest: { sha256: 'cc' } },
  ]);
});
