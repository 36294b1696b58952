/** Recognizes titles that programs set if the author gives none, such as names of files. */

const PROGRAM_TITLE =
  /^(?:untitled.*|(?:powerpoint|word|excel)[ -](?:presentation|document|spreadsheet)|powerpoint-präsentation|présentation powerpoint|microsoft \w+ - .*|(?:document|presentation|book|slide)[ -]?\d*|.*\.(?:docx?|dvi|tex|indd|pptx?|xlsx?|qxd|rtf|pdf|od[tsp]|epub))$/i;

export function isProgramTitle(title: string): boolean {
  return PROGRAM_TITLE.test(title);
}
