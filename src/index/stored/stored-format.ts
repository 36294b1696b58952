/**
 * The stored documents of a segment, in order, in zstd frames of about 32 KiB of content:
 *
 *   per document:
 *     length      varint   bytes that follow, to step over the document unread
 *     fetchedAt   varint
 *     maxSnippet  varint   one more than the longest quotation allowed; 0 if the page does not say
 *     url title description language text      as text: byte length, UTF-8
 *     marks       varint   1 if the page asks that no copy be shown, plus 2 if the document has code or images; may be
 *                          absent if it is 0 and nothing follows
 *     headings    varint*  level, UTF-16 units since the end of the heading before, length; they extend to the end of the
 *                          document, or if it has code or images, their number comes first
 *     code        varint   number of blocks; per block: UTF-16 units since the end of the block before, length, and the code
 *                          as text
 *     images      varint   their number; per image three texts: url, label, context
 *
 * The number of documents and the length of every frame are in the segment's tables. Each of the ten results
 * on a page costs one frame. A frame of 16 KiB takes about 40 µs to decompress, and README files shrink
 * to 35 %; a frame of 64 KiB takes 140 µs, and they shrink to 32 %. Larger frames are written faster, because
 * each frame needs a new compressor.
 *
 * Example: the document `http://a/` with the title "A" and the text "Hi", in English, fetched 300 ms after
 * 1970, is in its frame
 *
 *   16  AC 02  00  09 68 74 74 70 3A 2F 2F 61 2F  01 41  00  02 65 6E  02 48 69
 */
export const STORED_FRAME_BYTES = 32 * 1024;
