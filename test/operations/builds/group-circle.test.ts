import { runUntilIdle } from '../../support/run-until-idle.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { explainOneJob } from '../../../src/operations/builds/jobs/explain.js';
import { JobRunner } from '../../support/job-runner.js';
import { World } from '../../support/world.js';

const gate = 'concurrency: 1, concurrency_group: production';

test('a build that waits in a group behind the build that triggered it says that neither goes on', async () => {
  const world = await World.create();
  try {
    const runner = new JobRunner(world);
    await world.pipeline(`steps: [{ command: deploy, ${gate} }]`, { slug: 'deploy', name: 'Deploy' });
    const parent = await world.pipeline(
      `steps: [{ command: open, ${gate} }, wait, { trigger: deploy }, wait, { command: close, ${gate} }]`,
    );
    const { build } = await world.perform(world.admin, createBuild, {
      pipeline: { id: parent.id },
      commit: 'HEAD',
      branch: 'main',
      message: 'Go',
    });
    await runUntilIdle(world.services);
    const [open] = await runner.jobs(build.id);
    await runner.run(open!.id);
    await runUntilIdle(world.services);
    const child = await world.services.db
      .selectFrom('builds')
      .selectAll()
      .where('id', '!=', build.id)
      .executeTakeFirstOrThrow();
    const [deploy] = await runner.jobs(child.id);
    expect(deploy!.state).toBe('limited');
    const { explanation } = await world.perform(world.admin, explainOneJob, { job: { id: deploy!.id } });
    const close = (await runner.jobs(build.id)).find(({ command }) => command === 'close');
    expect(explanation).toMatchObject({ reason: 'concurrency_group', jobIds: [close!.id] });
    expect(explanation!.message).toContain('neither goes on until one of them is canceled');
  } finally {
    await world.close();
  }
});
