/** The data and the actions of the admin pages, for `serve/admin/`. */

export { openDesk } from './desk.ts';
