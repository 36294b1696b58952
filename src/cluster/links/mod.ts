/** Links on their way between crawl nodes, through RabbitMQ. */

export { type QueueDepths, readQueueDepths } from './queue-depths.ts';
export { RabbitLinkExchange } from './rabbit-link-exchange.ts';
