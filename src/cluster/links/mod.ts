/** Links on their way between crawl nodes, through RabbitMQ. */

export { type DeadLetter, deleteDeadLetters, readDeadLetters, resendDeadLetters } from './dead-letters.ts';
export { type QueueDepths, readDeadLetterCount, readQueueDepths } from './queue-depths.ts';
export { RabbitLinkExchange } from './rabbit-link-exchange.ts';
