import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Fields of a message of Protobuf by their number, in the order in which they came. */
type Fields = Map<number, (Uint8Array | number | bigint)[]>;

export interface DecodedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  attributes: Record<string, string>;
}

/**
 * Reads a request of OTLP by the numbers of the published `opentelemetry/proto/collector/trace/v1` and `trace/v1`, with
 * a reader that is not that of the exporter.
 */
export function decodeTraces(body: Uint8Array): { resource: Record<string, string>; spans: DecodedSpan[] } {
  const [resourceSpans] = messages(body, 1);
  if (!resourceSpans) throw new Error('the request has no spans');
  const [resource] = messages(resourceSpans, 1);
  const spans = messages(resourceSpans, 2).flatMap((scopeSpans) => messages(scopeSpans, 2));
  return { resource: attributesOf(resource ?? new Uint8Array(), 1), spans: spans.map(spanOf) };
}

function spanOf(bytes: Uint8Array): DecodedSpan {
  const hex = (field: number) => Buffer.from(messages(bytes, field)[0] ?? []).toString('hex');
  const text = (field: number) => Buffer.from(messages(bytes, field)[0] ?? []).toString('utf8');
  return {
    traceId: hex(1),
    spanId: hex(2),
    traceState: text(3),
    parentSpanId: hex(4),
    name: text(5),
    attributes: attributesOf(bytes, 9),
  };
}

function attributesOf(bytes: Uint8Array, field: number): Record<string, string> {
  return Object.fromEntries(
    messages(bytes, field).map((pair) => {
      const [key, value] = [messages(pair, 1)[0], messages(pair, 2)[0]];
      const text = value && messages(value, 1)[0];
      return [Buffer.from(key ?? []).toString('utf8'), Buffer.from(text ?? []).toString('utf8')];
    }),
  );
}

const messages = (bytes: Uint8Array, field: number): Uint8Array[] =>
  (fieldsOf(bytes).get(field) ?? []).filter((value) => value instanceof Uint8Array);

function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const value = valueOf(reader, type);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

function valueOf(reader: BinaryReader, type: WireType): Uint8Array | number | bigint {
  if (type === WireType.LengthDelimited) return reader.bytes();
  if (type === WireType.Varint) return BigInt(reader.uint64());
  if (type === WireType.Bit64) return BigInt(reader.fixed64());
  if (type === WireType.Bit32) return reader.fixed32();
  throw new Error(`a field has the wire type ${type}`);
}
