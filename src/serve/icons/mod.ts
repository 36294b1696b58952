/** Serves small icons of sites, from the archive or generated from the first letter of the host name. */

export { iconRoutes } from './site-icon.ts';
