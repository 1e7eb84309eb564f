import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import type { ScheduledBackups } from '../../src/services/services.js';
import { testUnless } from '../support/skips.js';
import { Scrape } from '../support/scrape.js';
import { World } from '../support/world.js';

const operations = readFileSync('docs/operations.md', 'utf8');
const alertsFile = 'deploy/prometheus/alerts.yaml';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}
const rules = (parse(readFileSync(alertsFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { definition?: string }[] };
}
const dashboard = JSON.parse(readFileSync('deploy/grafana/slipway.json', 'utf8')) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);
const variables = dashboard.templating.list.flatMap(({ definition }) =>
  definition === undefined ? [] : [/^label_values\((.*), (\w+)\)$/.exec(definition) ?? []],
);
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels,
  ...variables.map(([, selector = '', label = '']): [string, string] => [label, `sum by (${label}) (${selector})`]),
];

/** Names of metrics and labels in an expression; throws if it is none. Grafana puts an interval for its variable. */
function namesOf(expression: string): { metrics: string[]; labels: string[] } {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const names = { metrics: [] as string[], labels: [] as string[] };
  const visit = (node: SyntaxNode) => {
    if (node.type.isError) throw new Error(`${text.slice(0, node.from)}<here>${text.slice(node.from)}`);
    const own = () => text.slice(node.from, node.to);
    if (node.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.metrics.push(own());
    if (node.name === 'LabelName') names.labels.push(own());
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
  };
  visit(parser.parse(text).topNode);
  return names;
}

/** The labels of the metrics that the page describes. */
const described = new Map<string, string[]>();
for (const [, name = '', labels = ''] of operations.matchAll(/`(slipway_[a-z_]*[a-z])\{([a-z,]+)\}`/g))
  described.set(name, labels.split(','));

describe('metrics', () => {
  let types: Map<string, string>;
  beforeAll(async () => {
    const world = await World.create();
    // Their gauges are there where they are configured; no backup is made here.
    world.services.scheduledBackups = {} as ScheduledBackups;
    const { text } = await Scrape.of(world, { disk: '.' });
    types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
    await world.close();
  });
  /** The metric that a series belongs to. */
  const metricOf = (series: string) => {
    const base = series.replace(/_(bucket|sum|count)$/, '');
    return types.has(series) ? series : types.get(base) === 'histogram' ? base : undefined;
  };

  test('are all described, and no others are', () => {
    const own = [...types.keys()].filter((name) => /^(slipway|buildkite)_/.test(name));
    expect(own.length).toBeGreaterThan(60);
    const rows = [...operations.matchAll(/^\| (`(?:slipway|buildkite)_.*?`) \|/gm)].map(([, names = '']) => names);
    const listed = rows.flatMap((names) => [...names.matchAll(/`([a-z_]+)/g)].map(([, name = '']) => name));
    expect([...new Set(listed)].sort()).toEqual(own.sort());
  });

  test.each(expressions)('of %s exist, with their labels', (_title, expression) => {
    const { metrics, labels } = namesOf(expression);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => metricOf(name) === undefined)).toEqual([]);
    const known = new Set(['instance', 'le', ...metrics.flatMap((name) => labelsOf(metricOf(name) ?? ''))]);
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });
  const labelsOf = (name: string) =>
    name.startsWith('buildkite_')
      ? ['cluster', ...(name.includes('_queues_') ? ['queue'] : [])]
      : (described.get(name) ?? []);
});

describe('alerts', () => {
  test('say what to do, each below a heading of its own', () => {
    const headings = [...operations.matchAll(/^#### (Slipway\w+)\n(.)/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  });

  const isHere = spawnSync('promtool', ['--version']).status === 0;
  testUnless(isHere ? null : 'promtool is not installed', 'pass promtool', () => {
    expect(execFileSync('promtool', ['check', 'rules', alertsFile], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});
