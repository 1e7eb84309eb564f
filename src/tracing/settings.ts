/** Which traces are to be sent, and how, as the variables of OpenTelemetry say. */
export interface TracingSettings {
  protocol: 'http/protobuf' | 'http/json';
  sampler: Sampler;
}

/** Traces were asked for, and none would come: the address is most likely that of a port which speaks gRPC alone. */
const withoutGrpc = (name: string) =>
  `${name}: traces are sent over HTTP, not grpc. Set it to http/protobuf, and OTEL_EXPORTER_OTLP_ENDPOINT to the ` +
  `collector's port for HTTP (4318 where gRPC has 4317); or send none with OTEL_TRACES_EXPORTER=none`;

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface Sampler {
  name: (typeof samplers)[number];
  /** Share of traces, from 0 to 1, of a sampler by ratio. */
  ratio: number;
}

type Variables = Record<string, string | undefined>;

/**
 * Reads the variables of OpenTelemetry: null where no exporter of traces is asked for. `warnings` says what this
 * program does not do, since platforms set these variables for every process; `problem` what a server does not start
 * with.
 */
export function tracingSettings(env: Variables): {
  settings: TracingSettings | null;
  warnings: string[];
  problem?: string;
} {
  const value = (...names: string[]) => names.map((name) => env[`OTEL_${name}`]).find((each) => each);
  const exporter = value('TRACES_EXPORTER');
  const isAsked = exporter === 'otlp' || Boolean(value('EXPORTER_OTLP_TRACES_ENDPOINT', 'EXPORTER_OTLP_ENDPOINT'));
  if (!isAsked || exporter === 'none' || value('SDK_DISABLED')?.toLowerCase() === 'true')
    return { settings: null, warnings: [] };
  const without = (reason: string) => ({ settings: null, warnings: [`no traces are exported: ${reason}`] });
  if (exporter && exporter !== 'otlp') return without(`OTEL_TRACES_EXPORTER can be otlp or none, not ${exporter}`);
  const protocol = value('EXPORTER_OTLP_TRACES_PROTOCOL', 'EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf';
  if (protocol === 'grpc') {
    const own = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'];
    const problem = withoutGrpc(`OTEL_EXPORTER_OTLP_${own ? 'TRACES_' : ''}PROTOCOL`);
    return { settings: null, warnings: [], problem };
  }
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return without(`OTEL_EXPORTER_OTLP_PROTOCOL can be http/protobuf or http/json, not ${protocol}`);
  const { sampler, warnings } = samplerOf(value('TRACES_SAMPLER'), value('TRACES_SAMPLER_ARG'));
  return { settings: { protocol, sampler }, warnings };
}

function samplerOf(text: string | undefined, argument: string | undefined): { sampler: Sampler; warnings: string[] } {
  const name = samplers.find((each) => each === (text ?? 'parentbased_always_on'));
  const ratio = Number(argument ?? 1);
  const isRatio = ratio >= 0 && ratio <= 1;
  const warnings = [
    ...(name ? [] : [`OTEL_TRACES_SAMPLER: ${text} is not known, every trace is exported`]),
    ...(isRatio ? [] : [`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${argument}: 1 is used`]),
  ];
  return { sampler: { name: name ?? 'parentbased_always_on', ratio: isRatio ? ratio : 1 }, warnings };
}
