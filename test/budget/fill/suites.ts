import { limits } from '../../../src/domain/limits/limits.js';
import { uploadFailures } from '../rows-of-readers.js';
import { acme } from '../support/stage.js';
import { textOf } from '../support/texts.js';
import { type Filler, inTurns } from './filler.js';

const suites = '/analytics/organizations/acme/suites';

const results: Filler = {
  kind: 'test results',
  async fill(stage, known) {
    const { path } = await uploadFailures(stage, 'Large', 10);
    const [, run = ''] = /runs\/([^/]+)$/.exec(path) ?? [];
    known['run'] = run;
    const suite = await stage.made('GET', `${suites}/large?show_api_token=true`);
    Object.assign(known, { suite: 'large', suite_id: suite.id });
    const long = textOf(limits.testNameLength - 10);
    const tags = Object.fromEntries(
      Array.from({ length: limits.testTags }, (_, index) => [`tag${index}`, textOf(limits.testTagValueLength)]),
    );
    const data = Array.from({ length: limits.testResultsPerUpload }, (_, index) => ({
      ...{ scope: long, name: `${index} ${long}`, location: long, file_name: long, tags, result: 'passed' },
      history: { section: 'top', start_at: 1, end_at: 2, duration: 1 },
    }));
    // As many executions as fit into one upload.
    const headers = { authorization: `Token token="${suite.api_token}"` };
    const runEnv = {
      key: known['build'] ?? 'run',
      commit_sha: textOf(255),
      message: textOf(60_000),
      branch: textOf(255),
    };
    const actions = Array.from({ length: limits.testWorkflowActions }, () => ({
      ...{ type: 'slack', channel: textOf(limits.labelLength) },
      message: textOf(limits.testWorkflowMessageLength),
    }));
    for (let index = 0; index < limits.testWorkflows; index += 1) {
      const { id } = await stage.made('POST', `${suites}/large/workflows`, {
        name: textOf(limits.nameLength, `${index}`),
        // The first has an event for each test, whatever its tags.
        ...(index === 0
          ? { monitor: { type: 'new_test' } }
          : { monitor: { type: 'duration', window: limits.testWorkflowWindow, alarm: 1, recover: 0 } }),
        tag_filters: Array.from(
          { length: index === 0 ? 0 : limits.testWorkflowTagFilters },
          (_, tag) => `tag${tag}:!${textOf(limits.testTagValueLength)}`,
        ),
        alarm_actions: actions,
        // What is new never recovers.
        recover_actions: index === 0 ? [] : actions,
      });
      known['workflow'] ??= id;
    }
    for (const part of [data.slice(0, 1_500), data.slice(1_500, 3_000)])
      await stage.client.json('POST', '/v1/uploads', {
        headers,
        body: { format: 'json', run_env: runEnv, data: part },
      });
    const [event] = await stage.made('GET', `${suites}/large/workflows/${known['workflow']}/events?per_page=1`);
    known['workflow_event'] = event.id;
    const tests = await stage.made('GET', `${suites}/large/tests?per_page=100`);
    known['test'] = tests[0].id;
    const labels = Array.from({ length: limits.testLabels }, (_, index) => textOf(100, `l${index}`));
    await inTurns(100, (index) =>
      stage.made('PATCH', `${suites}/large/tests/${tests[index].id}/labels`, { operator: 'add', labels }),
    );
    // As many long paths as a plan may have bytes for.
    const wide = Array.from({ length: Math.floor(limits.testPlanBytes / 1_150) }, (_, index) => ({
      path: textOf(limits.testNameLength - 10, `${index}`),
    }));
    await stage.made('POST', `${suites}/large/test_plan`, {
      identifier: 'build/step',
      branch: textOf(255),
      parallelism: limits.testPlanNodes,
      tests: { files: wide },
    });
    // As many rules as the bytes of a file have room for.
    const team = `${acme}/teams/${known['team']}`;
    const rule = `${textOf(limits.testOwnerPatternLength)} ${(await stage.made('GET', team)).slug}\n`;
    await stage.made('POST', `${team}/suites`, { suite_id: suite.id, access_level: ['read'] });
    await stage.client.json('POST', '/v1/test-ownerships', {
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
      body: [
        '--b',
        'content-disposition: form-data; name="file"; filename="TESTOWNERS"',
        '',
        rule.repeat(Math.floor(limits.testOwnersBytes / rule.length)),
        '--b--',
        '',
      ].join('\r\n'),
    });
    await stage.rest('PUT', `${suites}/large/tests/${tests[1].id}/mute`);
    await stage.rest('PUT', `${suites}/large/tests/${tests[2].id}/skip`);
    await inTurns(50, (index) => stage.made('POST', suites, { name: `Suite ${index}`, default_branch: textOf(255) }));
  },
};

const notifications: Filler = {
  kind: 'notifications',
  async fill(stage, known) {
    const url = String(stage.notes['sink'] ?? '');
    const scope = { scope: 'some_projects', scope_uuids: (known['pipelines'] ?? '').split(' ') };
    for (let index = 0; index < limits.webhookServices; index += 1) {
      const settings = { url: `${url}?${textOf(1_900)}`, token: textOf(limits.notificationTokenLength) };
      const { id } = await stage.made('POST', `${acme}/services`, {
        description: textOf(255, `${index}`),
        settings,
        ...scope,
      });
      known['service'] = id;
      await stage.made('POST', `${acme}/services/${id}/ping`);
    }
    // One event of each of some large builds, for every service.
    for (let number = 1; number <= 3; number += 1)
      await stage.rest('PUT', `${acme}/pipelines/${known['parallel']}/builds/${number}/cancel`);
    const deliveries = await stage.made('GET', `${acme}/services/${known['service']}/deliveries`);
    known['notification_delivery'] = deliveries[0].id;
  },
};

export const lastFillers: readonly Filler[] = [results, notifications];
