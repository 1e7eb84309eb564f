import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { runUntilIdle } from '../support/run-until-idle.js';
import type { EventDecision } from '../../src/domain/integrations/webhook-deliveries/event-decision.js';
import type { PipelineRow } from '../../src/entities/database.js';
import { seal } from '../../src/auth/sealed.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { describeWithVectors } from '../support/vectors.js';
import {
  bytesOf,
  kindOf,
  payloadOf,
  vectorSecret,
  type WebhookVector,
  webhookVectors,
} from '../support/webhook-vectors.js';
import { World } from '../support/world.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';

/** Everything on, so that every payload that can make a build makes one. */
const generous = {
  trigger_mode: 'code',
  build_branches: true,
  build_tags: true,
  build_pull_requests: true,
  build_pull_request_forks: true,
  build_pull_request_labels_changed: true,
  build_pull_request_ready_for_review: true,
  build_pull_request_reopened: true,
  build_pull_request_edited: true,
  build_pull_request_converted_to_draft: true,
  build_pull_request_review_requested: true,
  build_pull_request_dequeued: true,
  build_check_run_completed: true,
  build_pull_request_review_submitted: true,
  build_pull_request_review_dismissed: true,
  build_release_published: true,
  build_release_created: true,
  build_release_released: true,
  build_create_event: true,
  build_merge_group_checks_requested: true,
  cancel_deleted_branch_builds: true,
  cancel_when_merge_group_destroyed: true,
  skip_pull_request_builds_for_existing_commits: false,
  skip_builds_for_closed_pull_requests: false,
};

const repositories: Record<WebhookVector['provider'], { providerId: string; repository: string }> = {
  github: { providerId: 'github', repository: 'https://github.com/acme/app.git' },
  'github-enterprise': { providerId: 'github_enterprise', repository: 'https://github.acme.test/acme/app.git' },
  gitlab: { providerId: 'gitlab', repository: 'https://gitlab.com/acme/app.git' },
  bitbucket: { providerId: 'bitbucket', repository: 'https://bitbucket.org/acme/app.git' },
  'bitbucket-server': { providerId: 'bitbucket_server', repository: 'https://bitbucket.acme.test/scm/acme/app.git' },
  gitea: { providerId: 'git', repository: 'https://git.acme.test/acme/app.git' },
  gogs: { providerId: 'git', repository: 'https://git.acme.test/acme/other.git' },
};

const builtActions = [
  'opened',
  'open',
  'created',
  'reopened',
  'edited',
  'labeled',
  'unlabeled',
  'ready_for_review',
  'converted_to_draft',
  'review_requested',
  'dequeued',
];

/** Gitea's summaries omit that the head is in another repository; only GitHub has a setting that allows such builds. */
function fromFork(vector: WebhookVector): boolean {
  const pull = payloadOf(vector)['pull_request'] as
    { head?: { repo?: { full_name: string } }; base?: { repo?: { full_name: string } } } | undefined;
  return pull?.head?.repo?.full_name !== pull?.base?.repo?.full_name;
}

/** Commits built so far, in the order of the index. */
const built = new Set<string>();

/** The outcome that the settings above give for a payload, computed from the provider-neutral summary alone. */
function expected({ summary, provider, ...vector }: WebhookVector): 'build' | 'cancel' | 'ignore' {
  const kind = kindOf({ summary, provider, ...vector });
  const { action } = summary;
  const hosted = provider.startsWith('github');
  switch (kind) {
    case 'branch_push':
      return 'build';
    case 'tag_push':
      return 'build';
    case 'branch_delete':
      return hosted || provider === 'bitbucket' ? 'cancel' : 'ignore';
    case 'pull_request':
      if (hosted)
        return (action === 'synchronize' ? summary['from_fork'] === true : builtActions.includes(action ?? ''))
          ? 'build'
          : 'ignore';
      if (provider === 'bitbucket') return action === 'created' || action === 'updated' ? 'build' : 'ignore';
      // These have no setting for it: a commit that was pushed and built is not built again as a pull request.
      if (summary['from_fork'] === true || fromFork({ summary, provider, ...vector })) return 'ignore';
      if (!summary.commit || built.has(`${provider} ${summary.branch ?? ''} ${summary.commit}`)) return 'ignore';
      return action === 'opened' || action === 'open' ? 'build' : 'ignore';
    case 'release':
      return hosted && ['published', 'created', 'released'].includes(action ?? '') ? 'build' : 'ignore';
    case 'merge_group':
      return action === 'checks_requested' ? 'build' : 'cancel';
    case 'check_run':
      return action === 'completed' && summary.branch !== undefined ? 'build' : 'ignore';
    case 'pull_request_review':
      return action === 'submitted' || action === 'dismissed' ? 'build' : 'ignore';
    case 'ref_create':
      return hosted && ['branch', 'tag'].includes(String(summary['ref_type'])) ? 'build' : 'ignore';
    default:
      return 'ignore';
  }
}

describeWithVectors(
  'recorded payloads of every provider over HTTP [api-v2:idacfa,omkcbj,gjmipg,enoaai,fhlhai,lhpndi]',
  () => {
    let world: World;
    let server: Server;
    let url: string;
    const pipelines = new Map<string, PipelineRow>();

    beforeAll(async () => {
      world = await World.create();
      const app = express();
      app.use('/webhooks', webhookRouter(world.services));
      server = createServer(app);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/deliver/`;
      for (const [provider, place] of Object.entries(repositories)) {
        const pipeline = await world.pipeline('steps:\n  - command: "true"\n', {
          ...place,
          slug: `from-${provider}`,
          providerSettings: generous,
        });
        pipelines.set(provider, pipeline);
        await world.services.db
          .insertInto('pipeline_webhooks')
          .values({
            pipelineId: pipeline.id,
            organizationId: pipeline.organizationId,
            secret: seal(world.services.secretKey, 'webhook-secret', vectorSecret),
            createdAt: world.clock.now(),
            updatedAt: world.clock.now(),
          })
          .execute();
      }
    });
    afterAll(async () => {
      await new Promise((resolve) => server.close(resolve));
      await world.close();
    });

    test.each(webhookVectors.map((vector) => [vector.id, vector.provider, vector.payload, vector] as const))(
      'the payload of vector %s from %s is decided and built as expected: %s',
      async (id, _provider, _payload, vector) => {
        const pipeline = pipelines.get(vector.provider)!;
        const { db } = world.services;
        const reply = await fetch(url + webhookTokenOf(world.services, pipeline), {
          method: 'POST',
          headers: vector.headers,
          body: new Uint8Array(bytesOf(vector)),
        });
        const body = (await reply.json()) as { id: string };
        // Some payloads are in two collections: the second time they are the same delivery, or one with the same bytes.
        expect([200, 202]).toContain(reply.status);
        await runUntilIdle(world.services);
        const delivery = await db
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('id', '=', body.id)
          .executeTakeFirstOrThrow();
        expect(JSON.stringify(delivery.headers)).not.toContain(vectorSecret);
        const decisions = delivery.decisions as EventDecision[];
        expect(decisions).toHaveLength(vector.summary.changes?.length ?? 1);
        expect([id, delivery.outcome, delivery.reason]).toEqual([id, expected(vector), expect.any(String)]);
        for (const decision of decisions) expect(decision.rules.length).toBeGreaterThan(1);

        const ids = decisions.flatMap(({ buildId }) => buildId ?? []);
        const builds =
          ids.length === 0 ? [] : await db.selectFrom('builds').selectAll().where('id', 'in', ids).execute();
        expect(builds).toHaveLength(delivery.outcome === 'build' ? decisions.length : 0);
        const [build] = builds;
        if (build) built.add(`${vector.provider} ${build.branch} ${build.commit}`);
        if (!build) return;
        const summary = vector.summary.changes?.[0] ?? vector.summary;
        const kind = kindOf(vector);
        expect(build).toMatchObject({ source: 'webhook', pipelineId: pipeline.id });
        if (summary.commit && kind !== 'release') expect(build.commit).toBe(summary.commit);
        if (summary.message) expect(build.message).toBe(summary.message);
        else if (summary.title) expect(build.message).toBe(summary.title);
        if (summary.author) expect(build.author).toMatchObject(summary.author);
        if (summary.tag) expect([build.tag, build.branch]).toEqual([summary.tag, summary.tag]);
        else if (summary.branch)
          expect(build.branch).toBe(
            summary['from_fork'] === true ? `${String(summary['head_owner'])}:${summary.branch}` : summary.branch,
          );
        if (kind === 'pull_request') {
          expect(build.pullRequestId).toBe(String(summary.number));
          if (summary['base_branch']) expect(build.pullRequestBaseBranch).toBe(summary['base_branch']);
          if (Array.isArray(summary['labels'])) expect(build.pullRequestLabels).toEqual(summary['labels']);
          if (typeof summary['draft'] === 'boolean') expect(build.pullRequestDraft).toBe(summary['draft']);
        }
      },
    );
  },
);
