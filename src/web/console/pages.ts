import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether `rest`, the segments after an address such as `/organizations/:organization`, leads to a page. `paths`
 * are those of the console's routes (`/organizations/$organization/agents`), which name their parameters as the
 * addresses do.
 */
export function isPageBelow(paths: readonly string[], address: string, rest: readonly string[]): boolean {
  const start = `${address.replaceAll('/:', '/$')}/`;
  return paths.some((path) => {
    if (!path.startsWith(start)) return false;
    const segments = path.slice(start.length).split('/');
    return (
      segments.length === rest.length &&
      segments.every((segment, index) => segment.startsWith('$') || segment === rest[index])
    );
  });
}

/** Reads which pages the console has, which its build leaves beside its files; again where that changed. */
export class ConsolePages {
  private read: { paths: string[]; modifiedMs: number } | null = null;

  constructor(private readonly folder: string) {}

  /**
   * Whether there is a page below an address, at the segments of `rest`. Without a built console everything is one:
   * the server then answers with a plain page about what the address names.
   */
  async has(address: string, rest: readonly string[]): Promise<boolean> {
    const paths = await this.paths();
    return paths === null || isPageBelow(paths, address, rest);
  }

  private async paths(): Promise<string[] | null> {
    const file = join(this.folder, 'pages.json');
    try {
      const { mtimeMs } = await stat(file);
      if (this.read?.modifiedMs !== mtimeMs)
        this.read = { paths: JSON.parse(await readFile(file, 'utf8')) as string[], modifiedMs: mtimeMs };
      return this.read.paths;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
