/** Signs people in to the admin pages: sessions, forms that cannot be forged, and roles. */

export { renderAdminDocument } from './admin-document.ts';
export { guardAdminPages, requireSession, sessionOf, tokenIn, whoOf } from './admin-session.ts';
export { type Session, Sessions } from './sessions.ts';
export { signInRoutes, signOutRoute } from './sign-in-page.ts';
