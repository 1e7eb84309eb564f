/**
 * `npm run screenshots`: pictures of every page of the console with real data, light and dark, on a desktop and a
 * phone, into docs/screenshots, and docs/console-screenshots.md around them. Needs Chromium and a built console.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { type ConsolePage, everyPage } from './pages.js';

const folder = join(process.cwd(), 'docs', 'screenshots');
const looks = [
  { name: 'light', dark: false, width: 1280, height: 800 },
  { name: 'dark', dark: true, width: 1280, height: 800 },
  { name: 'phone', dark: false, width: 360, height: 720 },
  { name: 'phone-dark', dark: true, width: 360, height: 720 },
] as const;
/** Of WebP, 0 to 100: text stays sharp, and a picture takes 10 to 20 kB. */
const quality = 45;

async function take(world: ConsoleWorld, pages: readonly ConsolePage[]): Promise<void> {
  const page = await world.page();
  const browser = await page.context().newCDPSession(page);
  for (const { name, path, heading } of pages) {
    // A change behind `#` alone would not load the page again.
    await page.goto('about:blank');
    await page.setViewportSize(looks[0]);
    await page.goto(path, { waitUntil: 'networkidle' });
    await see(page.getByRole('heading', { level: 1, name: heading }));
    for (const { name: look, dark, width, height } of looks) {
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      await page.setViewportSize({ width, height });
      const { data } = await browser.send('Page.captureScreenshot', {
        format: 'webp',
        quality,
        clip: { x: 0, y: 0, width, height, scale: 0.75 },
      });
      writeFileSync(join(folder, `${name}-${look}.webp`), Buffer.from(data, 'base64'));
    }
  }
  await page.context().close();
}

function writeDocument(pages: readonly ConsolePage[]): void {
  const picture = (name: string, look: string) => `![${name}, ${look}](screenshots/${name}-${look}.webp)`;
  const sections = pages.map(
    ({ name }) =>
      `## ${name.replaceAll('-', ' ')}\n\n${picture(name, 'light')} ${picture(name, 'dark')}\n\n` +
      `${picture(name, 'phone')} ${picture(name, 'phone-dark')}\n`,
  );
  const head =
    '# The console in pictures\n\nEvery page, light and dark, on a desktop and a phone; `npm run screenshots` takes them.\n';
  writeFileSync(join(process.cwd(), 'docs', 'console-screenshots.md'), [head, ...sections].join('\n'));
}

const reason = whyNot();
if (reason) throw new Error(reason);
mkdirSync(folder, { recursive: true });
for (const old of readdirSync(folder)) rmSync(join(folder, old));
const world = await ConsoleWorld.start();
try {
  const pages = await everyPage(world);
  await take(world, pages);
  writeDocument(pages);
} finally {
  await world.close();
}
