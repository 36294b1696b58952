/**
 * Serves small icons of sites, read from the archive or, if there is none, generated from the first letter of
 * the host name.
 */

export { iconRoutes } from './site-icon.ts';
