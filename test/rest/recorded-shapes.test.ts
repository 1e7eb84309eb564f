import { describeWithVectors, readVectors } from '../support/vectors.js';
import { everyKind, RestWorld } from './rest-world.js';

interface Recorded {
  id: string;
  recorded_at: string;
  method: string;
  path: string;
  response_json: Record<string, unknown> | Record<string, unknown>[] | null;
}

/** For each kind of resource the id of a recorded request whose reply shows it completely. */
const recordedOf = {
  build: 'cas-043',
  pipeline: 'cas-073',
  visualPipeline: 'cas-077',
  manual: 'cas-029',
  cluster: 'cas-059',
  queue: 'cas-054',
};

describeWithVectors('the resources recorded in rest/cassettes.json', () => {
  let rest: RestWorld;
  const shown: Record<keyof typeof recordedOf, Record<string, unknown>> = {} as never;
  beforeAll(async () => {
    rest = await RestWorld.create();
    const pipeline = (
      await rest.post('/organizations/acme/pipelines', {
        name: 'App',
        repository: 'git@github.com:acme/app.git',
        configuration: everyKind,
      })
    ).body;
    const build = (await rest.post('/organizations/acme/pipelines/app/builds', { commit: 'HEAD', branch: 'main' }))
      .body;
    const visual = await rest.post('/organizations/acme/pipelines', {
      name: 'Visual',
      repository: 'git@github.com:acme/app.git',
      steps: [{ type: 'script', command: 'make' }],
    });
    const { body: clusters } = await rest.get('/organizations/acme/clusters');
    const { body: queues } = await rest.get(`/organizations/acme/clusters/${rest.world.clusterId}/queues`);
    Object.assign(shown, {
      pipeline,
      build,
      visualPipeline: visual.body,
      manual: build.jobs[2],
      cluster: clusters[0],
      queue: queues[0],
    });
  });
  afterAll(() => rest.close());

  test.each(Object.entries(recordedOf))(
    'our %s has every key that the real service showed, with values of the same types',
    (kind, id) => {
      const { cases } = readVectors('rest/cassettes.json') as { cases: Recorded[] };
      const recorded = [cases.find((each) => each.id === id)?.response_json].flat()[0];
      const ours = shown[kind as keyof typeof recordedOf];
      const missing = Object.keys(recorded ?? {}).filter((key) => !(key in ours));
      expect(missing).toEqual([]);
      expect(
        Object.entries(recorded ?? {})
          .filter(([key, value]) => differs(value, ours[key]))
          .map(([key]) => key),
      ).toEqual([]);
    },
  );
});

/** Whether two values, neither of them null, are of different JSON types. */
function differs(recorded: unknown, ours: unknown): boolean {
  if (recorded === null || ours === null) return false;
  return Array.isArray(recorded) !== Array.isArray(ours) || typeof recorded !== typeof ours;
}
