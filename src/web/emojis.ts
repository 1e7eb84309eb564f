import { Router } from 'express';

/**
 * Pictures of emoji: `/emojis/{name}.svg`, the characters themselves on a square, so that nothing is loaded from
 * elsewhere.
 */
export function emojiRouter(): Router {
  const router = Router();
  router.get('/:name.svg', async (request, response) => {
    const { emojiOf } = await import('../domain/installation/emoji.js');
    const emoji = emojiOf(request.params.name);
    if (!emoji) {
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
      .send(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><text x="32" y="32" ` +
          `font-size="52" text-anchor="middle" dominant-baseline="central">${emoji.text}</text></svg>`,
      );
  });
  return router;
}
