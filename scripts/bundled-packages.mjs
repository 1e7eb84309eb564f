/** Which packages the modules of a bundle are of, and their licences, which ask to go where the code goes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param moduleIds paths of modules, as a bundler names them
 * @returns the packages among them by name, each with the text of its licence, empty where it brings none
 */
export function packagesOf(moduleIds) {
  const folders = new Set(
    moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/')) ?? []),
  );
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = existsSync(folder) ? readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry)) : undefined;
    return { name, version, license, text: file ? readFileSync(join(folder, file), 'utf8').trim() : '' };
  });
}

/** The licences of packages as one text. */
export function licenceText(packages) {
  return packages
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`)
    .join('\n\n---\n\n');
}
