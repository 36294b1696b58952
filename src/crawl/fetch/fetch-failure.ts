/**
 * Translates request errors into reasons for the operator, and decides whether to retry the request or park the host.
 */
import { errors } from 'undici';
import { systemCode } from '../../base/mod.ts';
import { ADDRESS_REFUSED, AddressRefusedError } from './address-guard.ts';
import type { Failed } from './exchange.ts';

type Explanation = Pick<Failed, 'reason' | 'retry' | 'isLasting'>;

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  ECONNREFUSED: 'connection refused',
  ENETUNREACH: 'no network route',
  EHOSTUNREACH: 'no network route',
};

/**
 * For each code of a TLS error of OpenSSL or Node, the message. If a code is not listed, the code itself is
 * shown.
 */
const TLS_BY_CODE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown authority',
  CERT_REVOKED: 'certificate revoked',
  EPROTO: 'no common protocol',
};

const IS_TLS = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_)|SELF_SIGNED|SSL/;
const IS_PROTOCOL = /^ERR_SSL_(?:.*(?:PROTOCOL|VERSION|HANDSHAKE|ALERT|CIPHER)|WRONG_)/;

export function explainFailure(error: Error): Explanation {
  // All pages of the host are at the same refused address, so a retry cannot help, and the host is parked.
  if (error instanceof AddressRefusedError) return { reason: ADDRESS_REFUSED, retry: false, isLasting: true };
  const code = systemCode(error);
  const tls = tlsTrouble(code);
  // The host is parked, because all of its pages use the same invalid certificate, and its owner will not fix it
  // within minutes.
  if (tls) return { reason: `TLS: ${tls}`, retry: true, isLasting: true };
  if (BY_CODE[code]) return { reason: BY_CODE[code], retry: true };
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return { reason: 'timeout', retry: true };
  if (error instanceof errors.ConnectTimeoutError) return { reason: 'connection timeout', retry: true };
  if (error instanceof errors.HeadersOverflowError) return { reason: 'headers too large', retry: false };
  return { reason: `connection broken (${code || error.name})`, retry: true };
}

function tlsTrouble(code: string): string | null {
  if (TLS_BY_CODE[code]) return TLS_BY_CODE[code];
  if (IS_PROTOCOL.test(code)) return 'no common protocol';
  return IS_TLS.test(code) ? code : null;
}
