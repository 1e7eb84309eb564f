import fc from 'fast-check';
import { decodeNodeId, encodeNodeId, idFromEither, isUuid, nodeKinds } from '../../src/domain/node-id.js';
import type { NodeKind } from '../../src/domain/node-id.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../support/vectors.js';

interface Vectors {
  recorded: Record<string, { example: [string, string, string] | null }>;
}

describeWithVectors('recorded node ids', () => {
  const { recorded } = vectorsPresent ? readVectors<Vectors>('graphql/global-ids.json') : { recorded: {} };
  const examples = Object.entries(recorded).flatMap(([kind, { example }]) =>
    example ? [[kind as NodeKind, example[0], example[2]] as const] : [],
  );
  test.each(examples)('a recorded node id of kind %s is encoded and decoded: %s', (kind, id, uuid) => {
    expect(encodeNodeId(kind, uuid)).toBe(id);
    expect(decodeNodeId(id)).toEqual({ kind, uuid });
    expect(idFromEither(id, [kind])).toBe(uuid);
  });
});

const uuid = '01920d5c-ecf9-479b-89de-b746318d0fbe';

test.each(['JobTypeCommand', 'JobTypeBlock', 'JobTypeTrigger', 'JobTypeWait', 'Job'])(
  'a node id of kind %s denotes a job',
  (kind) => {
    expect(decodeNodeId(btoa(`${kind}---${uuid}`))).toEqual({ kind: 'Job', uuid });
  },
);

test.each([
  '',
  uuid,
  'not base64!',
  btoa(`Unknown---${uuid}`),
  btoa(`Job--${uuid}`),
  btoa('Job---x'),
  btoa(`job---${uuid}`),
  btoa(`Job---${uuid}x`),
  btoa(`Job---${'-'.repeat(36)}`),
  `${btoa(`Job---${uuid}`)}\n`,
  btoa(`constructor---${uuid}`),
  'A'.repeat(1_000),
  'A',
])('%j is not a valid node id', (text) => expect(decodeNodeId(text)).toBeNull());

test('an id is accepted as node id and as UUID, and a node id only for its own type', () => {
  expect(idFromEither(uuid.toUpperCase(), ['Cluster'])).toBe(uuid);
  expect(idFromEither(encodeNodeId('Cluster', uuid), ['Cluster'])).toBe(uuid);
  expect(idFromEither(encodeNodeId('Cluster', uuid), ['Pipeline', 'Build'])).toBeNull();
  expect(idFromEither('default', ['Cluster'])).toBeNull();
  expect(isUuid(`${uuid}0`)).toBe(false);
});

test('encoding and decoding a node id gives back its kind and UUID', () => {
  fc.assert(
    fc.property(fc.constantFrom(...nodeKinds), fc.uuid(), (kind, id) => {
      const encoded = encodeNodeId(kind, id);
      expect(encoded).toBe(Buffer.from(`${kind}---${id}`).toString('base64'));
      expect(decodeNodeId(encoded)).toEqual({ kind, uuid: id });
      expect(decodeNodeId(encoded.replace(/=+$/, ''))).toEqual({ kind, uuid: id });
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      decodeNodeId(text);
    }),
  );
});
