import { ConnectionHandler, type RecordSourceSelectorProxy } from 'relay-runtime';

const connectionKey = 'buildList_builds';

/**
 * Puts the build that an event of its pipeline names before the others of the list. Changes nothing if it is there
 * already, or older than the newest there.
 */
export function prependNewBuild(store: RecordSourceSelectorProxy, pipelineId: string) {
  const build = store.getRootField('pipeline')?.getLinkedRecord('build');
  const pipeline = store.get(pipelineId);
  const connection = pipeline && ConnectionHandler.getConnection(pipeline, connectionKey);
  if (!build || !connection) return;
  const edges = connection.getLinkedRecords('edges') ?? [];
  const id = build.getDataID();
  if (edges.some((edge) => edge?.getLinkedRecord('node')?.getDataID() === id)) return;
  const newest = edges[0]?.getLinkedRecord('node')?.getValue('number');
  if (typeof newest === 'number' && Number(build.getValue('number')) < newest) return;
  ConnectionHandler.insertEdgeBefore(connection, ConnectionHandler.createEdge(store, connection, build, 'BuildEdge'));
}
