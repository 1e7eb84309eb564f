import { limits } from '../../../src/domain/limits/limits.js';
import { acme } from '../support/stage.js';
import { textOf } from '../support/texts.js';
import { atLimit, type Filler, inTurns } from './filler.js';

const description = textOf(limits.descriptionLength);
export const command = 'steps: [{ command: "true" }]';
/** A configuration of this size, which is no more than a comment to who runs it. */
const configurationOf = (bytes: number) => textOf(bytes, `${command} # `);
const repository = 'https://git.example.com/acme/app.git';
/** Variables as large as all together may be. */
export const fullEnv = (): Record<string, string> => {
  const size = Math.floor(limits.envBytes / 16) - 20;
  return Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`V${index}`, textOf(size)]));
};

const pipelines: Filler = {
  kind: 'pipelines',
  async fill(stage, known) {
    await atLimit('a configuration', limits.configurationBytes, (size) =>
      stage.rest('POST', `${acme}/pipelines`, { name: 'Full', repository, configuration: configurationOf(size) }),
    );
    const tags = Array.from({ length: limits.tagsPerPipeline }, (_, index) => textOf(limits.tagLength, `${index}`));
    const branches = Array.from({ length: 15 }, (_, index) => `branch-${index}-${'x'.repeat(200)}`).join(' ');
    const rule = { days: limits.retentionDays, count: limits.retentionBuilds };
    const overrides = Array.from({ length: limits.retentionOverrides }, (_, index) => ({
      branches: textOf(limits.retentionPatternLength, `${index}`),
      builds: rule,
      logs: rule,
      artifacts: rule,
    }));
    await inTurns(40, async (index) => {
      const fields = { description, tags, branch_configuration: branches, repository, retention: { overrides } };
      const body = { ...fields, name: `Full ${index}`, configuration: configurationOf(limits.configurationBytes) };
      const { id } = await stage.made('POST', `${acme}/pipelines`, body);
      if (index < 20) await stage.rest('PUT', `${acme}/pipelines/full-${index}/favorite`);
      await stage.rest('POST', `${acme}/teams/${known['team']}/pipelines`, { pipeline_id: id });
      known['pipeline'] = id;
      known['pipelines'] = `${known['pipelines'] ?? ''} ${id}`.trim();
    });
    // The audit event of a large change has the names of the fields, not their values.
    await inTurns(20, (index) =>
      stage.made('PATCH', `${acme}/pipelines/full-${index}`, {
        configuration: `# ${index}\n${configurationOf(1_000_000)}`,
      }),
    );
    await inTurns(40, async (index) => {
      const body = { name: `T${index}`, configuration: configurationOf(limits.configurationBytes), description };
      known['template'] = (await stage.made('POST', `${acme}/pipeline-templates`, body)).uuid;
    });
    const rules = 40;
    await inTurns(rules, async (index) => {
      const conditions = Array.from(
        { length: limits.ruleConditions },
        (_, number) =>
          textOf(limits.conditionLength, `source.build.creator.name == "${number}" || source.build.branch == "`).slice(
            0,
            -1,
          ) + '"',
      );
      const value = {
        source_pipeline: `full-${index % 20}`,
        target_pipeline: `full-${20 + Math.floor(index / 20)}`,
        conditions,
      };
      const type = 'pipeline.trigger_build.pipeline';
      const reply = await stage.rest('POST', `${acme}/rules`, { type, value, description });
      if (reply.status >= 300) throw new Error(`a rule was answered ${reply.status} ${reply.text.slice(0, 300)}`);
      known['rule'] = JSON.parse(reply.text).uuid;
    });
  },
};

const sources: Filler = {
  kind: 'schedules and triggers',
  async fill(stage, known) {
    const env = fullEnv();
    const message = textOf(16_000);
    const path = `${acme}/pipelines/full-1`;
    await inTurns(limits.schedulesPerPipeline, async (index) => {
      const body = { cronline: '0 0 1 1 *', label: textOf(255, `${index}`), message: textOf(limits.messageBytes), env };
      known['schedule'] = (await stage.made('POST', `${path}/schedules`, body)).id;
    });
    await inTurns(limits.triggersPerPipeline, async () => {
      const body = { description, message, env, branch: textOf(limits.branchLength) };
      known['trigger'] = (await stage.made('POST', `${path}/triggers`, body)).id;
    });
  },
};

/** Deliveries of a source provider whose payloads are as large as they are kept. */
const deliveries: Filler = {
  kind: 'webhook deliveries',
  async fill(stage, known) {
    const { provider } = await stage.made('GET', `${acme}/pipelines/full-1`);
    const { pathname } = new URL(provider.webhook_url);
    const body = JSON.stringify({ ref: 'refs/heads/x', text: textOf(limits.webhookPayloadKeptBytes - 100) });
    await inTurns(100, async (index) => {
      const headers = { 'X-GitHub-Event': 'ping', 'X-GitHub-Delivery': `delivery-${index}` };
      const reply = await stage.client.send('POST', pathname, { headers, body });
      if (reply.status >= 300) throw new Error(`a delivery was answered ${reply.status} ${reply.text.slice(0, 300)}`);
      known['delivery'] = JSON.parse(reply.text).id;
    });
  },
};

export const pipelineFillers: readonly Filler[] = [pipelines, sources, deliveries];
