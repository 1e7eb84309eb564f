import { Environment, Network, Observable, RecordSource, type RecordSourceSelectorProxy, Store } from 'relay-runtime';
import { describe, expect, test } from 'vitest';
import { Folds, foldsOf } from '../../../src/console/pages/build/job/log-folds';
import { prependNewBuild } from '../../../src/console/pages/pipeline/prepend-build';
import { nodesOf } from '../../../src/console/relay/nodes';

describe('the items of a connection', () => {
  test('are its nodes without the holes that the schema allows', () => {
    expect(nodesOf({ edges: [{ node: 1 }, null, { node: null }, { node: 2 }] })).toEqual([1, 2]);
    expect(nodesOf(null)).toEqual([]);
    expect(nodesOf({ edges: null })).toEqual([]);
  });
});

describe('a list of builds that is told of a build', () => {
  const connection = 'client:pipeline:__buildList_builds_connection';

  /** Numbers of the builds that are listed after the event of a build, from a list of 3 and 2. */
  function listedAfter(number: number, { isRead = true } = {}): unknown[] {
    const store = new Store(new RecordSource());
    const network = Network.create(() => Observable.from(Promise.resolve({ data: {} })));
    const environment = new Environment({ network, store });
    environment.commitUpdate((records) => {
      const pipeline = records.create('pipeline', 'Pipeline');
      records.getRoot().setLinkedRecord(records.create('event', 'PipelineUpdate'), 'pipeline');
      const build = (each: number) =>
        records.get(`build ${each}`) ?? records.create(`build ${each}`, 'Build').setValue(each, 'number');
      records.get('event')?.setLinkedRecord(build(number), 'build');
      if (!isRead) return;
      const edges = [3, 2].map((each) =>
        records.create(`edge ${each}`, 'BuildEdge').setLinkedRecord(build(each), 'node'),
      );
      const list = records.create(connection, 'BuildConnection').setLinkedRecords(edges, 'edges');
      pipeline.setLinkedRecord(list, '__buildList_builds_connection');
    });
    environment.commitUpdate((records) => {
      const getRootField = (name: string) => records.getRoot().getLinkedRecord(name);
      const selected = Object.assign(Object.create(records), { getRootField }) as RecordSourceSelectorProxy;
      prependNewBuild(selected, 'pipeline');
    });
    let numbers: unknown[] = [];
    environment.commitUpdate((records) => {
      const edges = records.get(connection)?.getLinkedRecords('edges') ?? [];
      numbers = edges.map((edge) => edge?.getLinkedRecord('node')?.getValue('number'));
    });
    return numbers;
  }

  test('begins with a new one', () => expect(listedAfter(4)).toEqual([4, 3, 2]));
  test('stays as it is for one that it shows', () => expect(listedAfter(3)).toEqual([3, 2]));
  test('stays as it is for an older one, which is further down', () => expect(listedAfter(1)).toEqual([3, 2]));
  test('stays unread before it was read', () => expect(listedAfter(4, { isRead: false })).toEqual([]));
});

describe('the groups of a log', () => {
  const groups = [
    { line: 2, open: false },
    { line: 5, open: true },
    { line: 7, open: false },
  ];

  test('hide the lines of closed ones and keep their headers', () => {
    const folds = new Folds(foldsOf(groups, 10, new Map(), false), 10);
    expect(Array.from({ length: folds.rows }, (_, row) => folds.lineOfRow(row))).toEqual([0, 1, 2, 5, 6, 7]);
  });

  test('open as the reader chose, and the last one where it is to be seen', () => {
    const chosen = new Map([[5, false]]);
    expect(foldsOf(groups, 10, chosen, true).map(({ open }) => open)).toEqual([false, false, true]);
  });

  test('lead from every visible line to its row and back, and from a hidden line to its header', () => {
    const folds = new Folds(foldsOf(groups, 10, new Map(), false), 10);
    for (let row = 0; row < folds.rows; row += 1) expect(folds.rowOfLine(folds.lineOfRow(row))).toBe(row);
    expect(folds.rowOfLine(4)).toBe(folds.rowOfLine(2));
    expect(folds.rowOfLine(9)).toBe(folds.rowOfLine(7));
  });
});
