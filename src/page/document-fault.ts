/**
 * The reason why the body of a response is not the document that its content type promises. The names are stored with
 * the URL and must never change their meaning.
 *
 *   encrypted      it needs a password or a key
 *   damaged        it ends too early, or its bytes contradict each other
 *   missing-part   it lacks the part that has its text
 *   too-large      it would decompress to more than the budget of its document, or has too many parts
 *   other-format   it is in another format, or in none that is read
 */
export type DocumentFault = 'encrypted' | 'damaged' | 'missing-part' | 'too-large' | 'other-format';
