import { type BuildFacts, buildFacts, happened, shortCommit, summaryOf, textAt } from '../build-facts.js';
import { type Channel, payloadOf } from '../channel.js';
import { type FailedJobs, moreJobs } from '../failed-jobs.js';
import { escapeHtml } from '../escape-html.js';

/** Mail by the SMTP server of the installation (`SMTP_URL`). */
export const email: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    if (!services.mail)
      return { verdict: 'refused', reply: null, error: 'No mail is configured on this server (SMTP_URL).' };
    const facts = buildFacts(message.event, payloadOf(message));
    const mail = mailOf(facts, await message.failedJobs(facts));
    const { verdict, status, words } = await services.mail.send({
      ...mail,
      to: textAt(message.target, 'address') ?? '',
      id: message.deliveryId,
    });
    const reply = status === null ? null : { status, body: words };
    return {
      verdict,
      reply,
      error: verdict === 'sent' ? null : words,
      request: `Subject: ${mail.subject}\n\n${mail.text}`,
    };
  },
};

/** Subject and body of an event, as text and as HTML; failed jobs with the lines of their logs that tell most. */
export function mailOf(facts: BuildFacts, failed: FailedJobs): { subject: string; text: string; html: string } {
  const { pipeline, number, branch, title, url } = facts;
  const subject = `[${pipeline}] #${number} on ${branch} ${happened(facts)}${title === '' ? '' : `: ${title}`}`;
  const rows = [
    ['Branch', branch],
    ['Commit', shortCommit(facts.commit)],
    ['Message', title],
    ['Author', facts.author ?? ''],
  ].filter(([, value]) => value !== '') as [string, string][];
  const text = [
    `${summaryOf(facts)}.`,
    '',
    ...rows.map(([name, value]) => `${name}: ${value}`),
    '',
    url,
    '',
    ...failedText(failed),
  ].join('\n');
  const cells = rows.map(([name, value]) => `<tr><td>${name}</td><td>${escapeHtml(value)}</td></tr>`).join('');
  const html =
    `<p><a href="${escapeHtml(url)}">${escapeHtml(summaryOf(facts))}</a></p>` +
    `<table cellpadding="4">${cells}</table>${failedHtml(failed)}`;
  return { subject: subject.replaceAll(/[\r\n]+/g, ' ').slice(0, 250), text, html };
}

function failedText({ jobs, more }: FailedJobs): string[] {
  const ofJobs = jobs.flatMap(({ name, url, reason, lines }) => [
    `${name}: ${reason}`,
    url,
    ...(lines === '' ? [] : ['', ...lines.split('\n').map((line) => `    ${line}`)]),
    '',
  ]);
  return more === 0 ? ofJobs : [...ofJobs, moreJobs(more), ''];
}

function failedHtml({ jobs, more }: FailedJobs): string {
  const ofJobs = jobs.map(({ name, url, reason, lines }) => {
    const head = `<p><a href="${escapeHtml(url)}">${escapeHtml(name)}</a>: ${escapeHtml(reason)}</p>`;
    return lines === '' ? head : `${head}<pre>${escapeHtml(lines)}</pre>`;
  });
  return ofJobs.join('') + (more === 0 ? '' : `<p>${moreJobs(more)}</p>`);
}
