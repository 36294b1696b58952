/**
 * Record rules: the operator says in a file which elements of a site's pages are records and which of their parts are
 * properties. The entries of lists are recognized without further rules, if the file asks for it.
 */

export { recordFinder } from './apply-rules.ts';
export { RuleFiles } from './rule-files.ts';
