import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { notFound } from '../../domain/problem.js';
import type { Tool } from '../tool.js';

/** `src/mcp/skills`, of which the build puts a copy beside the program. */
const folder = fileURLToPath(new URL('../skills/', import.meta.url));

/** A text that explains how to use the tools for a longer piece of work. */
interface Skill {
  name: string;
  title: string;
  description: string;
  content: string;
}

const shape = /^---\ntitle: (?<title>.+)\ndescription: (?<description>.+)\n---\n+(?<content>[^]+)$/;

async function readSkill(file: string): Promise<Skill> {
  const parts = shape.exec(await readFile(join(folder, file), 'utf8'))?.groups;
  if (!parts) throw new Error(`${file} has no title and description`);
  const { title = '', description = '', content = '' } = parts;
  return { name: file.replace(/\.md$/, ''), title, description, content };
}

let all: Promise<Skill[]> | null = null;

/** The texts, which are read once. */
function skills(): Promise<Skill[]> {
  all ??= readdir(folder).then((files) =>
    Promise.all(
      files
        .filter((file) => file.endsWith('.md'))
        .sort()
        .map(readSkill),
    ),
  );
  return all;
}

const skillTool = {
  toolset: 'skills',
  isReadOnly: true,
  isDestructive: false,
  isIdempotent: true,
  scopes: () => [],
} as const;

export const skillTools: Tool[] = [
  {
    ...skillTool,
    name: 'list_skills',
    title: 'Skills',
    description: 'Lists texts on how to use the tools.',
    input: z.strictObject({
      query: z.string().max(200).optional().describe('Only texts with all of these words'),
    }),
    run: async (_call, args) => {
      const words = String(args['query'] ?? '')
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const matches = (await skills()).filter((skill) => {
        const text = Object.values(skill).join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      });
      return { skills: matches.map(({ name, title, description }) => ({ name, title, description })) };
    },
  },
  {
    ...skillTool,
    name: 'load_skill',
    title: 'Skill',
    description: 'Returns a text of list_skills.',
    input: z.strictObject({ skill_name: z.string().max(100).describe('Name of the skill') }),
    run: async (_call, args) => {
      const known = await skills();
      const skill = known.find(({ name }) => name === args['skill_name']);
      if (!skill) throw notFound(`There is no such skill. Skills are: ${known.map(({ name }) => name).join(', ')}.`);
      return { ...skill };
    },
  },
];
