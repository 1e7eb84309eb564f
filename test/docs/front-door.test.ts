import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { globSync } from 'tinyglobby';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(path, 'utf8');

describe('docs/decisions', () => {
  const files = readdirSync('docs/decisions').filter((name) => name !== 'README.md');

  test('decisions are numbered from 1 on, each number once and none left out', () => {
    const numbers = files.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
    expect(numbers.sort((a, b) => a - b)).toEqual(files.map((_name, index) => index + 1));
  });

  test('the index links every decision with its title', () => {
    const titles = files.sort().map((name) => {
      const [, title = ''] = /^# \d+[.:] (.*)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
      return `- [${name.slice(0, 4)}](${name}): ${title}`;
    });
    expect(read('docs/decisions/README.md').match(/^- .*$/gm)).toEqual(titles);
  });
});

describe('.github', () => {
  interface Update {
    'package-ecosystem': string;
    directory?: string;
    directories?: string[];
    schedule: { interval: string };
  }

  test('dependency updates cover every manifest of the repository', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] };
    const covered = updates.flatMap(({ directory, directories = [], ...update }) =>
      [...(directory === undefined ? [] : [directory]), ...directories].map(
        (folder) => `${update['package-ecosystem']} ${folder}`,
      ),
    );
    const manifests = globSync(
      ['**/package.json', '**/go.mod', '**/Dockerfile', '**/compose.yaml', '.github/workflows/*'],
      {
        ignore: ['**/node_modules/**', 'dist/**', 'data/**', 'tmp/**'],
        dot: true,
      },
    );
    const ecosystems: Record<string, string> = {
      'package.json': 'npm',
      'go.mod': 'gomod',
      Dockerfile: 'docker',
      'compose.yaml': 'docker-compose',
    };
    const needed = manifests.map((path) => {
      if (path.startsWith('.github/workflows/')) return 'github-actions /';
      const folder = dirname(path);
      return `${ecosystems[path.slice(path.lastIndexOf('/') + 1)]} ${folder === '.' ? '/' : `/${folder}`}`;
    });
    expect([...new Set(needed)].sort()).toEqual(covered.sort());
  });

  test('every issue form has a name, a description and fields with labels, and asks bugs for their version', () => {
    const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { dot: true }).filter(
      (path) => !path.endsWith('/config.yml'),
    );
    expect(forms.length).toBeGreaterThan(2);
    for (const path of forms) {
      const { name, description, body } = parse(read(path)) as {
        name?: string;
        description?: string;
        body: { type: string; id?: string; attributes: { label?: string } }[];
      };
      const fields = body.filter(({ type }) => type !== 'markdown');
      expect({ path, name, description }).toEqual({ path, name: expect.any(String), description: expect.any(String) });
      expect(fields.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([]);
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
      if (path.endsWith('/bug.yml')) expect(fields.map(({ id }) => id)).toContain('version');
    }
  });

  test('the pull request template names commands and documents that exist', () => {
    const text = read('.github/pull_request_template.md');
    const { scripts } = parse(read('package.json')) as { scripts: Record<string, string> };
    expect([...text.matchAll(/npm run ([\w:]+)/g)].filter(([, script = '']) => !(script in scripts))).toEqual([]);
    const documents = [...text.matchAll(/[\w./-]+\.(?:md|graphql|json)\b/g)].map(([path]) => path);
    expect(documents.length).toBeGreaterThan(3);
    expect(documents.filter((path) => !existsSync(path))).toEqual([]);
  });
});
