import { createApplication } from '../../src/server/application.js';
import { requestsTo } from './requests.js';
import type { World } from './world.js';

/** What `/metrics` of a world says, read anew: values by name and labels as they are written there. */
export class Scrape {
  private constructor(readonly text: string) {}

  static async of({ services }: World, options: { disk?: string } = {}): Promise<Scrape> {
    const application = createApplication(services, [], { metrics: true, ...options });
    const { text } = await requestsTo(application).get('/metrics').expect(200);
    return new Scrape(text);
  }

  /** The value of one series; undefined for one that is not there. */
  value(series: string): number | undefined {
    const line = this.text.split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  }

  /** The series of a metric that are not zero, by their labels. */
  series(name: string): Record<string, number> {
    const lines = this.text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const entries = lines.map((line): [string, number] => {
      const end = line.lastIndexOf('} ');
      return [line.slice(name.length + 1, end), Number(line.slice(end + 2))];
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== 0));
  }
}
