/**
 * Codes with which Node refuses the certificate of a server that a setting names: waiting won't change it. An expired one is none
 * of these: it comes with time, and must not keep a process from starting that can live without the server.
 */
const REFUSED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]

export const isRefusedCertificate = (code: string) => REFUSED.includes(code)
