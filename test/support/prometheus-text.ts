/** A sample of the text format of Prometheus. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads samples back; throws for a line that is none, and for a series or a type that is there twice. */
export function samplesOf(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line break');
  const seen = new Set<string>();
  const once = (key: string) => {
    if (seen.has(key)) throw new Error(`${key} is there twice`);
    seen.add(key);
  };
  return text.split('\n').flatMap((each) => {
    if (each === '') return [];
    if (each.startsWith('#')) {
      if (!/^# (HELP|TYPE) \w+ /.test(each)) throw new Error(`no comment of the format: ${each}`);
      once(each.split(' ', 3).join(' '));
      return [];
    }
    const [, name = '', labels = '', value] = line.exec(each) ?? [];
    if (name === '') throw new Error(`no sample: ${each}`);
    once(`${name}{${labels}}`);
    const pairs = [...labels.matchAll(label)].map(([, key = '', quoted = '']) => [
      key,
      quoted.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}
