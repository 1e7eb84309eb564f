import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { leaveWorkflow } from '../../support/one-workflow.js';
import { newSuite, result, upload } from '../../support/suites.js';

test("'test-workflow-delivery.redeliver' makes the same delivery on both surfaces, and refuses one that is tried", async () => {
  const surfaces = await BothSurfaces.open();
  try {
    const suite = await newSuite(surfaces, 'RSpec');
    await upload(surfaces, suite.authorization, 'K', [result('a')]);
    const [{ id: test }] = await surfaces.read(['get', `${suite.path}/tests`]);
    const { workflow, workflowEvent, workflowDelivery } = await leaveWorkflow(surfaces.world, {
      suite: suite.id,
      test,
    });
    const of = `${suite.path}/workflows/${workflow}/events/${workflowEvent}/deliveries`;
    const made = await surfaces.read(['post', `${of}/${workflowDelivery}/redeliver`]);
    const document = `mutation ($input: SuiteWorkflowRedeliverInput!) {
      suiteWorkflowRedeliver(input: $input) { delivery { uuid state receiverUrl redeliveryOf } } }`;
    const input = { id: workflow, event: workflowEvent, delivery: workflowDelivery };
    const { suiteWorkflowRedeliver } = await surfaces.select([document, { input }]);
    const { uuid, ...other } = suiteWorkflowRedeliver.delivery;
    expect(other).toEqual({
      state: made.state,
      receiverUrl: made.receiver_url,
      redeliveryOf: made.redelivery_of,
    });
    const all: Data[] = await surfaces.read(['get', of]);
    expect(all.map(({ id }) => id)).toEqual([uuid, made.id, workflowDelivery]);
    const { status } = await surfaces.rest(['post', `${of}/${uuid}/redeliver`]);
    const { errors } = await surfaces.graphql([document, { input: { ...input, delivery: uuid } }]);
    expect([status, errors?.[0]?.message]).toEqual([422, 'The delivery is still being tried']);
  } finally {
    await surfaces.close();
  }
});
