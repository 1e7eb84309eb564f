import { randomUUID } from 'node:crypto';
import type { Express } from 'express';
import { interpolateDefinition } from '../../../../src/domain/pipelines/steps/interpolate-definition.js';
import { InterpolationError } from '../../../../src/domain/pipelines/steps/interpolate.js';
import type { Json } from '../../../../src/domain/pipelines/steps/step.js';
import { otherJobCounts, refused } from '../../../domain/pipelines/steps/known-vectors.js';
import { agentApp, buildOf, ScriptedAgent } from '../../../support/scripted-agent.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../../../support/vectors.js';
import { World } from '../../../support/world.js';

interface Entry {
  id: string;
  /** The agent's form of the file, or the name of the file that holds it. */
  reference_json?: string | Json;
  script_jobs_if_all_steps_run?: number | null;
  uses_interpolation?: boolean;
}

const listed = (name: string): Entry[] => {
  const read = vectorsPresent ? readVectors<Entry[] | { cases: Entry[] }>(`pipelines/${name}`) : [];
  return Array.isArray(read) ? read : read.cases;
};

let world: World;
let app: Express;
beforeAll(async () => {
  if (!vectorsPresent) return;
  world = await World.create();
  app = agentApp(world);
});
afterAll(() => world?.close());

/** Conditions that the converters made up; stored steps show them only once a build is created. */
const badConditions: Record<string, string> = {
  'mig-020': 'steps[0].if: `pull_request.id` is not a variable (column 1)',
  'mig-093': 'steps[0].if: unterminated regular expression (column 150)',
};

/**
 * Why a case is refused. The agent's form of a document has steps, and each of its keys once, where the text has not.
 */
function reasonOf(id: string): string | undefined {
  const reason = badConditions[id] ?? refused[id];
  return reason === undefined || /no "steps"|not valid YAML/.test(reason) ? undefined : reason;
}

/** Steps without their `if_changed`, as an agent uploads them that has decided it. */
function decided(value: Json): Json {
  if (Array.isArray(value)) return value.map(decided);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (name === 'if_changed' ? [] : [[name, decided(item)]])),
  );
}

/** The document as an agent without environment uploads it; null where it refuses to. */
function interpolated(document: Json): Json | null {
  try {
    return interpolateDefinition(document, {});
  } catch (error) {
    if (error instanceof InterpolationError) return null;
    throw error;
  }
}

describeWithVectors('pipelines that agents upload', () => {
  describe.each([['real-index.json'], ['docs-examples.json'], ['migration-snapshots.json']])('%s', (name) => {
    const entries = listed(name).filter((entry) => entry.reference_json);
    let agent: ScriptedAgent;
    let job: string;
    let build: string;
    let sent = 0;

    // Each upload replaces the steps of the one before, which stay with the build: in one build they would become
    // slower.
    beforeEach(async () => {
      if (sent % 20 === 0) {
        ({ id: build } = (await buildOf(world, 'steps: [{ command: upload }]')).build);
        agent = await ScriptedAgent.connected(app, world.agentToken);
        job = await agent.takeJob();
      }
      sent += 1;
    });

    const upload = (pipeline: Json) =>
      agent
        .call('post', `/jobs/${job}/pipelines`, agent.jobToken)
        .send({ uuid: randomUUID(), pipeline, replace: true });

    test('the file has cases', () => {
      expect(entries.length).toBeGreaterThan(50);
    });

    test.each(entries.map((entry) => [entry.id, entry] as const))(
      'the pipeline %s is planned in a running build, or refused for a known reason',
      async (id, entry) => {
        const reference =
          typeof entry.reference_json === 'string'
            ? readVectors<Json>(`pipelines/${entry.reference_json}`)
            : (entry.reference_json as Json);
        const document = interpolated(reference);
        if (document === null) return;
        const undecided = JSON.stringify(document) !== JSON.stringify(decided(document));
        const known = reasonOf(id);
        if (undecided) {
          const response = await upload(document);
          expect([response.status, response.body.message]).toEqual([
            422,
            expect.stringMatching(/if_changed|has no type/),
          ]);
        }
        const { status, body } = await upload(decided(document));
        if (known !== undefined) {
          expect([status, body.message]).toEqual([422, expect.stringContaining(known)]);
          return;
        }
        expect([status, body.message]).toEqual([200, undefined]);
        if (entry.uses_interpolation !== false || entry.script_jobs_if_all_steps_run == null) return;
        const jobs = await world.services.db
          .selectFrom('jobs')
          .select('id')
          .where('buildId', '=', build)
          .where('type', '=', 'command')
          .where('id', '!=', job)
          .execute();
        expect(jobs.length).toBe(otherJobCounts[id] ?? entry.script_jobs_if_all_steps_run);
      },
    );
  });
});
