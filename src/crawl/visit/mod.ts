/**
 * One visit of a leased host: a request for robots.txt, a page or an icon, or a wait. The response handler
 * turns a response into records; revisits decide when a URL is due again.
 */

export { HostLeases } from './host-leases.ts';
export { IconVisits } from './icon-visit.ts';
export { PageVisits } from './page-visit.ts';
export { ParsingCosts } from './parsing-costs.ts';
export { ProbeVisits } from './probe-visit.ts';
export { ResponseHandler } from './response-handler.ts';
export { captureOfImport, type ImportedAnswer } from './revisits.ts';
export { RobotsVisits } from './robots-visit.ts';
export type { VisitServices } from './visit-services.ts';
export { Visitor } from './visitor.ts';
