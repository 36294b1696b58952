/**
 * The gateway: turns a typed query into a page of results by asking one or more shards. A query costs three
 * round trips to the shards for its terms, two for its candidates and one for the page; see docs/design/query.md.
 */

export { Gateway, type GatewayOptions } from './gateway.ts';
