/**
 * Leaves for the sign-in page, which returns here. What was typed is kept by `useDraft`. Leaves once, however many
 * requests of a page are refused.
 */
let leaving = false;

export function goToSignIn(): void {
  if (leaving) return;
  leaving = true;
  const { pathname, search, hash } = window.location;
  window.location.assign(`/login?return_to=${encodeURIComponent(pathname + search + hash)}`);
}
