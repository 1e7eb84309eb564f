/** Names of the colors that the server has for a badge. */
export const badgeThemes = ['default', 'github', 'slack', 'saturn', 'flickr', 'solarized', 'mono'] as const;

/** What a badge shows, as its address says it; empty texts say nothing. */
export interface BadgeWish {
  branch: string;
  step: string;
  theme: string;
  square: boolean;
}

/** The address of a badge with what it shall show. */
export function badgeAddress(address: string, { branch, step, theme, square }: BadgeWish): string {
  const query = new URLSearchParams({
    ...(branch.trim() ? { branch: branch.trim() } : {}),
    ...(step.trim() ? { step: step.trim() } : {}),
    ...(theme === 'default' ? {} : { theme }),
    ...(square ? { style: 'square' } : {}),
  });
  return query.size === 0 ? address : `${address}?${query.toString()}`;
}

/** The texts that show a badge with a link to `page`, by the markup they are in. */
export function badgeTexts(name: string, badge: string, page: string): { markup: string; text: string }[] {
  const plain = name.replaceAll(/[[\]`<>"&|]/g, '');
  const html = badge.replaceAll('&', '&amp;');
  return [
    { markup: 'Markdown', text: `[![${plain}](${badge})](${page})` },
    { markup: 'HTML', text: `<a href="${page}"><img src="${html}" alt="${plain}"></a>` },
    { markup: 'reStructuredText', text: `.. image:: ${badge}\n   :target: ${page}\n   :alt: ${plain}` },
    { markup: 'AsciiDoc', text: `image:${badge}[${plain},link=${page}]` },
    { markup: 'URL', text: badge },
  ];
}
