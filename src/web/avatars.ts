import { Router } from 'express';

/**
 * Pictures of people: `/avatars/{hash}.svg`, where the hash is of the e-mail address. Drawn from the hash alone, so
 * that they need no request to another site and say nothing that the hash does not.
 */
export function avatarRouter(): Router {
  const router = Router();
  router.get('/:hash.svg', (request, response) => {
    const hash = request.params.hash;
    if (!/^[0-9a-f]{32}$/.test(hash)) {
      response.status(404).json({ message: 'Not Found' });
      return;
    }
    response
      .set({
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Cache-Control': 'public, max-age=86400, immutable',
        'Content-Security-Policy': "default-src 'none'",
        'X-Content-Type-Options': 'nosniff',
      })
      .send(drawAvatar(hash));
  });
  return router;
}

const cells = 5;

/** Five by five cells, mirrored, in a colour of the hash's own. */
function drawAvatar(hash: string): string {
  const hue = Math.round((Number.parseInt(hash.slice(0, 4), 16) / 0xffff) * 360);
  const half = Math.ceil(cells / 2);
  const squares: string[] = [];
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < half; column += 1) {
      const filled = Number.parseInt(hash[4 + row * half + column] ?? '0', 16) % 2 === 0;
      if (!filled) continue;
      for (const x of new Set([column, cells - 1 - column]))
        squares.push(`<rect x="${x + 1}" y="${row + 1}" width="1" height="1"/>`);
    }
  }
  const size = cells + 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="80" height="80" ` +
    `shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="hsl(${hue},30%,92%)"/><g fill="hsl(${hue},55%,45%)">${squares.join('')}</g></svg>`
  );
}
