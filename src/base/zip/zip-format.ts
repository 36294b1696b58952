/**
 * The features of the ZIP format (APPNOTE 6.3) that WACZ files and office documents need: stored or deflated entries, and the
 * 64-bit extension for sizes above four gigabytes.
 *
 *   (local header, name, bytes)*  (central header, name)*  [zip64 end, zip64 locator]  end
 */

export const LOCAL_HEADER = 0x04034b50;
export const CENTRAL_HEADER = 0x02014b50;
export const ZIP_END = 0x06054b50;
export const ZIP64_END = 0x06064b50;
export const ZIP64_LOCATOR = 0x07064b50;

export const LOCAL_HEADER_BYTES = 30;
export const CENTRAL_HEADER_BYTES = 46;
export const END_BYTES = 22;
export const ZIP64_END_BYTES = 56;
export const ZIP64_LOCATOR_BYTES = 20;

/** The id of the extra field with the real sizes and offset of an entry, if these do not fit in 32 bits. */
export const ZIP64_EXTRA = 1;

/** The value of a 32-bit field whose real value is larger and stored in the extra field. */
export const FULL_32 = 0xffffffff;
export const FULL_16 = 0xffff;

export const Method = { stored: 0, deflated: 8 } as const;
