/** Limits of requests that hold for all crawl nodes together: the delay between requests to one IP address. */
export { ADDRESS_TURNS_SCHEMA, PostgresAddressTurns, removeOldTurns } from './address-turns.ts';
