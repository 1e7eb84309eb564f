import papaparse from 'papaparse';
import type { Insight } from '../../domain/builds/insights/insight.js';
import type { Context } from '../../request/context.js';
import { insightResource, presentInsight } from '../present/organizations/insight.js';
import type { Exchange } from '../route.js';
import { sendReply } from './send-reply.js';

const names = insightResource.schema['required'] as string[];

/**
 * Sends figures as CSV with a line of names first, that of the keys being what rows are by. Keys that a spreadsheet
 * would take for a formula are marked as texts, as the console does.
 */
export async function sendInsightTable(
  context: Context,
  insights: readonly Insight[],
  { response, restRequest }: Exchange,
): Promise<void> {
  const subject = restRequest.text('by') ?? 'pipeline';
  const rows = await Promise.all(insights.map((insight) => presentInsight(context, insight)));
  const table = [
    names.map((name) => (name === 'key' ? subject : name)),
    ...rows.map((row) => names.map((name) => row[name])),
  ];
  const text = papaparse.unparse(table, { escapeFormulae: true, newline: '\n' });
  sendReply(response, { status: 200, body: `${text}\n` }, 'text/csv; charset=utf-8; header=present');
}
