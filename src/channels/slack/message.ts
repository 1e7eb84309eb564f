import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { type BuildFacts, happened, mood, shortCommit, summaryOf } from '../build-facts.js';
import { type FailedJobs, moreJobs } from '../failed-jobs.js';

export type Theme = 'text' | 'emoji';

/** A message as incoming webhooks of Slack take it, and servers that are compatible with them. */
export interface SlackMessage extends JsonObject {
  text: string;
  attachments: {
    color: string;
    fallback: string;
    title?: string;
    title_link?: string;
    text: string;
    fields?: { title: string; value: string; short: boolean }[];
    mrkdwn_in?: 'text'[];
  }[];
}

export const colors = { good: '#2eb67d', bad: '#e01e5a', waiting: '#ecb22e', neutral: '#868e96' } as const;
export const emoji = {
  good: ':white_check_mark:',
  bad: ':x:',
  waiting: ':raised_hand:',
  neutral: ':information_source:',
} as const;

/** Slack cuts longer texts, and reads `&`, `<` and `>` as its own markup. */
export const longestText = 3000;
export const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Writes the message of an event. A text of the pipeline's author (`slack.message`) stands above it as it is, with
 * mentions; anything from a build is escaped, so that a commit message mentions nobody. Each failed job is an
 * attachment with the lines of its log that tell most.
 */
export function slackMessage(
  facts: BuildFacts,
  failed: FailedJobs,
  theme: Theme,
  own: string | null = null,
): SlackMessage {
  const summary = escape(summaryOf(facts));
  const name = mood(facts);
  const field = (title: string, value: string | null) =>
    value === null || value === '' ? [] : [{ title, value: escape(value), short: true }];
  return {
    text: (own ?? (theme === 'emoji' ? `${emoji[name]} ${summary}` : summary)).slice(0, longestText),
    attachments: [
      {
        color: colors[name],
        fallback: summary,
        title: escape(`#${facts.number} ${happened(facts)}`),
        title_link: facts.url,
        text: escape(facts.title),
        fields: [
          ...field('Pipeline', facts.pipeline),
          ...field('Branch', facts.branch),
          ...field('Commit', shortCommit(facts.commit)),
          ...field('Author', facts.author),
        ],
        mrkdwn_in: ['text'],
      },
      ...failedAttachments(failed),
    ],
  };
}

function failedAttachments({ jobs, more }: FailedJobs): SlackMessage['attachments'] {
  const ofJobs: SlackMessage['attachments'] = jobs.map(({ name, url, reason, lines }) => ({
    color: colors.bad,
    fallback: escape(`${name}: ${reason}`),
    title: escape(name),
    title_link: url,
    text: escape(reason) + (lines === '' ? '' : `\n\`\`\`\n${escape(withoutFence(lines))}\n\`\`\``),
    mrkdwn_in: ['text'],
  }));
  return more === 0 ? ofJobs : [...ofJobs, { color: colors.bad, fallback: moreJobs(more), text: moreJobs(more) }];
}

/** Lines that cannot end the block of code they stand in. */
const withoutFence = (lines: string) => lines.replaceAll('```', "'''");
