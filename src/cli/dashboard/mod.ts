/** The data and the actions of the admin pages, for `serve/admin/`. */

export { openDashboard } from './dashboard.ts';
export { openDesk } from './desk.ts';
