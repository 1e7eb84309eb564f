import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../../support/vectors.js';
import { RestWorld } from '../rest-world.js';

/** The entry of one real pipeline file in the index. */
interface RealPipeline {
  id: string;
  file: string;
  valid: boolean;
  /** These only where the file is valid. */
  script_jobs_if_all_steps_run?: number;
  conditional_attributes?: string[];
  uses_interpolation?: boolean;
}

const files = vectorsPresent ? readVectors<RealPipeline[]>('pipelines/real-index.json') : [];
const cases: [string, RealPipeline][] = files.map((file) => [file.id, file]);

/** Only then does the number of jobs follow from the file alone. */
const countable = (file: RealPipeline) =>
  file.conditional_attributes?.length === 0 && file.uses_interpolation === false;

const base = '/organizations/acme/pipelines';
let rest: RestWorld;
beforeAll(async () => {
  if (vectorsPresent) rest = await RestWorld.create();
});
afterAll(() => rest?.close());

describeWithVectors('real pipeline files over REST', () => {
  test('the index holds files of each kind', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter(countable).length).toBeGreaterThan(10);
  });

  test.each(cases)(
    'a pipeline with the file %s is created and built, or refused where the file is invalid',
    async (id, file) => {
      const configuration = readFileSync(resolve(vectorsDir, 'pipelines', file.file), 'utf8');
      const created = await rest.post(base, {
        name: id,
        repository: 'https://example.com/a/b.git',
        cluster_id: rest.world.clusterId,
        configuration,
      });
      if (!file.valid) {
        expect([created.status, created.body]).toEqual([
          422,
          { message: 'Validation Failed', errors: [expect.objectContaining({ field: 'configuration' })] },
        ]);
        return;
      }
      expect([created.status, created.body.errors]).toEqual([201, undefined]);
      const { body: pipeline } = await rest.get(`${base}/${created.body.slug}`);
      expect(pipeline.configuration).toBe(configuration);

      const build = await rest.post(`${base}/${created.body.slug}/builds`, {
        commit: 'HEAD',
        branch: 'main',
        message: 'A real file',
      });
      if (!countable(file)) {
        // A condition may leave no step to run, and an unset variable a name empty: the refusal then says so.
        expect([201, 422]).toContain(build.status);
        expect(build.status === 201 || typeof build.body.message === 'string').toBe(true);
        return;
      }
      expect([build.status, build.body.message]).toEqual([201, 'A real file']);
      const scripts = build.body.jobs.filter((job: { type: string }) => job.type === 'script');
      expect(scripts).toHaveLength(Number(file.script_jobs_if_all_steps_run));
    },
  );
});
