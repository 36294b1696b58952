/**
 * The gateway: answers a typed query with a page of results by sending requests to one or more shards. A query costs
 * three round trips to the shards for its terms, two for its candidates and one for the page; see
 * docs/design/query.md.
 */

export { Gateway, type GatewayOptions } from './gateway.ts';
