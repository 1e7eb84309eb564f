import { Door } from '../support.js';

const create =
  'mutation ($input: PipelineScheduleCreateInput!) { pipelineScheduleCreate(input: $input) { pipelineScheduleEdge { node { id env } } } }';
const update =
  'mutation ($input: PipelineScheduleUpdateInput!) { pipelineScheduleUpdate(input: $input) { pipelineSchedule { env } } }';

describe('schedules on GraphQL', () => {
  let door: Door;
  beforeAll(async () => void (door = await Door.open()));
  afterAll(() => door.close());

  test('the environment of a schedule has the values without the quotes in which clients write them', async () => {
    const { id: pipelineID } = await door.world.pipeline('steps: []');
    const input = { pipelineID, cronline: '@daily', label: 'Nightly', env: 'A="1"\nB="two\\nlines"\nC=3\n' };
    const { node } = (await door.data(create, { input })).pipelineScheduleCreate.pipelineScheduleEdge;
    expect(node.env).toEqual(['A=1', 'B=two\nlines', 'C=3']);
    const changed = async (env: string | null) =>
      (await door.data(update, { input: { id: node.id, env } })).pipelineScheduleUpdate.pipelineSchedule.env;
    expect(await changed(String.raw`A="say \"hi\""`)).toEqual(['A=say "hi"']);
    expect(await changed('')).toEqual([]);
  });
});
