import { anything, flag, integer, list, mapOf, object, orNull, text, time, url, uuid, word } from './schema.js';

const outcome = () => word('build', 'cancel', 'ignore', 'failed');

const decision = object({
  kind: text(), action: orNull(text()), repository: orNull(text()), branch: orNull(text()), tag: orNull(text()), commit: orNull(text()), message: orNull(text()),
  author: orNull(object({ name: orNull(text()), email: orNull(text()), username: orNull(text()) })),
  pull_request: orNull(object({ id: text(), title: orNull(text()), base_branch: orNull(text()), fork: flag(), draft: orNull(flag()), labels: list(text()) })),
  outcome: outcome(), reason: text(),
  rules: list(object({ rule: text(), outcome: word('pass', 'stop'), reason: text() })),
  build: orNull(object({ id: uuid(), number: integer(), url: url() })),
  canceled_build_ids: list(uuid()),
});

const provider = () => word('github', 'gitlab', 'bitbucket', 'bitbucket_server', 'gitea', 'gogs');

export const deliveryReply = object(
  {
    id: uuid(), url: url(), delivery_id: text(), provider: provider(), event: text(), state: word('pending', 'processed'), outcome: orNull(outcome()), reason: orNull(text()),
    headers: list(text()), decisions: list(decision), created_at: time(), processed_at: orNull(time()),
  },
  { payload: anything() },
);

export const deliveryPreviewReply = object({ provider: provider(), event: text(), outcome: outcome(), reason: text(), decisions: list(decision) });

export const webhookReply = object({ id: text(), url: url(), provider: text(), repository: text(), created_at: time() });

export const providerConnectionReply = object({ id: uuid(), url: url(), provider: word('github', 'github_enterprise'), host: text(), api_url: url(), created_at: time() });

export const pipelineTriggerReply = object(
  {
    id: uuid(), url: url(), kind: word('generic', 'github', 'linear'), description: orNull(text()), branch: text(), commit: text(), message: text(), env: mapOf(text()), enabled: flag(),
    signed: flag(), created_at: time(),
  },
  { token: text(), trigger_url: url() },
);
