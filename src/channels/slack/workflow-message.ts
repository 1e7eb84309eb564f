import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { objectAt, shortCommit, textAt } from '../build-facts.js';
import { colors, emoji, escape, longestText, type SlackMessage, type Theme } from './message.js';

/** What each monitor of tests says in an alarm, and of a test that has recovered. */
const words: Readonly<Record<string, { alarm: string; recover: string }>> = {
  transition_count: { alarm: 'passes and fails in turns', recover: 'no longer passes and fails in turns' },
  passed_on_retry: {
    alarm: 'passed and failed on one commit',
    recover: 'has not passed and failed on one commit for a while',
  },
  new_test: { alarm: 'ran for the first time', recover: 'ran for the first time' },
  duration: { alarm: 'is slow', recover: 'is no longer slow' },
};
const unknown = { alarm: 'is in alarm', recover: 'has recovered' };

/** Writes the message of an event of a workflow of tests; `own` stands above it in place of the usual text. */
export function workflowMessage(payload: JsonObject, theme: Theme, own: string | null): SlackMessage {
  const subject = objectAt(payload, 'subject');
  const facts = objectAt(payload, 'workflow_event');
  const isAlarm = payload['event'] === 'workflow.alarm';
  const type = textAt(facts, 'type') ?? '';
  const said = (words[type] ?? unknown)[isAlarm ? 'alarm' : 'recover'];
  const name = escape(textAt(subject, 'test_full_name') ?? 'a test');
  const summary = `${name} ${said}`.slice(0, longestText);
  const mood = isAlarm ? 'waiting' : 'good';
  const commit = textAt(facts, 'execution_commit_sha');
  const field = (title: string, value: string | null) =>
    value === null ? [] : [{ title, value: escape(value), short: true }];
  return {
    text: (own ?? (theme === 'emoji' ? `${emoji[mood]} ${summary}` : summary)).slice(0, longestText),
    attachments: [
      {
        color: colors[mood],
        fallback: summary,
        title: name,
        title_link: textAt(subject, 'test_url') ?? '',
        text: said,
        fields: [
          ...field('Location', textAt(subject, 'test_location')),
          ...field('Branch', textAt(facts, 'execution_branch')),
          ...field('Commit', commit === null ? null : shortCommit(commit)),
          ...field('Workflow', textAt(payload, 'workflow_url')),
        ],
        mrkdwn_in: ['text'],
      },
    ],
  };
}
